// A process with an engine of its own: `apply HOME FILE TEXT`, or `everything HOME N`, which is killed at operation N.
import { LspanError } from '../../src/core/errors.ts';
import { countedFiles } from './counted-files.ts';
import { everyChange } from './everything.ts';
import { aCall, sandboxIn } from './sandbox-in.ts';

const [, , what = '', home = '', third = '', text = ''] = process.argv;
const sandbox = sandboxIn(home);

if (what === 'everything') {
  const killAt = Number(third);
  const { files, names } = countedFiles(undefined, {
    before: (_, at) => {
      if (at === killAt) process.kill(process.pid, 'SIGKILL');
    },
  });
  const plan = sandbox.open().plan(everyChange(sandbox), { title: 'everything' });
  await sandbox.open({ files }).apply(plan, aCall());
  process.stdout.write(`${names.length}\n`);
} else {
  const edits = sandbox.open();
  const plan = edits.plan(sandbox.proposal({ write: third, text }), { title: text });
  process.stdout.write('planned\n');
  // All who take part have planned before any of them begins.
  await new Promise((resolve) => process.stdin.once('data', resolve));
  const outcome = await edits.apply(plan, aCall()).catch((thrown: unknown) => thrown);
  process.stdout.write(`${outcome instanceof LspanError ? outcome.code : 'applied'}\n`);
  process.stdin.destroy();
}
