// Renames a symbol with all its uses: shows what would change, and does it only with --apply.
//   node rename.mjs <workspace> <symbol> <new name> [--apply]
//   node rename.mjs <workspace> --undo [edit id]
import { parseArgs } from 'node:util';
import { createBridge, LspanError } from 'lspan';

const usage = `Usage: node rename.mjs <workspace> <symbol> <new name> [--apply]
       node rename.mjs <workspace> --undo [edit id]`;

const { values, words } = readArguments();
const [workspace, ...rest] = words;
if (workspace === undefined || (values.undo ? rest.length > 1 : rest.length !== 2)) {
  console.error(usage);
  process.exit(2);
}

let bridge;
try {
  bridge = await createBridge({ workspace });
  if (values.undo) await undo(...rest);
  else await rename(...rest);
} catch (error) {
  // Whatever lspan refuses is one class of error, with what to do about it.
  if (!(error instanceof LspanError)) throw error;
  console.error(`rename: ${error.message}`);
  for (const { id, text } of error.candidates ?? []) if (id) console.error(`  ${id}  ${text}`);
  if (error.nextStep) console.error(`Next: ${error.nextStep}`);
  process.exitCode = 1;
} finally {
  await bridge?.close();
}

async function rename(symbol, newName) {
  // A name is enough where one symbol has it; else the error lists them, each with an id that is taken here as well.
  const target = /:\d+:\d+#/.test(symbol) ? { id: symbol } : { symbol_name: symbol };
  const { data, doubts } = await bridge.call('rename_symbol', { ...target, new_name: newName });
  const { plan } = data;
  if (!plan) return console.log('Nothing to change.');
  console.log(`${plan.title}: ${plan.files.length} files\n\n${plan.diff}`);
  tellProblems('would introduce', plan.introduced);
  for (const { detail } of doubts) console.log(`May be incomplete: ${detail}`);
  if (!values.apply) return console.log('Nothing is changed yet: add --apply to do it.');

  // Exactly what was shown, all of it or nothing. It is refused where a file has changed since.
  const { edit } = (await bridge.call('apply_workspace_edit', { plan_id: plan.plan_id })).data;
  console.log(`Done, as edit ${edit.edit_id}. To take it back: --undo ${edit.edit_id}`);
}

async function undo(editId) {
  const { data } = await bridge.call('undo_edit', editId === undefined ? {} : { edit_id: editId });
  console.log(`Done: ${data.edit.title}`);
  for (const { file_path: file } of data.edit.files) console.log(`  ${file}`);
}

function tellProblems(what, problems = []) {
  if (problems.length === 0) return;
  console.log(`It ${what} ${problems.length} problems:`);
  for (const { file_path: file, line, character, message } of problems)
    console.log(`  ${file}:${line}:${character} ${message}`);
}

function readArguments() {
  const options = { apply: { type: 'boolean' }, undo: { type: 'boolean' } };
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    return { values, words: positionals };
  } catch (error) {
    console.error(`rename: ${error.message}\n${usage}`);
    process.exit(2);
  }
}
