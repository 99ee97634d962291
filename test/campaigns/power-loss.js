// EDT-30: loses power after every operation of edits, recoveries and failures: `node test/campaigns/power-loss.js [DRAWS]`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'test/edits/apply/power-loss.test.ts', '--testTimeout=7200000'],
  {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: 'inherit',
    env: { ...process.env, LSPAN_POWER_STRIDE: '1', LSPAN_POWER_DRAWS: process.argv[2] ?? '50' },
  },
);
process.exit(status ?? 1);
