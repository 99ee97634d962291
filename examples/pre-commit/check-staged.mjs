// The errors of the staged files, as they are staged. Exit code 0: there are none. 1: there are. 2: it is not known.
//   node check-staged.mjs [pathspec…]
import path from 'node:path';
import { createBridge, LspanError } from 'lspan';
import { filesOfCommit } from './files-of-commit.mjs';

/** Files that decide how others are read. */
const settings = /(^|\/)[jt]sconfig[^/]*\.json$/;

/** Errors that say that a file has no language server, none that is installed, or is no text or too large for one. */
const uncheckable = new Set(['not_supported', 'not_installed', 'invalid_input', 'limit_exceeded']);

const nothing = 'Nothing is staged that could be checked.';

const pathspecs = process.argv.slice(2);
if (pathspecs.some((word) => word.startsWith('-'))) {
  console.error('Usage: node check-staged.mjs [pathspec…]');
  process.exit(2);
}

let bridge;
try {
  const commit = filesOfCommit(pathspecs);
  if (commit.staged.length === 0) console.log(nothing);
  else {
    bridge = await createBridge({ workspace: commit.root, readOnly: true });
    await check(commit);
  }
} catch (error) {
  console.error(`check-staged: ${error.message}`);
  if (error instanceof LspanError && error.nextStep) console.error(`Next: ${error.nextStep}`);
  process.exitCode = 2;
} finally {
  await bridge?.close();
}

async function check({ staged, differing, isNamed }) {
  // For lspan, the files are what the commit will have in them: also those that are imported by what is staged.
  const notHeld = differing.flatMap(({ file, text }) => reasonNotHeld(file, text) ?? []);
  const results = [];
  for (const file of staged) results.push(await errorsOf(file));
  const unchecked = results.flatMap((result) => result.unchecked ?? []);
  const errors = results.flatMap((result) => result.errors ?? []);
  const unknown = results.flatMap((result) => result.unknown ?? []);
  // A server that is not run at all is a doubt of every file, and told once.
  const doubts = results.flatMap((result) => result.doubts ?? []);
  for (const detail of new Set(doubts.map((doubt) => doubt.detail))) {
    const files = doubts.filter((doubt) => doubt.detail === detail).map(({ file }) => file);
    unknown.push(`${files[0]}${files.length > 1 ? ` and ${files.length - 1} more` : ''}: ${detail}`);
  }
  if (unchecked.length < staged.length) {
    // Language servers take these from the disk, whatever is held. A package.json counts for what is below it.
    const isRead = (file) => {
      if (path.basename(file) === 'package.json')
        return staged.some((other) => other.startsWith(path.dirname(`./${file}`).slice(2)));
      return settings.test(file) || (file.endsWith('.json') && isNamed(file));
    };
    for (const { file } of differing.filter((one) => isRead(one.file)))
      unknown.push(`${file} is not as it is staged, and decides about other files: stage it or stash it.`);
    for (const { file, reason } of notHeld.filter((one) => !isRead(one.file) && isNamed(one.file)))
      unknown.push(`${file} is not as it is staged: stage, stash or ignore it. ${reason}`);
  }

  for (const { file, line, column, message } of errors) console.error(`${file}:${line}:${column} ${message}`);
  for (const reason of unknown) console.error(`Not known: ${reason}`);
  if (errors.length > 0) process.exitCode = 1;
  else if (unknown.length > 0) process.exitCode = 2;
  else if (unchecked.length === staged.length) console.log(nothing);
  else console.log(`No errors in ${staged.length - unchecked.length} of ${staged.length} staged files.`);
  for (const reason of unchecked) console.log(`Not checked: ${reason}`);
}

/** Has lspan take the text for that of the file; else says why not. At most 100 files are held, and none of 4 MiB. */
function reasonNotHeld(file, text) {
  try {
    bridge.hold(file, text);
  } catch (error) {
    if (!(error instanceof LspanError)) throw error;
    return { file, reason: error.message };
  }
}

/** The errors of one file, or why they are not known. Silence of a server that was not asked in full is no "none". */
async function errorsOf(file) {
  try {
    const { diagnostics, doubts } = await bridge.diagnostics(file);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    return { errors, doubts: doubts.map(({ detail }) => ({ file, detail })) };
  } catch (error) {
    if (!(error instanceof LspanError)) throw error;
    // Who names files wants them checked; else one that no language server can read is no reason to stop a commit.
    if (pathspecs.length === 0 && uncheckable.has(error.code))
      return { unchecked: [`${file}: ${error.message}`] };
    return { unknown: [`${file}: ${error.message} ${error.nextStep ?? ''}`.trim()] };
  }
}
