// Gives the gate a million random paths and URIs, and looks where what it allows leads: `node test/campaigns/gate-property.js [PATHS]`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'test/workspace/gate/races.test.ts', '-t', 'BND-23'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, LSPAN_RANDOM_PATHS: process.argv[2] ?? '1000000' } },
);
process.exit(status ?? 1);
