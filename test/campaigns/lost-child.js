// Kills the process that answers, between two calls and during one, 50 times for each server and every question:
// `node test/campaigns/lost-child.js [ROUNDS]`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'test/real-servers/lost-child.test.ts', '-t', 'PRO-29'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, LSPAN_KILL_ROUNDS: process.argv[2] ?? '50' } },
);
process.exit(status ?? 1);
