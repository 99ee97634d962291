import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { whyNoChromium } from '../browser/open-chromium.ts';
import { isComplete } from '../missing-programs.ts';

const root = path.resolve(import.meta.dirname, '../..');
const missing = whyNoChromium() || whyNotInstalled();
const reason = missing === '' ? '' : ` (skipped, NOT TESTED IN VS CODE: ${missing})`;

/** Tests do not install half a gigabyte unasked. */
function whyNotInstalled(): string {
  const isInstalled = () => run('test/vscode/run.js', '--installed').status === 0;
  return isComplete || isInstalled() ? '' : '`npm run test:vscode` installs it first, half a gigabyte';
}

/** `npm run test:vscode` tries everything; this is the part that every change must pass. */
it.skipIf(missing !== '')(
  `the extension answers in a real VS Code${reason}`,
  { timeout: 600_000 },
  (test) => {
    expect(run('scripts/build-vscode.js').stderr).toBe('');
    const { stdout, stderr, status } = run('test/vscode/run.js', '--session', 'gateway,restricted');
    test.skip(status === 2, stderr);
    expect({ status, told: status === 0 ? '' : `${stdout}\n${stderr}` }).toEqual({ status: 0, told: '' });
    for (const session of ['gateway', 'restricted'])
      expect(stdout).toMatch(new RegExp(`${session}: [1-9]\\d* passed, 0 failed, 0 skipped`));
  },
);

function run(...words: readonly string[]) {
  return spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8', timeout: 600_000 });
}
