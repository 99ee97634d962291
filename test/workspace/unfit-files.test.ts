import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, rmSync, symlinkSync } from 'node:fs';
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
    execFileSync('mkfifo', [path.join(folder, 'pipe.py')]);
    const { workspace, refresh } = await openSandbox([folder]);
    await refresh();
    const unfit = () =>
      [...workspace.unfitFiles()].map(([file, what]) => [workspace.show(file), what]).sort();
    expect(unfit()).toEqual([
      ['huge.ts', '10200 MiB'],
      ['pipe.py', 'a pipe or a device'],
      ['zero.ts', 'a device'],
    ]);
    for (const name of ['huge.ts', 'pipe.py', 'zero.ts']) rmSync(path.join(folder, name));
    await refresh();
    expect(unfit()).toEqual([]);
  },
);
