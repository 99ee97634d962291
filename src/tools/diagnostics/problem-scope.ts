import path from 'node:path';
import { asLspanError, LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { matchesGlob, readGlobs } from '../../core/runtime/glob.ts';
import { quotePath } from '../../core/wording/quote-path.ts';
import type { ToolContext } from '../run/tool.ts';

/** The files whose problems are asked for. */
export interface ProblemScope {
  /** In alphabetical order; `undefined` for the workspace. */
  readonly named: readonly string[] | undefined;
  /** True if a folder or a glob is among what was given: then many files are meant. */
  readonly isWide: boolean;
  /** Returns whether a path is meant, even if there is no such file. */
  readonly includes: (path: string) => boolean;
  readonly missing: readonly Missing[];
}

/** A named file that does not exist, which does not hide the problems of others. */
export interface Missing {
  readonly given: string;
  readonly error: LspanError;
}

interface Given {
  readonly file_path?: string | undefined;
  readonly file_paths?: readonly string[] | undefined;
}

/** Reads which files are meant: each by its path, all in a folder, or all that match a glob. */
export async function readScope(
  context: ToolContext,
  { file_path, file_paths }: Given,
): Promise<ProblemScope> {
  if (file_path !== undefined && file_paths !== undefined) {
    throw new LspanError('invalid_input', 'Give either `file_path` or `file_paths`.');
  }
  const given = file_paths ?? (file_path === undefined ? undefined : [file_path]);
  if (given === undefined) return { named: undefined, isWide: false, includes: () => true, missing: [] };
  const read = await Promise.all(given.map((one) => readGiven(context, one)));
  const files = new Set(read.flatMap((one) => ('file' in one ? [one.file] : [])));
  const wide = read.flatMap((one) => ('includes' in one ? [one.includes] : []));
  const includes = (file: string) => files.has(file) || wide.some((matches) => matches(file));
  const isWide = wide.length > 0;
  const all = isWide ? [...context.workspace.files()].filter(includes) : [];
  const missing = read.flatMap((one) => ('error' in one ? [one] : []));
  return { named: [...new Set([...files, ...all])].sort(), isWide, includes, missing };
}

type Read = { readonly file: string } | Pick<ProblemScope, 'includes'> | Missing;

async function readGiven(context: ToolContext, given: string): Promise<Read> {
  const read = await context.workspace.resolve(given).then(
    (file) => ({ file }),
    (thrown: unknown) => ({ given, error: asLspanError(thrown) }),
  );
  if ('file' in read) return read;
  const { error } = read;
  if (error.code !== 'not_found' && error.code !== 'invalid_input') throw error;
  const { kind, path: folder } = context.workspace.entry(given);
  if (kind === 'folder') return within(context, given, (file) => file.startsWith(`${folder}${path.sep}`));
  if (error.code !== 'not_found') throw error;
  if (!/[*?{[]/.test(given)) return read;
  const globs = readGlobs(path.posix.normalize(given), limits.watch.globs);
  if (globs === undefined)
    throw new LspanError('invalid_input', `${quotePath(given)} is not a glob.`, {
      nextStep: 'Pass one such as src/**/*.ts.',
    });
  const matches = (shown: string) => globs.some((glob) => matchesGlob(glob, shown.split('/')));
  return within(context, given, (file) => matches(context.workspace.show(file)) || matches(file));
}

/** Returns the files that are meant, of which there must be one. */
function within({ workspace }: ToolContext, given: string, includes: ProblemScope['includes']): Read {
  for (const file of workspace.files()) if (includes(file)) return { includes };
  const error = new LspanError('not_found', `${quotePath(given)} matches no file that is not ignored.`, {
    nextStep: 'Paths and globs start from the root of the workspace.',
  });
  return { given, error };
}
