// What is done to lspan and its servers every 20 seconds of the soak.
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { childrenOf } from './process-facts.js';

/** Each hurts one server, or none: then every answer has to stay right. One is more than a client may ask at once. Given in the order in which they take turns. */
export const faults = [
  { name: 'SIGKILL of TypeScript', server: 'typescript', strike: killServer('SIGKILL') },
  { name: 'the fake exits', server: 'fake', strike: provoke('get_hover') },
  { name: 'SIGSTOP of Python', server: 'python', strike: killServer('SIGSTOP') },
  { name: '500 files come and go', strike: storm },
  { name: 'the fake floods stdout', server: 'fake', strike: provoke('search_workspace_symbols') },
  { name: 'SIGTERM of Python', server: 'python', strike: killServer('SIGTERM') },
  { name: 'SIGSTOP of TypeScript', server: 'typescript', strike: killServer('SIGSTOP') },
  { name: '200 calls are cancelled at once', floods: true, strike: cancelMany },
  { name: 'lines that are no messages', strike: babble },
  { name: 'the fake stays silent', server: 'fake', strike: provoke('get_diagnostics') },
  { name: 'SIGKILL of the watchdog', strike: killWatchdog },
];

function killServer(signal) {
  return async ({ lspan }, server) => {
    const { servers } = await lspan.call('get_server_status', {});
    const running = servers.find(({ id, pid }) => id === ids[server] && pid !== undefined);
    if (running) process.kill(running.pid, signal);
  };
}

const ids = { typescript: 'typescript', python: 'pyright', fake: 'fake' };

/** A question after which the fake server misbehaves; what it answers does not matter. */
function provoke(tool) {
  const input = {
    get_hover: { file_path: 'notes/a.txt', line: 1, character: 10 },
    search_workspace_symbols: { query: 'alpha' },
    get_diagnostics: { file_path: 'notes/a.txt' },
  }[tool];
  return async ({ lspan }) => {
    await lspan.call(tool, input).catch(() => {});
  };
}

async function storm({ folder }) {
  const place = path.join(folder, 'src/storm');
  await mkdir(place, { recursive: true });
  const names = Array.from({ length: 500 }, (_, index) => path.join(place, `storm-${index}.ts`));
  await Promise.all(names.map((name, index) => writeFile(name, `export const storm${index} = ${index};\n`)));
  await rm(place, { recursive: true });
}

async function cancelMany({ lspan, questions }) {
  const [question] = questions.typescript;
  for (let index = 0; index < 200; index += 1) lspan.callAndCancel(question.tool, question.input);
}

async function babble({ lspan }) {
  for (const line of ['not JSON', '[]', '{"jsonrpc":"1.0"}', '"x"', '{', '\u0000']) lspan.write(`${line}\n`);
}

/** The shell that ends the servers when lspan is killed. */
async function killWatchdog({ worker }) {
  const isWatchdog = (pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('watchdog');
  for (const pid of childrenOf(worker).filter(isWatchdog)) process.kill(pid, 'SIGKILL');
}
