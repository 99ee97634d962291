import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { LspanError } from '../../../src/core/errors.ts';
import { limits } from '../../../src/core/limits.ts';
import { type RunningShell, Watchdog } from '../../../src/platform/processes/watchdog.ts';

/** A watchdog whose shells are pipes, and what each was told. */
function observed() {
  const shells: { process: EventEmitter; stdin: PassThrough }[] = [];
  const watchdog = new Watchdog({ mark: 'MARK=x.' }, () => {
    const shell = { process: new EventEmitter(), stdin: new PassThrough() };
    shells.push(shell);
    return shell satisfies RunningShell;
  });
  const told = (index: number) => String(shells[index]?.stdin.read() ?? '');
  const dies = (index: number) => shells[index]?.process.emit('exit', null, 'SIGKILL');
  return { watchdog, shells, told, dies };
}

describe('the watchdog', () => {
  it('starts one shell for all servers, with the first one', () => {
    const { watchdog, shells } = observed();
    expect(shells).toHaveLength(0);
    expect(watchdog.channel()).toBe(watchdog.channel());
    expect(shells).toHaveLength(1);
  });

  it('unregisters a group once, and ignores an unknown one', () => {
    const { watchdog, told } = observed();
    watchdog.channel();
    watchdog.guard(11);
    watchdog.release(11);
    watchdog.release(11);
    watchdog.release(12);
    expect(told(0)).toBe('del 11\n');
  });

  it('replaces a killed shell, and registers the live groups with the new one', () => {
    const { watchdog, told, dies } = observed();
    watchdog.channel();
    for (const group of [11, 12, 13]) watchdog.guard(group);
    watchdog.release(12);
    dies(0);
    expect(told(1)).toBe('add 11\nadd 13\n');
  });

  it('does not replace the shell if there are no groups, or after it was closed', () => {
    const idle = observed();
    idle.watchdog.channel();
    idle.dies(0);
    const closed = observed();
    closed.watchdog.channel();
    closed.watchdog.guard(11);
    closed.watchdog.close();
    closed.dies(0);
    expect([idle.shells.length, closed.shells.length]).toEqual([1, 1]);
  });

  it('gives up after several dead shells, until the next server starts', () => {
    const { watchdog, shells, dies } = observed();
    watchdog.channel();
    watchdog.guard(11);
    for (let index = 0; index < limits.restart.crashes + 3; index += 1) dies(index);
    expect(shells).toHaveLength(limits.restart.crashes + 1);
    watchdog.channel();
    expect(shells).toHaveLength(limits.restart.crashes + 2);
  });

  it('survives if no new shell can be started', () => {
    const process = new EventEmitter();
    const starts = [() => ({ process, stdin: new PassThrough() })];
    const watchdog = new Watchdog({ mark: 'MARK=x.' }, () => {
      const start = starts.pop();
      if (!start) throw new LspanError('busy', 'no room');
      return start();
    });
    watchdog.channel();
    watchdog.guard(11);
    process.emit('exit', null, 'SIGKILL');
    expect(() => watchdog.channel()).toThrow('no room');
  });

  it('PRC-23 ends its shell when it is closed, and waits for the end of the shell', async () => {
    const { watchdog, shells, dies } = observed();
    await watchdog.close();
    watchdog.channel();
    const closed = watchdog.close().then(() => 'closed');
    const [shell] = shells;
    shell?.stdin.resume();
    await once(shell?.stdin ?? new EventEmitter(), 'end');
    expect(await Promise.race([closed, Promise.resolve('open')])).toBe('open');
    dies(0);
    expect(await closed).toBe('closed');
  });
});

describe.skipIf(process.platform === 'win32')('the shell of the watchdog', () => {
  it('kills the registered groups in their order at its end, and none that was unregistered', async () => {
    const [first, gone, last] = [leader(), leader(), leader()];
    const watchdog = new Watchdog({ mark: 'LSPAN_SERVER=of-no-process.' });
    const channel = watchdog.channel();
    for (const { pid } of [first, gone, last]) {
      channel.write(`add ${pid}\n`);
      watchdog.guard(pid);
    }
    channel.write('add 0\nadd 1\nadd nonsense\nadd\n');
    watchdog.release(gone.pid);
    const ends = [once(first.child, 'exit'), once(last.child, 'exit')];
    watchdog.close();
    expect(await Promise.all(ends)).toEqual([
      [null, 'SIGKILL'],
      [null, 'SIGKILL'],
    ]);
    gone.child.stdin.write('alive');
    expect(String(await once(gone.child.stdout, 'data'))).toBe('alive');
    gone.child.stdin.end();
    expect(await once(gone.child, 'exit')).toEqual([0, null]);
  });
});

/** A process that leads a group, and answers as long as it lives. */
function leader() {
  const child = spawn('/bin/cat', { detached: true });
  return { child, pid: child.pid ?? Number.NaN };
}
