import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { windowsTree } from '../../../src/platform/processes/process-tree.ts';
import { witness } from '../../backends/lsp/process/witness.ts';

/** Does as the program of Windows does: `taskkill /pid N /t` asks a process and its children to end, `/f` ends them. */
const standIn = `#!/bin/sh
signal=TERM
[ "$4" = /f ] && signal=KILL
kill -s "$signal" "$2" $(cat "/proc/$2/task/$2/children")
`;

const patience = { timeout: 120_000 };
const env = { PATH: process.env.PATH ?? '' };

describe.skipIf(process.platform !== 'linux')(
  'the process tree of Windows, with a stand-in for taskkill',
  () => {
    let folder: string;
    let taskkill: string;

    beforeAll(() => {
      folder = mkdtempSync(path.join(tmpdir(), 'lspan-taskkill-'));
      taskkill = path.join(folder, 'taskkill');
      writeFileSync(taskkill, standIn);
      chmodSync(taskkill, 0o755);
    });

    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it.each([
      ['terminate', 'SIGTERM'],
      ['kill', 'SIGKILL'],
    ] as const)('%s reaches a server and its child', patience, async (way, signal) => {
      const seen = witness();
      const tree = windowsTree(taskkill);
      const child = tree.spawn({
        file: '/bin/sh',
        args: ['-c', `${seen.hold}; sleep 1000 & echo up; wait`],
        env,
        cwd: '/',
      });
      if (child.stdout) await once(child.stdout, 'data');
      const exited = once(child, 'exit');
      tree[way](child.pid ?? Number.NaN);
      expect(await exited).toEqual([null, signal]);
      await seen.allGone;
    });

    it('ends at least the server if there is no taskkill', patience, async () => {
      const tree = windowsTree(path.join(folder, 'none'));
      const child = tree.spawn({ file: '/bin/cat', args: [], env, cwd: '/' });
      await once(child, 'spawn');
      tree.close();
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    });
  },
);
