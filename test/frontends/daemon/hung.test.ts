import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { replaceIfHung } from '../../../src/frontends/daemon/client/obtain-daemon.ts';
import { thisProcess } from '../../../src/platform/processes/process-identity.ts';
import { question } from '../../test-bridge.ts';
import { daemonWorld, isRunning, startMcp } from './daemon-world.ts';

// A client takes minutes less to find out; a daemon that is only slow still answers in time.
vi.mock(import('../../../src/core/limits.ts'), async (original) => {
  const { limits } = await original();
  return { limits: { ...limits, daemon: { ...limits.daemon, hung: 4_000, alive: 1_000 } } };
});

const definition = 'textDocument/definition';

describe('a daemon that hangs', () => {
  it('DMN-07 is seen by the status, and ended by force only', async () => {
    const world = daemonWorld();
    await (await world.open()).call(question.tool, question.input);
    const pid = await world.pid();
    process.kill(pid, 'SIGSTOP');
    const { out } = await world.call('get_server_status', {});
    expect(out).toContain('No daemon is used: it does not answer. lspan works in this process.');
    expect((await world.run('status')).out).toBe(`Daemon (process ${pid}) does not answer.\n`);
    expect(await world.status()).toEqual([{ pid, answers: false }]);
    expect(await world.run('stop')).toMatchObject({
      code: 1,
      out: `Could not stop the daemon (process ${pid}): it does not answer. Use lspan stop --force.\n`,
    });
    expect(await world.run('stop', '--force')).toMatchObject({
      code: 0,
      out: `Ended the daemon (process ${pid}).\n`,
    });
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect((await world.run('status')).out).toMatch(/^No daemon is running\. /);
  });

  it('DMN-07 is replaced: the client that finds it works in its own process, the next one has another', async () => {
    const world = daemonWorld();
    await world.warm();
    const pid = await world.pid();
    process.kill(pid, 'SIGSTOP');
    const { call } = await startMcp(world);
    const status = await call('get_server_status', {});
    expect(status.content[0]?.text).toContain('No daemon is used: it does not answer.');
    await expect.poll(() => isRunning(pid)).toBe(false);
    const bridge = await world.open();
    expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
    expect(world.reasons).toEqual([]);
    expect(await world.pid()).not.toBe(pid);
  });

  it('DMN-07 is replaced by commands of the shell, none of which lives long enough to find it out alone', async () => {
    const world = daemonWorld();
    await world.warm();
    const pid = await world.pid();
    process.kill(pid, 'SIGSTOP');
    let calls = 0;
    for (; isRunning(pid) && calls < 30; calls += 1) {
      const { code } = await world.call(question.tool, question.input);
      expect(code).toBe(0);
    }
    expect(isRunning(pid)).toBe(false);
    expect(calls).toBeGreaterThanOrEqual(2);
    await world.warm();
    expect(await world.pid()).not.toBe(pid);
    expect(existsSync(world.place().silence)).toBe(false);
  });

  it('DMN-07 while a client attaches is replaced, and the client has the next one', async () => {
    const world = daemonWorld();
    const nodeFlags = ['--require', path.join(import.meta.dirname, 'stop-at-attach.cjs')];
    const stopped = world.start(['daemon'], { nodeFlags });
    if (stopped.stdout) expect(String((await once(stopped.stdout, 'data'))[0])).toBe('ready\n');
    const bridge = await world.open();
    expect(stopped.signalCode).toBe('SIGKILL');
    expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
    expect(world.reasons).toEqual([]);
  });

  it('DMN-07 in another namespace of process numbers is left alone, as is who has its number here', async () => {
    const world = daemonWorld();
    await world.warm();
    const pid = await world.pid();
    const victim = spawn('/bin/cat', { stdio: ['pipe', 'ignore', 'ignore'] });
    onTestFinished(() => void victim.kill('SIGKILL'));
    const { process: file, socket } = world.place();
    const holder = { ...thisProcess(), space: 'another', pid: victim.pid, started: 1 };
    writeFileSync(file, JSON.stringify(holder), { mode: 0o600 });
    process.kill(pid, 'SIGSTOP');
    await replaceIfHung(world.place());
    expect(await world.run('stop', '--force')).toMatchObject({
      code: 1,
      out: 'Could not stop the daemon: its process is not known, or not yours.\n',
    });
    expect((await world.run('status')).out).toBe('Daemon (process unknown) does not answer.\n');
    expect([isRunning(victim.pid ?? 0), isRunning(pid), existsSync(socket)]).toEqual([true, true, true]);
  });

  it('DMN-07 in the middle of a call is replaced, and the call is answered', async () => {
    const world = daemonWorld({ rules: [{ on: { method: definition }, do: [{ never: true }] }] }, {});
    const bridge = await world.open();
    const answer = bridge.call(question.tool, question.input);
    await expect.poll(() => world.heard()).toContain(definition);
    const pid = await world.pid();
    process.kill(pid, 'SIGSTOP');
    expect((await answer).data).toMatchObject(question.answer);
    expect(await world.pid()).not.toBe(pid);
    expect(isRunning(pid)).toBe(false);
  });
});
