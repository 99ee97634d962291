// The problems of all files of a project, beside the compiler: from nothing, then again, and after an edit.
//   node bench/run.js problems
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { startLspan } from './conversation.js';
import { generateProject } from './project.js';
import { startRawClient } from './raw-client.js';
import { summary, timed } from './statistics.js';
import { typescriptModule } from './typescript-project.js';
import { env, serverCommands } from './work.js';

const size = 2_000;
const [compiler] = serverCommands.typescript;

/** Measures in turn with `tsc --noEmit`, each time from nothing; every module uses the one before it. */
export async function measureProblems({ rounds = 5 } = {}) {
  const project = await generateProject('typescript', size);
  const times = { compiler: [], raw: [], cold: [], again: [], edit: [], hub: [] };
  for (let round = 0; round < rounds; round += 1) {
    const runs = [
      async () => times.compiler.push((await timed(() => compile(project.folder))).time),
      async () => times.raw.push((await timed(() => askRaw(project.folder))).time),
      () => measureSession(project.folder, times),
    ];
    for (const run of round % 2 === 0 ? runs : runs.toReversed()) await run();
  }
  const median = (list) => summary(list).median;
  const own = median(times.compiler);
  const ratio = median(times.cold) / own;
  const raw = median(times.raw);
  const quick = (what, list, most) => ({
    what,
    measured: `${median(list).toFixed(0)} ms`,
    target: most === undefined ? '–' : `≤ ${most} ms`,
    pass: most === undefined || median(list) <= most,
  });
  return [
    {
      what: `${size} modules: all problems from nothing, beside tsc --noEmit`,
      measured: `${median(times.cold).toFixed(0)} ms, tsc ${own.toFixed(0)} ms: ${ratio.toFixed(2)} ×`,
      target: '≤ 1.3 ×',
      pass: ratio <= 1.3,
    },
    {
      what: `${size} modules: the same by a bare client of the same server, beside tsc --noEmit`,
      measured: `${raw.toFixed(0)} ms: ${(raw / own).toFixed(2)} ×`,
      target: '–',
      pass: true,
    },
    quick(`${size} modules: again, nothing changed`, times.again, 300),
    quick(`${size} modules: again after an edit on which 10 modules depend`, times.edit, 300),
    quick(`${size} modules: again after an edit on which all modules depend`, times.hub),
  ];
}

async function measureSession(folder, times) {
  let lspan;
  const cold = await timed(async () => {
    lspan = await startLspan({ folder });
    return check(lspan, 0);
  });
  times.cold.push(cold.time);
  times.again.push((await timed(() => check(lspan, 0))).time);
  times.edit.push(await afterEdit(lspan, folder, size - 11));
  times.hub.push(await afterEdit(lspan, folder, 0));
  await lspan.stop();
}

/** The time to the problem of a module that was edited just before. */
async function afterEdit(lspan, folder, index) {
  const file = path.join(folder, typescriptModule(index));
  const text = await readFile(file, 'utf8');
  await writeFile(file, `${text}export const broken: string = ${index};\n`);
  const { time } = await timed(() => check(lspan, 1));
  await writeFile(file, text);
  await check(lspan, 0);
  return time;
}

/** Fails if the answer is not whole and right: its time would say nothing. */
async function check(lspan, problems) {
  const { complete, total, checked } = await lspan.call('get_diagnostics', { min_severity: 'error' });
  if (!complete || total !== problems || checked < size)
    throw new Error(`${checked} files checked, ${total} problems, ${complete ? 'complete' : 'not complete'}`);
}

/** Asks the server about every module, 64 at a time, and about nothing else: no bridge can be faster. */
async function askRaw(folder) {
  const uri = (index) => pathToFileURL(path.join(folder, typescriptModule(index))).href;
  const raw = startRawClient({ command: serverCommands.typescript, cwd: folder, env });
  const rootUri = pathToFileURL(folder).href;
  const capabilities = { textDocument: { diagnostic: {} } };
  await raw.request('initialize', { processId: process.pid, rootUri, capabilities });
  raw.notify('initialized', {});
  const text = await readFile(path.join(folder, typescriptModule(0)), 'utf8');
  const textDocument = { uri: uri(0), languageId: 'typescript', version: 1, text };
  raw.notify('textDocument/didOpen', { textDocument });
  let next = 0;
  const ask = async () => {
    for (let index = next++; index < size; index = next++) {
      const { items } = await raw.request('textDocument/diagnostic', { textDocument: { uri: uri(index) } });
      if (items.some(({ severity }) => severity === 1)) throw new Error(`${uri(index)} has errors.`);
    }
  };
  await Promise.all(Array.from({ length: 64 }, ask));
  await raw.stop();
}

function compile(folder) {
  return promisify(execFile)(compiler, ['--noEmit', '-p', folder]);
}
