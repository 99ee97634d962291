import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { isComplete } from '../../missing-programs.ts';

const daemon =
  ['/usr/sbin/sshd', '/usr/local/sbin/sshd'].find((file) => existsSync(file)) ?? '/usr/sbin/sshd';

/** Why no ssh server can be started here; empty if one can. */
export const withoutSsh: string = isComplete || existsSync(daemon) ? '' : 'sshd is not installed';

/** The title of a test that needs an ssh server: it says why the test is skipped. */
export function overSsh(title: string): string {
  return withoutSsh === '' ? title : `${title} (skipped: ${withoutSsh})`;
}

/** An ssh server on the loopback address, with keys of its own, for the user who runs the test. */
export interface LocalSsh {
  /** The words that reach it. */
  readonly command: readonly string[];
  /** The processes of its connections. */
  connections(): readonly number[];
}

/** Starts one; it ends with the test. `environment` is what its commands get. */
export async function localSsh(environment: Readonly<Record<string, string>>): Promise<LocalSsh> {
  const folder = mkdtempSync('/tmp/lsssh-');
  const file = (name: string) => path.join(folder, name);
  for (const key of ['host', 'user'])
    execFileSync('/usr/bin/ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(key)]);
  const { username, homedir } = userInfo();
  execFileSync('cp', [file('user.pub'), file('authorized_keys')]);
  // Where sshd puts itself when root starts it. Debian makes the folder when the system does.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const port = await freePort();
  const settings = Object.entries(environment).map(([name, value]) => `"${name}=${value}"`);
  const lines = [
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey ${file('host')}`,
    `AuthorizedKeysFile ${file('authorized_keys')}`,
    `PidFile ${file('pid')}`,
    ...['StrictModes no', 'UsePAM no', 'PasswordAuthentication no', 'KbdInteractiveAuthentication no'],
    ...['PermitRootLogin prohibit-password', 'PrintMotd no', 'PrintLastLog no', `AllowUsers ${username}`],
    // Only one line of this kind counts.
    `SetEnv ${settings.join(' ')}`,
  ];
  writeFileSync(file('config'), `${lines.join('\n')}\n`);
  const server = spawn(daemon, ['-D', '-e', '-f', file('config')], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(async () => {
    for (const pid of childrenOf(server)) if (isThere(pid)) process.kill(pid, 'SIGKILL');
    if (server.exitCode === null) {
      server.kill('SIGKILL');
      await once(server, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });
  await listening(server);
  const options = ['IdentitiesOnly=yes', 'BatchMode=yes', 'StrictHostKeyChecking=no', 'LogLevel=ERROR'];
  return {
    command: [
      ...['ssh', '-F', 'none', '-i', file('user'), '-p', String(port)],
      ...[...options, `UserKnownHostsFile=${file('known')}`].flatMap((option) => ['-o', option]),
      `${username}@127.0.0.1`,
    ],
    connections: () => childrenOf(server),
  };

  function childrenOf({ pid = 0 }: ChildProcess): readonly number[] {
    const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8', cwd: homedir });
    return all
      .trim()
      .split('\n')
      .map((row) => row.trim().split(/\s+/).map(Number))
      .flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
  }
}

function isThere(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

async function listening(server: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on('data', (chunk) => {
      said += String(chunk);
      if (/listening on/.test(said)) resolve();
    });
    server.once('exit', (code) => reject(new Error(`sshd ended with ${code}: ${said}`)));
  });
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
