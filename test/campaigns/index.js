// Compares what indexes of real projects say with what the live language servers say, for more projects and symbols than
// the tests do: node test/campaigns/index.js [SYMBOLS]. It installs the indexers.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const { status } = spawnSync('npx', ['vitest', 'run', 'test/real-indexes'], {
  cwd: path.resolve(import.meta.dirname, '../..'),
  env: {
    ...process.env,
    ...{ LSPAN_TEST_INDEXED_ALL: '1', LSPAN_TEST_INDEXED_SYMBOLS: process.argv[2] ?? '150' },
  },
  stdio: 'inherit',
});
process.exit(status ?? 1);
