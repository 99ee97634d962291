// What a rename over a hundred files costs: its preview, its preview with problems, and writing it; each beside somebody
// who does only that, plainly.
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { recordConversation, startLspan, startRaw } from './conversation.js';
import { generateEditsProject, names, shared } from './edits-project.js';
import { rowOf, takeTurns } from './turns.js';

const position = { line: 1, character: 17 };

/** Measures the three in turn with their limits. */
export async function measureEdits({ rounds = 15, warmUp = 5 } = {}) {
  const { folder, files } = await generateEditsProject();
  const probe = {
    tool: 'find_references',
    input: { file_path: shared, line: position.line + 1, character: position.character + 1 },
  };
  const project = { folder, files, probes: [probe] };
  const raw = await startRaw('typescript', project, await recordConversation('typescript', project));
  const lspan = await startLspan(project);
  const target = { symbol_name: names[0], file_path: shared, new_name: names[1] };
  const preview = async (more) => {
    const { plan } = await lspan.call('rename_symbol', { ...target, ...more });
    return plan.files.length;
  };
  const pairs = [
    {
      name: 'preview of a rename in 101 files, check: false',
      count: 101,
      target: { factor: 1.2, plus: 20 },
      sides: [
        { times: [], ask: async () => textsOf(await rename(raw, folder)).size },
        { times: [], ask: () => preview({ check: false }) },
      ],
    },
    {
      name: 'the same with the problems introduced and fixed',
      count: 101,
      target: { factor: 1.2, plus: 0 },
      sides: [
        { times: [], ask: () => renameAndPull(raw, folder) },
        { times: [], ask: () => preview({}) },
      ],
    },
  ];
  await takeTurns(pairs, { rounds, warmUp });
  const writing = writingPair(lspan, folder);
  await takeTurns([writing], { rounds, warmUp });
  await Promise.all([raw.stop(), lspan.stop()]);
  return [
    ...pairs.map((pair) => rowOf(pair.name, pair)),
    rowOf(writing.name, writing, 'writing and syncing the same files'),
  ];
}

/** The plan is made beforehand: what is measured is carrying it out, and taking the other way the next time. */
function writingPair(lspan, folder) {
  let [from, to] = names;
  const own = { times: [], ask: undefined };
  const plain = { times: [], ask: undefined };
  const planned = async () => {
    const input = { symbol_name: from, file_path: shared, new_name: to, check: false };
    return (await lspan.call('rename_symbol', input)).plan;
  };
  let plan;
  own.ask = async () => {
    const { edit } = await lspan.call('apply_workspace_edit', { plan_id: plan.plan_id, check: false });
    [from, to] = [to, from];
    plan = undefined;
    return edit.files.length;
  };
  own.prepare = async () => {
    plan ??= await planned();
  };
  plain.ask = async () => {
    for (const { file_path } of plain.files) rewrite(path.join(folder, file_path));
    return plain.files.length;
  };
  plain.prepare = async () => {
    plan ??= await planned();
    plain.files = plan.files;
  };
  const target = { factor: 2, plus: 0, raw: 'plain' };
  return { name: 'writing that rename', count: 101, target, sides: [plain, own] };
}

function rewrite(file) {
  const bytes = readFileSync(file);
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, bytes);
  fsyncSync(descriptor);
  closeSync(descriptor);
}

function rename(raw, folder) {
  const textDocument = { uri: `file://${folder}/${shared}` };
  return raw.request('textDocument/rename', { textDocument, position, newName: names[1] });
}

/** What a rename makes of each file; the server counts in bytes, and all is ASCII. */
export function textsOf({ changes, documentChanges = [] }) {
  const listed = changes
    ? Object.entries(changes)
    : documentChanges.map(({ textDocument, edits }) => [textDocument.uri, edits]);
  return new Map(listed.map(([uri, edits]) => [uri, edited(uri, edits)]));
}

function edited(uri, edits) {
  const lines = readFileSync(uri.slice('file://'.length), 'utf8').split('\n');
  const last = [...edits].sort(
    (a, b) => b.range.start.line - a.range.start.line || b.range.start.character - a.range.start.character,
  );
  for (const { range, newText } of last) {
    const line = lines[range.start.line];
    lines[range.start.line] =
      line.slice(0, range.start.character) + newText + line.slice(range.end.character);
  }
  return lines.join('\n');
}

/** Pulls before, changes all, pulls again, and changes all back. */
async function renameAndPull(raw, folder) {
  const texts = textsOf(await rename(raw, folder));
  const uris = [...texts.keys()];
  const before = new Map(uris.map((uri) => [uri, readFileSync(uri.slice('file://'.length), 'utf8')]));
  await pullAll(raw, uris);
  for (const [uri, text] of texts)
    raw.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'typescript', version: 1, text } });
  await pullAll(raw, uris);
  for (const uri of before.keys()) raw.notify('textDocument/didClose', { textDocument: { uri } });
  return uris.length;
}

function pullAll(raw, uris) {
  return Promise.all(uris.map((uri) => raw.request('textDocument/diagnostic', { textDocument: { uri } })));
}
