import { existsSync, mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Action, FakeScript } from './script.ts';
import { type FakeOptions, type StartedFake, startFake } from './start-fake.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lspan-actions-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function start(script: FakeScript, options?: FakeOptions): StartedFake {
  const fake = startFake(script, options);
  onTestFinished(() => fake.stop());
  return fake;
}

const atStart = (...actions: Action[]): FakeScript => ({ rules: [{ on: { start: true }, do: actions }] });

/** Waits until a file is there, whole. */
async function written(file: string): Promise<string> {
  const watcher = watch(folder);
  const appeared = new Promise<void>((resolve) => {
    watcher.on('change', () => existsSync(file) && resolve());
  });
  if (!existsSync(file)) await appeared;
  watcher.close();
  return readFileSync(file, 'utf8');
}

describe('a rule of the fake server', () => {
  it('counts the messages of a method', async () => {
    const fake = start({
      rules: [
        { on: { method: 'a', nth: 2 }, do: [{ replyValue: 'second' }] },
        { on: { method: 'b' }, do: [{ replyValue: 'each' }] },
      ],
    });
    await fake.initialize();
    await expect(fake.request('a')).rejects.toMatchObject({ code: -32601 });
    expect(await fake.request('a')).toBe('second');
    expect([await fake.request('b'), await fake.request('b')]).toEqual(['each', 'each']);
  });

  it('can wait for a time or for a message', async () => {
    const fake = start({
      rules: [
        { on: { afterMs: 1 }, do: [{ notify: { method: 'soon' } }] },
        { on: { method: 'held' }, do: [{ waitFor: 'go' }, { replyValue: 'held' }] },
      ],
    });
    const held = fake.request('held');
    expect(await fake.request('fake/echo')).toBeNull();
    fake.connection.notify('go');
    expect(await held).toBe('held');
    await fake.heard('soon');
  });

  it('can leave a request without a reply, and tell progress', async () => {
    const progress = (kind: 'begin' | 'end'): Action => ({
      progress: { token: 't', kind, title: 'Indexing' },
    });
    const fake = start({
      rules: [
        { on: { method: 'a' }, do: [{ never: true }] },
        { on: { method: 'initialized' }, do: [progress('begin'), progress('end')] },
      ],
    });
    void fake.request('a').catch(() => {});
    fake.connection.notify('initialized');
    await fake.log();
    expect(fake.connection.pendingCount).toBe(1);
    expect(fake.notifications).toEqual([
      { method: '$/progress', params: { token: 't', value: { kind: 'begin', title: 'Indexing' } } },
      { method: '$/progress', params: { token: 't', value: { kind: 'end', title: 'Indexing' } } },
    ]);
  });

  it('can give places outside, and what the client sent as lines of a file', async () => {
    const log = join(folder, 'log');
    const uri = 'file:///etc/passwd';
    const fake = start({ log, rules: [{ on: { method: 'a' }, do: [{ outsideUri: { uri } }] }] });
    expect(await fake.request('a', [1])).toMatchObject([{ uri }]);
    expect(JSON.parse(readFileSync(log, 'utf8'))).toMatchObject({ method: 'a', params: [1] });
  });
});

describe('the process of the fake server', () => {
  it('can end with a code or by a signal', async () => {
    expect(await start(atStart({ exit: { code: 7 } })).exited).toEqual([7, null]);
    expect(await start(atStart({ signalSelf: 'SIGABRT' })).exited).toEqual([null, 'SIGABRT']);
  });

  it('can stay through SIGTERM, exit and the end of stdin', async () => {
    const fake = start({
      rules: [
        { on: { start: true }, do: [{ ignoreSigterm: true }, { ignoreEnd: true }] },
        { on: { method: 'exit' }, do: [{ never: true }] },
      ],
    });
    await fake.request('fake/echo');
    fake.child.kill('SIGTERM');
    fake.connection.notify('exit');
    expect(await fake.request('fake/echo', 1)).toBe(1);
    fake.child.stdin?.end();
    fake.child.kill('SIGKILL');
    expect(await fake.exited).toEqual([null, 'SIGKILL']);
  });

  it('can fork a child of its own group that outlives it', async () => {
    const pidFile = join(folder, 'pid');
    const fake = start(atStart({ forkGrandchild: { pidFile } }));
    const pid = Number(await written(pidFile));
    await fake.stop();
    expect(process.kill(pid, 0)).toBe(true);
    process.kill(pid, 'SIGKILL');
  });

  it('can let a process go that is in no group and no session of its own', async () => {
    const pidFile = join(folder, 'pid');
    const fake = start(atStart({ daemonize: { pidFile } }));
    const pid = Number(await written(pidFile));
    onTestFinished(() => void process.kill(pid, 'SIGKILL'));
    const [state = '', parent, group] =
      readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    expect(['S', 'R', 'D']).toContain(state);
    expect(parent).not.toBe(String(fake.child.pid));
    expect(group).toBe(String(pid));
  });

  it('can be busy for ever, and take memory', async () => {
    const busy = start(atStart({ notify: { method: 'soon' } }, { busyLoop: true }));
    await busy.heard('soon');
    const large = start({ rules: [{ on: { method: 'grow' }, do: [{ allocate: { megabytes: 64 } }] }] });
    await large.initialize();
    await expect(large.request('grow')).rejects.toMatchObject({ code: -32601 });
    const status = readFileSync(`/proc/${large.child.pid}/status`, 'latin1');
    expect(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1])).toBeGreaterThan(64 * 1024);
    busy.child.kill('SIGKILL');
    expect(await busy.exited).toEqual([null, 'SIGKILL']);
  });

  it('can leave a canary and tell its environment', async () => {
    const [canary, report] = [join(folder, 'canary'), join(folder, 'report')];
    const fake = start(atStart({ dropCanary: { file: canary } }, { reportEnv: { file: report } }));
    expect(JSON.parse(await written(report))).toMatchObject({
      cwd: process.cwd(),
      env: { PATH: process.env.PATH },
    });
    expect(Number(readFileSync(canary, 'utf8'))).toBe(fake.child.pid);
  });

  it.each([true, false])('can flood stderr, with line ends: %s', async (newline) => {
    const fake = start(atStart({ stderr: { bytes: 300_000, newline } }, { exit: { code: 0 } }), {
      stderr: 'pipe',
    });
    const chunks: Buffer[] = [];
    for await (const chunk of fake.child.stderr ?? []) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    expect(text).toHaveLength(300_000);
    expect(text.includes('\n')).toBe(newline);
  });

  it('can stop reading, so that writes pile up', async () => {
    const fake = start(atStart({ stopReadingStdin: true }, { notify: { method: 'deaf' } }));
    await fake.heard('deaf');
    fake.connection.notify('big', 'x'.repeat(1 << 20));
    await new Promise((resolve) => setImmediate(resolve));
    expect(fake.child.stdin?.writableLength).toBeGreaterThan(0);
  });

  it('can read slowly', async () => {
    const fake = start(atStart({ slowReader: { everyMs: 1 } }));
    expect(await fake.request('fake/echo', 'x'.repeat(300_000))).toHaveLength(300_000);
  });

  it('can close a stream and live on', async () => {
    const fake = start(atStart({ closeStream: 'stdout' }));
    for await (const _ of fake.child.stdout ?? []);
    expect(fake.child.exitCode).toBeNull();
  });
});
