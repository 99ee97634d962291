// What a young process takes to rename over 59 files, and to tell the problems after an edit, beside a raw client that asks
// its server for the same and writes the files plainly.
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { textsOf } from './edits.js';
import { generateEditsProject, names, shared } from './edits-project.js';
import { summary, timed } from './statistics.js';
import { workFolder } from './work.js';
import { makeWorld, record, startOwn, startRaw } from './young-world.js';

const modules = 58;
const place = { file: shared, line: 1, character: 17 };
const edited = 'packages/part-0/src/module-000.ts';

/** Measures both; each round has processes of its own. */
export async function measureYoungEdits(server, { rounds }) {
  const renames = [];
  const problems = [];
  for (let round = 0; round < rounds; round += 1) {
    const world = await openWorld(server);
    renames.push(await measureRename(world));
    problems.push(...(await measureProblems(world)));
    await Promise.all([world.raw.stop(), world.lspan.stop()]);
  }
  return [...renameRows(server, renames), problemsRow(server, problems)];
}

/** A raw client and lspan, each with a server that has loaded the project. */
async function openWorld(server) {
  const project = await generateEditsProject(modules);
  const own = makeWorld(server, 'typescript', { environment: {}, ...project });
  const raw = await startRaw(own, await record(own), project.files);
  const lspan = await startOwn(own);
  const input = { file_path: shared, symbol_name: names[0] };
  while (!(await lspan.outcome('find_references', input)).complete);
  // Servers that search only open files have to open them; each does what it must, once.
  for (const file of project.files.keys()) if (file.endsWith('.ts')) raw.open(file);
  while ((await raw.ask('textDocument/references', place)).length < 3 * modules + 1);
  return { ...own, ...project, raw, lspan };
}

/** The raw client's rename, plain writing, its server's problems, and what lspan takes for all of it. */
async function measureRename({ raw, lspan, files }) {
  const { time: rename, value: edit } = await timed(() => raw.ask('textDocument/rename', place));
  const texts = textsOf(edit);
  if (texts.size !== modules + 1) throw new Error(`${texts.size} files are renamed.`);
  const copy = path.join(workFolder, 'plain');
  mkdirSync(copy, { recursive: true });
  const originals = [...files].filter(([file]) => file.endsWith('.ts'));
  for (const [file, text] of originals) writeFileSync(path.join(copy, path.basename(file)), text);
  const { time: writing } = await timed(async () => {
    for (const [uri, text] of texts) writePlainly(path.join(copy, path.basename(uri)), text);
  });
  const apply = async (from, to, more) => {
    const input = { symbol_name: from, file_path: shared, new_name: to, dry_run: false, ...more };
    const { time, value } = await timed(() => lspan.call('rename_symbol', input));
    if (value.edit.files.length !== modules + 1) throw new Error('Not all files were renamed.');
    return time;
  };
  const unchecked = await apply(names[0], names[1], { check: false });
  const checked = await apply(names[1], names[0], {});
  const { time: problems } = await timed(() => problemsOf(raw, texts));
  return { rename, writing, problems, unchecked, checked };
}

function writePlainly(file, text) {
  const descriptor = openSync(file, 'w');
  writeSync(descriptor, text);
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** The server has the new texts, and says what is wrong with them, until it has said so of all. */
async function problemsOf(raw, texts) {
  for (const [uri, text] of texts) change(raw, uri, text);
  await Promise.all([...texts.keys()].map((uri) => problemsAt(raw, uri)));
  // The files on the disk have the old name again.
  for (const uri of texts.keys()) change(raw, uri, readFileSync(uri.slice('file://'.length), 'utf8'));
}

let version = 1;

function change(raw, uri, text) {
  version += 1;
  raw.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] });
}

/** A server that cannot be asked has a command for it. */
async function problemsAt(raw, uri) {
  if (raw.pulls) return (await raw.request('textDocument/diagnostic', { textDocument: { uri } })).items;
  const file = uri.slice('file://'.length);
  const params = {
    command: 'typescript.tsserverRequest',
    arguments: ['semanticDiagnosticsSync', { file }],
  };
  return (await raw.request('workspace/executeCommand', params)).body;
}

/** Breaks a file and mends it; both sides are asked until they say so. */
async function measureProblems({ raw, lspan, folder, files }) {
  const file = path.join(folder, edited);
  const whole = files.get(edited);
  const uri = raw.uriOf(edited);
  const times = [];
  for (let round = 0; round < 6; round += 1) {
    const isBroken = round % 2 === 0;
    const text = isBroken ? `${whole}export const broken${round}: number = 'text';\n` : whole;
    const isWanted = (items) => items.length > 0 === isBroken;
    const limit = await timed(async () => {
      change(raw, uri, text);
      while (!isWanted(await problemsAt(raw, uri)));
    });
    writeFileSync(file, text);
    const own = await timed(async () => {
      while (!isWanted((await lspan.call('get_diagnostics', { file_path: edited })).diagnostics));
    });
    times.push({ raw: limit.time, lspan: own.time });
  }
  return times;
}

function renameRows(server, all) {
  const median = (key) => summary(all.map((one) => one[key])).median;
  const [rename, writing, problems] = [median('rename'), median('writing'), median('problems')];
  const limitOf = (one) => one.rename + one.writing;
  const rowOf = (what, key, target, most) => {
    const lspan = summary(all.map((one) => one[key]));
    const limit = summary(all.map(limitOf));
    const row = { what: `${server}: ${what}`, limitIs: 'raw client', limit, lspan, rounds: all.length };
    return { ...row, target, pass: lspan.median <= most };
  };
  const most = rename + 3 * writing;
  return [
    rowOf('rename applied over 59 files, check: false', 'unchecked', '≤ raw + 3 × plain writing', most),
    rowOf('the same with the problems', 'checked', 'the same + 1 × problems of the server', most + problems),
    {
      what: `${server}: what that is for the raw client`,
      measured: `rename ${rename.toFixed(0)} ms, writing and syncing plainly ${writing.toFixed(0)} ms, problems of 59 files ${problems.toFixed(0)} ms`,
      target: 'none',
    },
  ];
}

function problemsRow(server, times) {
  const limit = summary(times.map(({ raw }) => raw));
  const lspan = summary(times.map((one) => one.lspan));
  const row = { what: `${server}: problems after an edit`, limitIs: 'raw client', limit, lspan };
  return {
    ...row,
    rounds: times.length,
    target: '≤ 1 × raw + 100 ms',
    pass: lspan.median <= limit.median + 100,
  };
}
