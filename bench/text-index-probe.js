// Opens a workspace, makes its index, and tells what that took, as JSON.
//   node --expose-gc bench/text-index-probe.js BUNDLE FOLDER
import { statSync } from 'node:fs';

const [, , bundle, folder] = process.argv;
const { openWorkspace } = await import(bundle);
const workspace = await openWorkspace({ roots: [folder], log: () => {} });
const call = { signal: new AbortController().signal, deadline: Number.POSITIVE_INFINITY, report: () => {} };
await workspace.refresh(call);
const paths = [...workspace.files()];
globalThis.gc();
const before = process.memoryUsage().rss;
const build = await timed('nothingOfThisName');
globalThis.gc();
const memory = (process.memoryUsage().rss - before) / 1e6;
const names = ['return', 'value', 'name', 'index', ...Array.from({ length: 46 }, (_, at) => `compute${at}`)];
const fresh = await middle(names);
const known = await middle(names);
const bytes = paths.reduce((sum, file) => sum + statSync(file).size, 0);
console.log(JSON.stringify({ count: paths.length, bytes, build, memory, known, fresh }));
await workspace.close();

async function timed(name) {
  const start = performance.now();
  await workspace.mentioning(name, call);
  return performance.now() - start;
}

async function middle(asked) {
  const times = [];
  for (const name of asked) times.push(await timed(name));
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
}
