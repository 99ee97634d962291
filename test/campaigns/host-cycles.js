// Starts `lspan host` 200 times, asks over both channels and ends it, each time in another way: it ends as it says it
// does, and leaves no process, no file and no lock.
//   node test/campaigns/host-cycles.js [cycles, 200 unless given]   (after `npm run build`)
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { quantile } from '../../bench/statistics.js';
import { makeHostProject } from './host-project.js';

const [, , cycles = '200'] = process.argv;
const files = { 'a.txt': 'function alpha\nalpha beta\n', 'b.txt': 'alpha is used\nfunction beta\n' };
const project = await makeHostProject(files);

/** How it ends, and with which code. */
const endings = [
  { name: 'lsp/shutdown', end: ({ rpc }) => rpc.request('lsp/shutdown'), code: 0 },
  { name: 'end of stdin', end: ({ streams }) => streams.stdin.end(), code: 0 },
  { name: 'end of descriptor 3', end: ({ streams }) => streams.input.end(), code: 1 },
  { name: 'SIGTERM', end: ({ child }) => child.kill('SIGTERM'), code: 143 },
];
const faults = [];
const times = { ready: [], end: [] };
for (let cycle = 0; cycle < Number(cycles); cycle += 1) {
  const { name, end, code } = endings[cycle % endings.length];
  const began = performance.now();
  const host = project.start();
  await host.ready();
  times.ready.push(performance.now() - began);
  await host.initialize();
  const [seen, told] = await Promise.all([
    host.call('lsp_hover', { file: 'b.txt', line: 1, character: 1 }),
    host.rpc.request('lsp/checkFile', { filePath: 'a.txt', text: 'ERROR_1\n' }),
  ]);
  if (!seen.content[0].text.includes('alpha') || told.result?.[0]?.code !== 'ERROR_1')
    faults.push(`cycle ${cycle}: ${JSON.stringify([seen, told])}`);
  const from = performance.now();
  Promise.resolve(end(host)).catch(() => {});
  const ended = await host.exited;
  times.end.push(performance.now() - from);
  if (ended.code !== code)
    faults.push(`cycle ${cycle}, ${name}: ended with ${JSON.stringify(ended)}: ${host.said()}`);
  const servers = serversOf();
  if (servers.length > 0) faults.push(`cycle ${cycle}, ${name}: processes ${servers.join(', ')} outlived it`);
  const left = [project.temporary, project.root].flatMap((folder) => readdirSync(folder)).sort();
  if (String(left) !== 'a.txt,b.txt') faults.push(`cycle ${cycle}, ${name}: ${left.join(', ')}`);
}
project.remove();
const shown = (values) =>
  `median ${quantile(values, 0.5).toFixed(0)} ms, 99 % ${quantile(values, 0.99).toFixed(0)} ms`;
for (const [name, values] of Object.entries(times)) console.log(`${name}: ${shown(values)}`);
for (const fault of faults.slice(0, 20)) console.log(fault);
console.log(faults.length === 0 ? 'Nothing stays.' : `${faults.length} faults.`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** The servers of the project that run. */
function serversOf() {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(path.dirname(project.root));
    } catch {
      return false;
    }
  });
}
