import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { isComplete } from '../../missing-programs.ts';

/** A PostgreSQL of a test, which listens on a socket in a folder of its own. */
export interface StartedPostgres {
  /** The folder of its socket. */
  readonly sockets: string;
  /** Returns the address for a role. */
  address(role?: string, database?: string): string;
  /** Runs statements as the owner. */
  run(sql: string, database?: string): void;
  /** Kills all its processes at once, as a power cut would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const debian = '/usr/lib/postgresql';
const programs = [...(existsSync(debian) ? readdirSync(debian) : [])]
  .map((version) => path.join(debian, version, 'bin'))
  .find((folder) => existsSync(path.join(folder, 'initdb')));

/** Why there is no PostgreSQL here; empty if there is one, or if there must be. */
export const missingPostgres: string =
  programs === undefined && !isComplete ? 'PostgreSQL is not installed: apt install postgresql' : '';

/** Starts a PostgreSQL in a temporary folder. It refuses to run as root, so another user runs it then. */
export async function startPostgres(): Promise<StartedPostgres> {
  if (programs === undefined) throw new Error('PostgreSQL is not installed');
  const folder = mkdtempSync(path.join(tmpdir(), 'lspan-postgres-'));
  const owner = ownerHere();
  const sockets = path.join(folder, 'sockets');
  mkdirSync(sockets);
  if (owner) for (const one of [folder, sockets]) chownSync(one, owner.uid, owner.gid);
  chmodSync(folder, 0o755);
  const data = path.join(folder, 'data');
  const init = ['-D', data, '-U', 'owner', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'];
  execFileSync(path.join(programs, 'initdb'), init, { ...owner, cwd: folder, stdio: 'ignore' });
  let server: ChildProcess | undefined;
  const address = (role = 'owner', database = 'postgres') =>
    `postgres://${role}@localhost/${database}?host=${encodeURIComponent(sockets)}`;
  const start = async () => {
    const settings = {
      listen_addresses: '',
      unix_socket_directories: sockets,
      fsync: 'off',
      max_connections: '100',
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const started = spawn(path.join(programs, 'postgres'), ['-D', data, ...flags], {
      ...owner,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    server = started;
    const said: string[] = [];
    for await (const line of createInterface(started.stderr)) {
      said.push(line);
      if (line.includes('ready to accept connections')) {
        started.stderr.resume();
        return;
      }
    }
    throw new Error(`PostgreSQL ended before it was ready:\n${said.join('\n')}`);
  };
  await start();
  return {
    sockets,
    address,
    start,
    run: (sql, database = 'postgres') =>
      void execFileSync('psql', ['-h', sockets, '-U', 'owner', '-v', 'ON_ERROR_STOP=1', '-q', database], {
        input: sql,
        stdio: ['pipe', 'ignore', 'inherit'],
      }),
    kill: async () => {
      if (!server?.pid) return;
      // Each of its processes leads a group of its own and holds the pipe of its messages: closed, none is left.
      const ended = once(server, 'close');
      for (const pid of [...childrenOf(server.pid), server.pid]) killed(pid);
      await ended;
    },
    stop: async () => {
      const ended =
        server?.exitCode === null && server.signalCode === null ? once(server, 'exit') : undefined;
      server?.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** Kills a process, which may just have ended by itself. */
function killed(pid: number) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** The user that runs it instead of root. */
function ownerHere(): { readonly uid: number; readonly gid: number } | undefined {
  if (userInfo().uid !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
