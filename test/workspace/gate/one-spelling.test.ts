import type * as realFs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSandbox, temporaryFolder } from '../sandbox.ts';

/** A disk that takes names for the same in any letter case and any Unicode form, as that of macOS does. */
vi.mock('node:fs', async (original) => {
  const real = await original<typeof realFs>();
  const fold = (name: string) => name.normalize('NFC').toLowerCase();
  const spelled = (given: string): string => {
    if (!path.isAbsolute(given) || real.existsSync(given) || path.dirname(given) === given) return given;
    const folder = spelled(path.dirname(given));
    if (!real.existsSync(folder)) return given;
    const name = real.readdirSync(folder).find((each) => fold(each) === fold(path.basename(given)));
    return path.join(folder, name ?? path.basename(given));
  };
  const realpathSync = (given: string) => real.realpathSync(spelled(given));
  return {
    ...real,
    lstatSync: (given: string, options?: realFs.StatSyncOptions) => real.lstatSync(spelled(given), options),
    statSync: (given: string, options?: realFs.StatSyncOptions) => real.statSync(spelled(given), options),
    openSync: (given: string, flags: realFs.OpenMode) => real.openSync(spelled(given), flags),
    realpathSync: Object.assign(realpathSync, { native: realpathSync }),
  };
});

const composed = 'caf\u00e9.ts';
const decomposed = 'cafe\u0301.ts';

async function openOnMac() {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform');
  Object.defineProperty(process, 'platform', { ...platform, value: 'darwin' });
  onTestFinished(() => void Object.defineProperty(process, 'platform', platform ?? {}));
  const root = temporaryFolder({ [composed]: 'x', 'Src/Main.ts': 'y', '.git/config': 'z' });
  return { root, ...(await openSandbox([root], { watch: 'scan' })) };
}

test.runIf(process.platform === 'linux')(
  'BND-16 every spelling of a name is one document if the disk does not distinguish them',
  async () => {
    const { root, workspace } = await openOnMac();
    const uri = (name: string) => `file://${root}/${encodeURIComponent(name)}`;
    expect(composed).not.toBe(decomposed);
    for (const name of [composed, decomposed, composed.toUpperCase(), decomposed.toUpperCase()]) {
      expect(await workspace.resolve(name), name).toBe(path.join(root, composed));
      expect(workspace.fromUri(uri(name)), name).toEqual({
        path: path.join(root, composed),
        standing: 'inside',
      });
    }
    const documents = await Promise.all(
      [composed, decomposed].map(async (name) => workspace.read(await workspace.resolve(name))),
    );
    expect(documents[0]).toBe(documents[1]);
  },
);

test.runIf(process.platform === 'linux')('BND-15 a path has the spelling of the disk', async () => {
  const { root, workspace } = await openOnMac();
  expect(await workspace.resolve('SRC/main.TS')).toBe(path.join(root, 'Src/Main.ts'));
  expect(await workspace.resolve('.GIT/Config')).toBe(path.join(root, '.git/config'));
});
