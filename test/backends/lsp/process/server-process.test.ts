import { afterEach, describe, expect, it, vi } from 'vitest';
import { exitFailure } from '../../../../src/backends/lsp/process/process-exit.ts';
import { ServerProcess } from '../../../../src/backends/lsp/process/server-process.ts';
import { LspanError } from '../../../../src/core/errors.ts';
import { limits } from '../../../../src/core/limits.ts';
import { silent } from '../../../../src/core/log.ts';
import { processTree } from '../../../../src/platform/processes/process-tree.ts';
import { witness } from './witness.ts';

const trees: ReturnType<typeof processTree>[] = [];

afterEach(() => {
  for (const tree of trees.splice(0)) tree.close();
});

const patience = { timeout: 120_000 };
const environment = { PATH: process.env.PATH ?? '' };
const politely = { graceful: async () => {} };

/** A server that is a shell script. */
function start(script: string, log = silent): Promise<ServerProcess> {
  return startFile('/bin/sh', ['-c', script], log);
}

function startFile(file: string, args: string[] = [], log = silent): Promise<ServerProcess> {
  const tree = processTree({ kind: 'group' });
  trees.push(tree);
  return ServerProcess.start({ file, args, env: environment, cwd: '/' }, tree, log);
}

/** The first output of a server: it has started and done what it does first. */
function firstData(server: ServerProcess): Promise<string> {
  return new Promise((resolve) => server.onData((chunk) => resolve(chunk.toString())));
}

/** All of the output of a server until its end. */
async function output(server: ServerProcess): Promise<string> {
  const chunks: Buffer[] = [];
  server.onData((chunk) => chunks.push(chunk));
  await server.exited;
  return Buffer.concat(chunks).toString();
}

describe.skipIf(process.platform === 'win32')('the process of a server', () => {
  it('hands bytes through in both directions', patience, async () => {
    const server = await startFile('/bin/cat');
    const echoed = firstData(server);
    server.write(Buffer.from('häl\0lo'));
    expect(await echoed).toBe('häl\0lo');
  });

  it('gets its arguments as they are, never as shell words', patience, async () => {
    const args = ['$(id)', '; echo no', '"', "'", '', ' a  b ', '*'];
    const server = await startFile('/usr/bin/printf', ['[%s]', ...args]);
    expect(await output(server)).toBe(args.map((arg) => `[${arg}]`).join(''));
  });

  it('PRC-01 ends with a code, its last output and its last words known', patience, async () => {
    const server = await start('echo answer; echo first >&2; echo "last words" >&2; exit 3');
    expect(await output(server)).toBe('answer\n');
    expect(await server.exited).toMatchObject({ code: 3, signal: null, stderrTail: ['first', 'last words'] });
  });

  it('PRC-01 ends with a signal known, and the error tells it', patience, async () => {
    const server = await start('echo up; kill -s SEGV $$');
    await output(server);
    const exit = await server.exited;
    expect(exit).toMatchObject({ code: null, signal: 'SIGSEGV' });
    const failure = exitFailure('some-server', exit);
    expect(failure).toMatchObject({ code: 'server_crashed', retryable: true });
    expect(failure.message).toContain('SIGSEGV');
  });

  it('takes the rest of its group along when it ends by itself', patience, async () => {
    const seen = witness();
    const server = await start(`${seen.hold}; sleep 1000 & exit 0`);
    expect(await server.exited).toMatchObject({ code: 0 });
    await seen.allGone;
  });

  it('has ended even if a process that left its group holds its pipes open', patience, async () => {
    const seen = witness();
    const server = await start(`${seen.hold}; setsid sh -c 'echo $$; exec sleep 1000' & wait`);
    const escaped = Number(await firstData(server));
    server.kill();
    expect(await server.exited).toMatchObject({ signal: 'SIGKILL' });
    process.kill(escaped, 'SIGKILL');
    await seen.allGone;
  });

  it('PRC-05 dies with 10 MB queued, and nothing escapes', patience, async () => {
    const log = vi.fn();
    const server = await start('echo up; read line; exit 1', log);
    await firstData(server);
    for (let sent = 0; sent < 10; sent += 1) server.write(Buffer.alloc(1024 * 1024, 'x\n'));
    expect(await server.exited).toMatchObject({ code: 1 });
    server.write(Buffer.from('into the void'));
  });

  it('PRC-05 outlives a server that closes its stdin only', patience, async () => {
    const log = vi.fn();
    const server = await start('exec 0<&-; echo up; exec sleep 1000', log);
    await firstData(server);
    const broken = new Promise((resolve) => log.mockImplementation((_level, event) => resolve(event)));
    server.write(Buffer.from('x'));
    expect(await broken).toBe('server_pipe_broken');
    server.kill();
    await server.exited;
  });

  it.each([1 << 20, limits.writeQueue + 1, 2 * limits.writeQueue])(
    'queues 16 MiB behind a message of %i bytes that is not read, and not one byte more',
    patience,
    async (first) => {
      const server = await start('exec sleep 1000');
      server.write(Buffer.alloc(first));
      server.write(Buffer.alloc(limits.writeQueue - 1));
      server.write(Buffer.alloc(1));
      expect(() => server.write(Buffer.alloc(1))).toThrow(expect.objectContaining({ code: 'busy' }));
      server.kill();
      await server.exited;
    },
  );

  it(
    'PRC-09 drains a flood on stderr, binary and without line ends, and loses nothing of stdout',
    patience,
    async () => {
      const log = vi.fn();
      const server = await start(
        "head -c 30000000 /dev/urandom >&2; echo answer; printf '\\n\\033[31mred\\033[0m end\\n' >&2",
        log,
      );
      expect(await output(server)).toBe('answer\n');
      expect(server.stderrTail(1)).toEqual(['red end']);
      expect(server.stderrTail(1_000).join('').length).toBeLessThanOrEqual(limits.stderrRing);
    },
  );
});

describe.skipIf(process.platform === 'win32')('a server that is stopped', () => {
  it('ends by itself when it is polite, with its own code', patience, async () => {
    const server = await start('echo up; read line; exit 5');
    await firstData(server);
    const exit = await server.stop({ graceful: async () => server.write(Buffer.from('exit\n')) });
    expect(exit).toMatchObject({ code: 5, signal: null });
  });

  it('ends at the end of its input when its protocol fails', patience, async () => {
    const server = await start('echo up; cat; exit 6');
    await firstData(server);
    const graceful = () => Promise.reject(new LspanError('server_crashed', 'no answer'));
    expect(await server.stop({ graceful })).toMatchObject({ code: 6 });
  });

  it('PRC-12 takes at most 5 s by the sum of its steps', () => {
    const { shutdown, exit, terminate, kill, drain } = limits.stop;
    expect(shutdown + exit + terminate + kill + drain).toBeLessThanOrEqual(5_000);
  });

  it('PRC-12 is terminated when it ignores shutdown and exit', patience, async () => {
    const server = await start('echo up; exec sleep 1000');
    await firstData(server);
    const exit = await server.stop({ graceful: () => new Promise(() => {}), hurried: true });
    expect(exit).toMatchObject({ signal: 'SIGTERM' });
  });

  it('PRC-12 is killed with its grandchild when both ignore SIGTERM too', patience, async () => {
    const seen = witness();
    const server = await start(
      `${seen.hold}; trap '' TERM; sleep 1000 & echo up; while :; do wait; sleep 1000; done`,
    );
    await firstData(server);
    expect(await server.stop(politely)).toMatchObject({ signal: 'SIGKILL' });
    await seen.allGone;
  });

  it('PRC-12 is killed although it was suspended', patience, async () => {
    const server = await start('echo up; kill -s STOP $$; exec sleep 1000');
    await firstData(server);
    expect(await server.stop({ ...politely, hurried: true })).toMatchObject({ signal: 'SIGKILL' });
  });

  it('PRC-12 leaves no grandchild when it ends politely itself', patience, async () => {
    const seen = witness();
    const server = await start(`${seen.hold}; sleep 1000 & echo up; read line; exit 0`);
    await firstData(server);
    expect(await server.stop(politely)).toMatchObject({ code: 0 });
    await seen.allGone;
  });

  it('is stopped once, however often it is asked', patience, async () => {
    const server = await start('cat');
    const graceful = vi.fn(async () => {});
    const [first, second] = await Promise.all([
      server.stop({ graceful }),
      server.stop({ graceful, hurried: true }),
    ]);
    expect(graceful).toHaveBeenCalledOnce();
    expect(second).toBe(first);
    expect(await server.stop({ graceful })).toBe(first);
  });

  it('is gone with the tree that is closed', patience, async () => {
    const seen = witness();
    const server = await start(`${seen.hold}; trap '' TERM; sleep 1000 & echo up; wait`);
    await firstData(server);
    trees.at(-1)?.close();
    await Promise.all([server.exited, seen.allGone]);
  });
});

describe('a server that cannot be started', () => {
  it.skipIf(process.platform === 'win32')(
    'PRC-04 says so when the system finds it missing or unfit only then',
    patience,
    async () => {
      const server = await startFile('/usr/bin/env', ['no-such-program-of-lspan']);
      await output(server);
      const failure = exitFailure('some-server', await server.exited);
      expect(failure).toMatchObject({
        code: 'not_installed',
        nextStep: expect.stringContaining('some-server'),
      });
      expect(failure.message).toMatch(
        /^some-server could not be started \(code 127\)\. .*no-such-program-of-lspan.*$/,
      );
    },
  );

  it.skipIf(process.platform === 'win32')('PRC-04 says so when its folder has gone', patience, async () => {
    const starting = ServerProcess.start(
      { file: '/bin/cat', args: [], env: environment, cwd: '/no/such/folder' },
      processTree({ kind: 'group' }),
      silent,
    );
    await expect(starting).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('cat'),
    });
  });

  it.each([
    ['ENOENT', 'not_installed'],
    ['EACCES', 'not_installed'],
    ['ENOEXEC', 'not_installed'],
    ['ETXTBSY', 'busy'],
    ['EMFILE', 'busy'],
    ['ENOMEM', 'busy'],
    ['EUNFORESEEN', 'not_installed'],
  ])('PRC-04 tells %s as %s in one line', async (errno, code) => {
    const tree = {
      ...processTree({ kind: 'group' }),
      spawn: () => {
        throw Object.assign(new Error('spawn'), { code: errno });
      },
    };
    const starting = ServerProcess.start(
      { file: '/opt/bin/server', args: [], env: {}, cwd: '/' },
      tree,
      silent,
    );
    const failure = await starting.catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({
      code,
      message: expect.stringMatching(/^server could not be started: [^\n]+\.$/),
    });
    expect(failure).toHaveProperty('nextStep', expect.any(String));
  });
});
