import path from 'node:path';
import { expect, it } from 'vitest';
import { whyNoChromium } from '../browser/open-chromium.ts';
import { isComplete } from '../missing-programs.ts';
import { runToEndWithin } from '../run-to-end.ts';

const patience = 600_000;
const missing = whyNoChromium() || (await whyNotInstalled());
const reason = missing === '' ? '' : ` (skipped, NOT TESTED IN VS CODE: ${missing})`;

/** Tests do not install half a gigabyte unasked. */
async function whyNotInstalled(): Promise<string> {
  const isInstalled = isComplete || (await run('test/vscode/run.js', '--installed')).status === 0;
  return isInstalled ? '' : '`npm run test:vscode` installs it first, half a gigabyte';
}

/** `npm run test:vscode` tries everything; this is the part that every change must pass. */
it.skipIf(missing !== '')(
  `the extension answers in a real VS Code${reason}`,
  { timeout: patience },
  async (test) => {
    expect(await run('scripts/build-vscode.js')).toMatchObject({ status: 0 });
    const { status, written } = await run('test/vscode/run.js', '--session', 'gateway');
    test.skip(status === 2, written);
    expect({ status, told: status === 0 ? '' : written }).toEqual({ status: 0, told: '' });
    expect(written).toMatch(/gateway: [1-9]\d* passed, 0 failed, 0 skipped/);
  },
);

function run(script: string, ...words: readonly string[]) {
  return runToEndWithin(patience, path.resolve(import.meta.dirname, '../..', script), ...words);
}
