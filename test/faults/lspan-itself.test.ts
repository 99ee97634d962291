import { existsSync, openSync, statSync, watch } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { question, temporaryFolder } from '../test-bridge.ts';
import { expectAnswer, highestDescriptor, startLspan } from './start-lspan.ts';

const patience = { timeout: 120_000 };
const method = 'textDocument/definition';
const status = 'get_server_status';

describe.skipIf(process.platform !== 'linux')(
  'PRC-17 lspan is stopped for longer than a call may take, and goes on',
  () => {
    const stop = 2_500;
    it.each([
      ['while it was stopped', 0],
      ['soon afterwards', stop + 300],
    ])('and the server answers %s: the call is answered', patience, async (_when, delayMs) => {
      const canary = path.join(temporaryFolder('lspan-canary-'), 'asked');
      const script = {
        rules: [{ on: { method, nth: 2 }, do: [{ dropCanary: { file: canary } }, { delayMs }] }],
      };
      const lspan = await startLspan({ script, deadline: 1.5 });
      while ((await lspan.call(question.tool, question.input)).isError);
      const asked = appears(canary);
      const answer = expectAnswer(lspan);
      await asked;
      lspan.child.kill('SIGSTOP');
      // Not a wait for anything: how long it is stopped is what the test tries.
      await new Promise((resolve) => setTimeout(resolve, stop));
      lspan.child.kill('SIGCONT');
      await answer;
      await expectAnswer(lspan);
    });
  },
);

describe.skipIf(process.platform !== 'linux')('PRC-18 lspan', () => {
  it('works with 64 descriptors', patience, async () => {
    const lspan = await startLspan({ before: ['prlimit', '--nofile=64:64'] });
    for (let call = 0; call < 5; call += 1) await expectAnswer(lspan);
  });

  it('with no descriptor left refuses new work, says why, and recovers', patience, async () => {
    const lspan = await startLspan();
    await lspan.call(status, {});
    lspan.limit('nofile', highestDescriptor(lspan.pid) + 1);
    expect(await lspan.call(question.tool, question.input)).toMatchObject({
      structuredContent: { error: { code: 'busy', message: expect.stringContaining('too many files') } },
    });
    lspan.limit('nofile', 1_024);
    await expectAnswer(lspan);
  });

  it('that may start no process refuses new work, says why, and recovers', patience, async ({ skip }) => {
    const isRoot = process.getuid?.() === 0;
    skip(isRoot && !isReachable(import.meta.dirname), 'another user cannot read this folder');
    const other = [
      'setpriv',
      '--reuid=65534',
      '--regid=65534',
      '--clear-groups',
      '--inh-caps=-all',
      '--bounding-set=-all',
    ];
    const lspan = await startLspan({ before: isRoot ? other : [] });
    await lspan.call(status, {});
    lspan.limit('nproc', 1);
    expect(await lspan.call(question.tool, question.input)).toMatchObject({
      structuredContent: { error: { code: 'busy', message: expect.stringContaining('start a watchdog') } },
    });
    lspan.limit('nproc', 1_000);
    await expectAnswer(lspan);
  });

  it('works on when nothing can be written to its log', patience, async () => {
    const lspan = await startLspan({ stderr: openSync('/dev/full', 'w') });
    await expectAnswer(lspan);
    expect(await lspan.call(status, {})).toMatchObject({
      structuredContent: { servers: [{ state: 'running' }] },
    });
  });
});

/** Returns whether every user may enter a folder. The limit of processes does not hold for root, so another user runs it. */
function isReachable(folder: string): boolean {
  const mayEnter = (statSync(folder).mode & 0o001) !== 0;
  const above = path.dirname(folder);
  return mayEnter && (above === folder || isReachable(above));
}

/** Resolves when a file is there. */
function appears(file: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(path.dirname(file));
    const look = () => {
      if (!existsSync(file)) return;
      watcher.close();
      resolve();
    };
    watcher.on('change', look);
    look();
  });
}
