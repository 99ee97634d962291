import path from 'node:path';
import { isPathWithin } from '../../../src/platform/files/path-within.ts';
import type { ConfineMode } from '../../../src/servers/definition.ts';
import { type Allowance, allowances } from './allowances.ts';
import type { Folders } from './folders.ts';
import type { TracedCall } from './read-trace.ts';

/** Something that must not have happened. */
export interface Crime {
  readonly kind: TracedCall['kind'] | 'mark' | 'bytes';
  readonly text: string;
}

/** Whose trace is judged. */
export interface Judged {
  readonly folders: Folders;
  readonly server: string;
  readonly confine: ConfineMode;
}

/** Returns the calls of a trace that neither lspan nor the server may make. */
export function judgeTrace(calls: readonly TracedCall[], judged: Judged): readonly Crime[] {
  const allowed = allowances.filter(({ servers }) => servers === 'all' || servers.includes(judged.server));
  const crimes = calls.flatMap((call): Crime[] => {
    if (!isCrime[call.kind](call, judged, allowed)) return [];
    const text = `${call.call}(${call.words.slice(0, 300)}) by ${call.program}`;
    return [{ kind: call.kind, text: call.failure === '' ? text : `${text}: ${call.failure}` }];
  });
  const seen = new Set<string>();
  return crimes.filter(({ text }) => !seen.has(text) && seen.add(text));
}

type Rule = (call: TracedCall, judged: Judged, allowed: readonly Allowance[]) => boolean;

const isCrime: Readonly<Record<TracedCall['kind'], Rule>> = {
  run: (call, { folders }, allowed) => {
    const [file = ''] = call.paths;
    if (touchesRepository(file, folders)) return true;
    // A program that is looked for in the folders of PATH is mostly not in the first.
    if (call.failure !== '') return false;
    const isAbout = [folders.root, folders.outside].some((folder) => call.words.includes(folder));
    return !allowed.some(
      ({ runs, words, aboutRepository }) =>
        runs?.test(file) && (words?.test(call.words) ?? true) && (aboutRepository || !isAbout),
    );
  },
  connection: (call, { confine }, allowed) => {
    // In a sandbox there is no network: only the listener of the campaign tells whether somebody got out.
    if (confine !== 'never' && !call.isFirst) return false;
    return !allowed.some(({ connects }) => connects?.test(call.words));
  },
  write: (call, judged, allowed) => {
    if (call.failure !== '' && harmless.has(call.failure)) return false;
    return call.paths.some((file) => !isOwn(file, call, judged) && !isAllowed(file, judged.folders, allowed));
  },
};

/** Errors of calls that try to make what is there, or to change what cannot be changed that way. */
const harmless: ReadonlySet<string> = new Set([
  'EEXIST',
  'EISDIR',
  'ENXIO',
  'EINVAL',
  'ENOSYS',
  'EOPNOTSUPP',
]);

function isOwn(file: string, call: TracedCall, { folders, confine }: Judged): boolean {
  if (/^\/(dev|proc)(\/|$)|^(pipe|socket|anon_inode|\/memfd):/.test(file)) return true;
  const { root, cache, state, temporary } = folders;
  if (
    [temporary, path.join(cache, 'lspan'), path.join(state, 'lspan')].some((own) => isPathWithin(own, file))
  )
    return true;
  // lspan itself changes files when it is asked to.
  if (call.isFirst && isPathWithin(root, file)) return true;
  if (confine === 'never') return false;
  // What a confined process changes outside these folders it changes in a file system of its own, or not at all.
  const isReal = [root, folders.outside, folders.home].some((folder) => isPathWithin(folder, file));
  return !isReal || call.failure !== '' || path.basename(call.program) === 'bwrap';
}

function isAllowed(file: string, { cache, home, state }: Folders, allowed: readonly Allowance[]): boolean {
  const shown = [
    ['<cache>', cache],
    ['<state>', state],
    ['<home>', home],
  ].reduce((text, [name = '', folder = '']) => text.replace(folder, name), file);
  return allowed.some(({ writes }) => writes?.test(shown));
}

function touchesRepository(file: string, { root, outside }: Folders): boolean {
  return isPathWithin(root, file) || isPathWithin(outside, file);
}
