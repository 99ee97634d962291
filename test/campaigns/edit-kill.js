// EDT-28, EDT-29: kills lspan by SIGKILL at every file-system operation of an edit, and everywhere in a recovery: `node test/campaigns/edit-kill.js [KILLS]`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    'test/edits/apply/processes.test.ts',
    'test/edits/apply/crash-matrix.test.ts',
    '--testTimeout=7200000',
    '-t',
    'EDT-',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, LSPAN_EDIT_KILLS: process.argv[2] ?? '100000', LSPAN_CRASH_STRIDE: '1' },
  },
);
process.exit(status ?? 1);
