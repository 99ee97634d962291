import { spawnSync } from 'node:child_process';
import { lstatSync } from 'node:fs';
import path from 'node:path';

/** Endings whose files rely on each other. Files of any other ending rely on those of their own. */
const families = ['ts tsx mts cts js jsx mjs cjs json vue svelte', 'c cc cpp cxx h hh hpp hxx', 'py pyi'].map(
  (endings) => endings.split(' ').map((ending) => `.${ending}`),
);

/**
 * What a commit would hold now.
 * `staged`: the files that it changes, of those that the pathspecs name.
 * `differing`: the files of the working tree that are not as the commit will have them, with the text that it will have;
 * one that will not be in it at all has an empty text, so that what relies on it fails.
 * `isNamed`: whether any file of the commit mentions the name of a file, as who imports it does.
 */
export function filesOfCommit(pathspecs) {
  const root = git(['rev-parse', '--show-toplevel']).toString().replace(/\n$/, '');
  const inRoot = (...args) => git(args, { cwd: root });
  const raw = ['--raw', '-z', '--no-abbrev', '--no-renames', '--ignore-submodules'];
  const cached = readRaw(inRoot('diff', '--cached', ...raw, '--', ...pathspecs));
  const unmerged = cached.find(({ status }) => status === 'U');
  if (unmerged) throw new Error(`${unmerged.file} is not merged yet.`);
  // From the index to the working tree: what is behind the change is what will be committed.
  const changed = readRaw(inRoot('diff', ...raw))
    .map(({ file, before }) => ({
      file,
      text: isFile(before) ? inRoot('cat-file', 'blob', before.blob).toString() : '',
    }))
    // As git tells text from the rest.
    .filter(({ text }) => !text.includes('\0'));
  const staged = cached.filter(({ after }) => isFile(after)).map(({ file }) => file);
  const kinds = new Set(staged.flatMap((file) => familyOf(path.extname(file))));
  const untracked = readNames(inRoot('ls-files', '--others', '--exclude-standard', '-z'))
    .filter((file) => kinds.has(path.extname(file)) && lstatSync(path.join(root, file)).isFile())
    .map((file) => ({ file, text: '' }));
  const isMentioned = (word) => word === '' || inRoot('grep', '--cached', '-hFwm1', '-e', word).length > 0;
  const isNamed = (file) => {
    const { base, ext, dir } = path.posix.parse(file);
    if (ext === '.json') return isMentioned(base);
    const [name] = base.split('.');
    return isMentioned(/^(index|mod|__init__)$/.test(name) ? path.posix.basename(dir) : name);
  };
  return { root, staged, differing: [...changed, ...untracked], isNamed };
}

function familyOf(ending) {
  return families.find((family) => family.includes(ending)) ?? [ending];
}

/** What `git diff --raw -z` tells: `:mode mode blob blob status`, then the name. */
function readRaw(output) {
  const parts = readNames(output);
  return parts.flatMap((file, position) => {
    if (position % 2 === 0) return [];
    const [modeBefore, modeAfter, before, , status] = parts[position - 1].slice(1).split(' ');
    return [{ file, status, before: { mode: modeBefore, blob: before }, after: { mode: modeAfter } }];
  });
}

/** Neither a link nor a submodule, nor nothing. */
function isFile({ mode }) {
  return mode.startsWith('100');
}

function readNames(output) {
  return output.toString().split('\0').slice(0, -1);
}

/** What git prints. What it has to say goes to stderr. */
function git(args, options = {}) {
  const streams = { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'buffer', maxBuffer: 2 ** 30 };
  const { error, status, stdout } = spawnSync('git', args, {
    ...streams,
    ...options,
  });
  if (error) throw error;
  // A search that finds nothing ends with 1.
  if (status !== 0 && !(args[0] === 'grep' && status === 1)) throw new Error(`git ${args[0]} has failed.`);
  return stdout;
}
