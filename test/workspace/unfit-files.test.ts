import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openSandbox, temporaryFolder } from './sandbox.ts';

const { platform } = process;

it.skipIf(platform === 'win32')(
  'huge files, devices and pipes are known before a server reads them',
  async () => {
    const folder = temporaryFolder({ 'a.ts': 'export {};\n', '.gitignore': 'made.ts\n' });
    const sparse = (name: string) => {
      const file = openSync(path.join(folder, name), 'w');
      ftruncateSync(file, 10 * 1024 ** 3);
      closeSync(file);
    };
    sparse('huge.ts');
    sparse('made.ts');
    symlinkSync('/dev/zero', path.join(folder, 'zero.ts'));
    mkdirSync(path.join(folder, 'below'));
    for (const name of ['pipe.py', 'below/pipe.py']) execFileSync('mkfifo', [path.join(folder, name)]);
    const { workspace, refresh } = await openSandbox([folder]);
    await refresh();
    const unfit = () =>
      [...workspace.unfitFiles()].map(([file, what]) => [workspace.show(file), what]).sort();
    expect(unfit()).toEqual([
      ['below/pipe.py', 'a pipe or a device'],
      ['huge.ts', '10200 MiB'],
      ['pipe.py', 'a pipe or a device'],
      ['zero.ts', 'a device'],
    ]);
    for (const name of ['below', 'huge.ts', 'pipe.py', 'zero.ts'])
      rmSync(path.join(folder, name), { recursive: true });
    await refresh();
    expect(unfit()).toEqual([]);
  },
);
