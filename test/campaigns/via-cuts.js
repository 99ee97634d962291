// VIA-05: cuts the connection to the far end at every step of an edit, not only at some as the tests do, ROUNDS times.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const rounds = Number(process.argv[2] ?? 3);
const root = path.resolve(import.meta.dirname, '../..');

for (let round = 1; round <= rounds; round += 1) {
  const { status } = spawnSync('npx', ['vitest', 'run', 'test/frontends/via/cut-connections.test.ts'], {
    cwd: root,
    env: { ...process.env, LSPAN_TEST_CUT_STRIDE: '1' },
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
  console.log(`round ${round} of ${rounds}: every edit was told as it was`);
}
