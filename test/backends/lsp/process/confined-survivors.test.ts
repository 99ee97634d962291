import { afterAll, beforeAll, describe, it } from 'vitest';
import { inSandbox, unconfinable } from '../../../confined.ts';
import { temporaryFolder } from '../../../test-bridge.ts';
import { bundleRunner } from './bundle-runner.ts';
import { type Run, run } from './run.ts';

const rounds = Number(process.env.LSPAN_KILL_ROUNDS ?? 10);
const patience = { timeout: 120_000 + rounds * 1_000 };

describe.skipIf(unconfinable !== '')(inSandbox('nothing confined survives lspan'), () => {
  let runner: Awaited<ReturnType<typeof bundleRunner>>;
  const start = (act: string): Run =>
    run(process.execPath, [runner.file, act, temporaryFolder('lspan-scratch-')]);

  beforeAll(async () => {
    runner = await bundleRunner();
  });

  afterAll(() => runner.remove());

  it(
    `CNF-06 a kill at any moment leaves no server, no child, no daemon and no watchdog, ${rounds} times`,
    patience,
    async () => {
      for (let round = 0; round < rounds; round += 1) {
        const victim = start('serve');
        await victim.said(['starting', 'spawned', 'up'][round % 3] ?? 'up');
        victim.child.kill('SIGKILL');
        await victim.exited;
        await victim.allGone;
      }
    },
  );

  it.each(['SIGTERM', 'SIGINT', 'SIGSEGV'] as const)(
    'CNF-06 a death by %s takes the servers along',
    patience,
    async (signal) => {
      const victim = start('serve');
      await victim.said('up');
      victim.child.kill(signal);
      await victim.allGone;
    },
  );

  it(
    'CNF-06 a server that is stopped takes its daemons along, and nothing keeps lspan',
    patience,
    async () => {
      const leaver = start('leave');
      await leaver.said('stopped');
      await leaver.exited;
      await leaver.allGone;
    },
  );
});
