// Kills lspan's processes at 200 random moments and looks for survivors: `node test/campaigns/kill-matrix.js [ROUNDS]`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'test/backends/lsp/process/survivors.test.ts', '-t', 'PRC-13'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, LSPAN_KILL_ROUNDS: process.argv[2] ?? '200' } },
);
process.exit(status ?? 1);
