// EDT-28, EDT-29: kills lspan by SIGKILL at every file-system operation of an edit, and everywhere in a recovery.
//   node test/campaigns/edit-kill.js [KILLS] [--daemon] [--seed N]
// With --daemon (after `npm run build`), the daemon is killed, in turn at each step of an edit for a client of it.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { killDaemons } from './edit-kill-daemon.js';
import { daemonOption } from './lspan.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, ...daemonOption },
});
const [kills] = positionals;
process.exitCode = values.daemon
  ? await killDaemons({ rounds: Number(kills ?? 500), seed: Number(values.seed ?? Date.now() % 1e6) })
  : killEngines(kills ?? '100000');

function killEngines(count) {
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
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      stdio: 'inherit',
      env: { ...process.env, LSPAN_EDIT_KILLS: count, LSPAN_CRASH_STRIDE: '1' },
    },
  );
  return status ?? 1;
}
