// What a gigabyte of garbage from a language server costs lspan, and whether the server is replaced.
//   node bench/garbage.js     (after `npm run build`)
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startMcpClient } from './mcp-client.js';
import { cpuTime, forgetPeak, peakMemory, residentMemory, tellsFacts } from './process-facts.js';
import { sectionText } from './report.js';
import { bin, env, prepareWork, workFolder } from './work.js';

const gigabyte = 1024;
const most = { memory: 16, cpu: 100 };
const fakeServer = path.resolve(import.meta.dirname, '../test/fake-server/fake-server.js');

const floodOf = (text) => ({ flood: { megabytes: gigabyte, text } });
const claim = (bytes) => ({ rawBytes: { text: `Content-Length: ${bytes}\r\n\r\n` } });

/** Ways to send a gigabyte that is no answer; what lspan may keep of the last is the length of one message. */
const garbage = [
  { name: 'one line without an end', actions: [floodOf('x')] },
  { name: 'lines of a log', actions: [floodOf('INFO a line of a log\n')] },
  {
    name: 'one endless header',
    actions: [{ rawBytes: { text: 'Content-Length: 9\r\n' } }, floodOf('X-A: b\r\n')],
  },
  { name: 'a message that claims a gigabyte', actions: [claim(gigabyte << 20), floodOf('x')] },
  { name: 'a message of 64 MiB less a byte', actions: [claim((64 << 20) - 1), floodOf('x')] },
  {
    name: 'the same, begun like an answer',
    actions: [claim((64 << 20) - 1), { rawBytes: { text: '{"id":1,"result":"' } }, floodOf('x')],
    whole: true,
  },
];

/** Measures each kind of garbage on an lspan of its own. */
export async function measureGarbage() {
  if (!tellsFacts) return [];
  const rows = [];
  for (const kind of garbage) rows.push(...(await measureOne(kind)));
  return rows;
}

async function measureOne({ name, actions, whole = false }) {
  const folder = path.join(workFolder, 'garbage');
  await rm(folder, { recursive: true, force: true });
  const lspan = await startLspan(folder, actions);
  const ask = () => lspan.call('find_definition', { file_path: 'b.txt', line: 1, character: 1 });
  // Everything that an answer needs has been loaded before it is measured.
  for (let round = 0; round < 20; round += 1)
    await lspan.call('get_hover', { file_path: 'b.txt', line: 1, character: 1 });
  forgetPeak(lspan.pid);
  const before = { memory: residentMemory(lspan.pid), cpu: cpuTime(lspan.pid) };
  const first = await ask();
  const memory = (peakMemory(lspan.pid) - before.memory) / 1e6;
  const cpu = cpuTime(lspan.pid) - before.cpu;
  const second = await ask();
  await lspan.stop();
  const replaced =
    first.doubts[0]?.kind === 'server_restarted' && second.complete && second.definitions.length === 1;
  return [
    figure(`${name}: server replaced, next call right`, String(replaced), 'true', replaced),
    figure(
      `${name}: more memory at its peak`,
      `${memory.toFixed(1)} MB`,
      `≤ ${most.memory} MB`,
      memory <= most.memory,
      whole,
    ),
    figure(`${name}: CPU, the new start included`, `${cpu} ms`, `≤ ${most.cpu} ms`, cpu <= most.cpu, whole),
  ];
}

/** What a whole message costs has no target here: until its end it may be an answer. */
function figure(what, measured, target, pass, free = false) {
  return free ? { what, measured, target: '' } : { what, measured, target, pass };
}

/** Starts lspan on two small files, with a server that answers the first definition with garbage and the next rightly. */
async function startLspan(folder, actions) {
  const project = path.join(folder, 'project');
  const config = path.join(folder, 'config/lspan');
  await mkdir(project, { recursive: true });
  await mkdir(config, { recursive: true });
  await writeFile(path.join(project, 'a.txt'), 'function alpha\n');
  await writeFile(path.join(project, 'b.txt'), 'alpha is used\n');
  const scripts = ['bad.json', 'good.json'].map((file) => path.join(folder, file));
  await writeFile(
    scripts[0],
    JSON.stringify({ rules: [{ on: { method: 'textDocument/definition' }, do: actions }] }),
  );
  await writeFile(scripts[1], '{}');
  const choose = 'if mkdir "$0" 2> /dev/null; then exec "$1" "$2" "$3"; else exec "$1" "$2" "$4"; fi';
  const command = [
    '/bin/sh',
    '-c',
    choose,
    path.join(folder, 'begun'),
    process.execPath,
    fakeServer,
    ...scripts,
  ];
  const servers = [{ id: 'garbage', command, extensions: ['txt'] }];
  await writeFile(path.join(config, 'config.json'), JSON.stringify({ servers }));
  const own = { ...env, XDG_CONFIG_HOME: path.join(folder, 'config') };
  const lspan = startMcpClient({ bin, args: ['mcp', '--workspace', project], cwd: project, env: own });
  await lspan.initialize();
  return lspan;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await prepareWork();
  const rows = await measureGarbage();
  console.log(sectionText({ title: 'A gigabyte of garbage from a server', rows }));
  if (rows.some(({ pass }) => pass === false)) process.exitCode = 1;
}
