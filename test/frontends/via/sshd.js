// Runs an ssh server on the loopback address until its input ends, with a configuration and keys of its own, for the user who
// runs it: node sshd.js [NAME=VALUE…]. Prints the words that reach it, and its process, as a line of JSON. The variables are
// those of the commands that it runs. One program for tests and bench.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import path from 'node:path';

const folder = mkdtempSync('/tmp/lsssh-');
const file = (name) => path.join(folder, name);
for (const key of ['host', 'user'])
  execFileSync('/usr/bin/ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(key)]);
copyFileSync(file('user.pub'), file('authorized_keys'));
// Where sshd puts itself when root starts it; Debian makes the folder when the system starts.
if (process.getuid() === 0) mkdirSync('/run/sshd', { recursive: true });
const { username } = userInfo();
const port = await freePort();
const variables = process.argv.slice(2).map((one) => `"${one}"`);
writeFileSync(
  file('config'),
  `ListenAddress 127.0.0.1:${port}
HostKey ${file('host')}
AuthorizedKeysFile ${file('authorized_keys')}
PidFile ${file('pid')}
AllowUsers ${username}
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
PrintMotd no
PrintLastLog no
${variables.length > 0 ? `SetEnv ${variables.join(' ')}` : ''}
`,
);
const server = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', file('config')], {
  stdio: ['ignore', 'ignore', 'pipe'],
});
await listening();
const options = ['IdentitiesOnly=yes', 'BatchMode=yes', 'StrictHostKeyChecking=no', 'LogLevel=ERROR'];
const command = [
  ...['ssh', '-F', 'none', '-i', file('user'), '-p', String(port)],
  ...[...options, `UserKnownHostsFile=${file('known')}`].flatMap((option) => ['-o', option]),
  `${username}@127.0.0.1`,
];
console.log(JSON.stringify({ command, pid: server.pid }));
process.stdin.resume();
await once(process.stdin, 'end');
server.removeAllListeners('exit');
server.kill('SIGKILL');
rmSync(folder, { recursive: true, force: true });

async function listening() {
  let said = '';
  server.once('exit', (code) => {
    console.error(`sshd ended with ${code}: ${said}`);
    process.exit(1);
  });
  for await (const chunk of server.stderr) {
    said += chunk;
    if (/listening on/.test(said)) break;
  }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address();
  probe.close();
  await once(probe, 'close');
  return free;
}
