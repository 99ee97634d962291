// Thousands of files change between two questions: what the next answer takes, beside a raw client that is told the
// same list of changes, and whether it is right.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { paramsOf, recordConversation, startLspan, startRaw } from './conversation.js';
import { generateProject, positionOf } from './project.js';
import { summary, timed } from './statistics.js';
import { workFolder } from './work.js';

const most = 2_000;

/** How a storm changes the files of a project; each is undone by the next time it comes. */
const storms = {
  'all files changed': (files, round) =>
    new Map([...files].map(([file, text]) => [file, moved(text, round)])),
  // As when another branch is checked out.
  'a fifth created, a fifth deleted, the rest changed': (files, round) => branch(files, round),
};

/** Measures the first references after each storm, in turn with the raw client. */
export async function measureStorm(language, size, { rounds = 5 } = {}) {
  const project = await generateProject(language, size);
  const probe = project.probes.at(-1);
  const conversation = await recordConversation(language, { ...project, probes: [probe] });
  const raw = await startRaw(language, project, conversation);
  const open = conversation.filter(({ method }) => method === 'textDocument/didOpen');
  const documents = new Map(open.map(({ params }) => [params.textDocument.uri, 1]));
  const lspan = await startLspan(project);
  const sides = [rawSide(raw, documents, project), lspanSide(lspan)];
  const rows = [];
  const ground = sourcesOf(project);
  let present = ground;
  await askBoth(sides, probe, truthOf(present, project), []);
  for (const [name, storm] of Object.entries(storms)) {
    const times = [[], []];
    for (let round = 1; round <= rounds; round += 1) {
      const next = storm(ground, round);
      const changes = write(project.folder, present, next);
      present = next;
      const ordered = round % 2 === 0 ? [0, 1] : [1, 0];
      for (const side of ordered)
        times[side].push(await sides[side](probe, truthOf(present, project), changes));
    }
    rows.push(rowOf(`${size} files: ${name}`, times, rounds));
  }
  await Promise.all([raw.stop(), lspan.stop()]);
  return [...rows, await batchRow(project, size, probe, present, ground)];
}

async function askBoth(sides, ...question) {
  for (const side of sides) await side(...question);
}

function rowOf(what, [raw, own], rounds) {
  const [limit, lspan] = [summary(raw), summary(own)];
  const target = `≤ raw + ${most / 1000} s`;
  return {
    what,
    limitIs: 'raw client',
    limit,
    lspan,
    rounds,
    target,
    pass: lspan.median <= limit.median + most,
  };
}

/** The raw client says what changed, and asks until the answer is right: it cannot know when the server is done. */
function rawSide(raw, documents, { folder }) {
  const inside = (uri) => uri.slice(`file://${folder}/`.length);
  const tellDocument = (uri, version, text) => {
    if (text === undefined) {
      documents.delete(uri);
      return raw.notify('textDocument/didClose', { textDocument: { uri } });
    }
    documents.set(uri, version);
    raw.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] });
  };
  return async (probe, { files, place, places }, changes) => {
    const { time } = await timed(async () => {
      raw.notify('workspace/didChangeWatchedFiles', {
        changes: changes.map(({ file, type }) => ({ uri: `file://${folder}/${file}`, type })),
      });
      for (const [uri, version] of [...documents]) tellDocument(uri, version + 1, files.get(inside(uri)));
      const params = paramsOf({ ...probe, ...place }, folder);
      const ask = async () =>
        ((await raw.request(probe.method, params)) ?? []).map(
          ({ uri, range }) => `${inside(uri)}:${range.start.line + 1}`,
        );
      for (let seen = await ask(); !isSame(seen, places); seen = await ask());
    });
    return time;
  };
}

/** lspan is told nothing, and asked until its answer has no doubt. */
function lspanSide(lspan) {
  return async (probe, { place, places }) => {
    const input = {
      file_path: probe.file,
      line: place.line + 1,
      character: place.character + 1,
      max_tokens: 20_000,
    };
    const { time } = await timed(async () => {
      for (;;) {
        const { references, complete } = await lspan.call(probe.tool, input);
        const seen = references.map(({ file_path, line }) => `${file_path}:${line}`);
        if (complete && isSame(seen, places)) return;
        if (complete) throw new Error(`Silently wrong: ${seen.length} places, ${places.length} expected.`);
      }
    });
    return time;
  };
}

/** One more storm with a trace: how many messages told the server of it. */
async function batchRow(project, size, probe, present, ground) {
  const trace = path.join(workFolder, `${path.basename(project.folder)}.storm.trace`);
  const lspan = await startLspan(project, ['--trace', trace]);
  const side = lspanSide(lspan);
  await side(probe, truthOf(present, project));
  const next = storms['all files changed'](ground, 9);
  const changes = write(project.folder, present, next);
  await side(probe, truthOf(next, project));
  await lspan.stop();
  const told = readFileSync(trace, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"workspace/didChangeWatchedFiles"') && line.includes('"to_server"'))
    .map((line) => JSON.parse(line).message.params.changes.length);
  return {
    what: `${size} files: messages that tell the server of ${changes.length} changes`,
    measured: String(told.length),
    target: '1',
    pass: told.length === 1 && told[0] >= changes.length,
  };
}

/** The modules of a project, without its configuration. */
function sourcesOf({ files }) {
  return new Map([...files].filter(([file]) => !file.endsWith('.json')));
}

/** Where the function is declared after a storm, and every place that names it, as `path:line`. */
function truthOf(files, { names, probes }) {
  const name = new RegExp(`\\b${names.many}\\b`, 'g');
  const places = [...files].flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) => (line.match(name) ?? []).map(() => `${file}:${index + 1}`)),
  );
  return { files, places: places.sort(), place: positionOf(files.get(probes.at(-1).file), names.many) };
}

function isSame(seen, places) {
  return JSON.stringify([...seen].sort()) === JSON.stringify(places);
}

/** The same text some lines further down, so that an old answer shows. */
function moved(text, lines) {
  return `${'\n'.repeat(lines)}${text}`;
}

function branch(files, round) {
  const all = [...files];
  const isShared = (text) => !/compute/.test(text);
  const kept = all.filter(([, text], index) => isShared(text) || index % 5 !== round % 5);
  const created = all
    .filter(([, text], index) => !isShared(text) && index % 5 === (round + 1) % 5)
    .map(([file, text]) => [file.replace(/(\.\w+)$/, `_${round}$1`), text]);
  return new Map([...kept.map(([file, text]) => [file, moved(text, round)]), ...created]);
}

/** Makes the disk what it is to be, as another process would, and lists what changed. */
function write(folder, before, after) {
  const changes = [];
  for (const [file] of before)
    if (!after.has(file)) {
      rmSync(path.join(folder, file));
      changes.push({ file, type: 3 });
    }
  for (const [file, text] of after) {
    if (before.get(file) === text) continue;
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
    changes.push({ file, type: before.has(file) ? 2 : 1 });
  }
  return changes;
}
