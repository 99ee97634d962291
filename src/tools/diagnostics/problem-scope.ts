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

/** Reads which files are meant: each by its path, all in a folder, or all that match a glob; `!` leaves them out. */
export async function readScope(
  context: ToolContext,
  { file_path, file_paths }: Given,
): Promise<ProblemScope> {
  if (file_path !== undefined && file_paths !== undefined) {
    throw new LspanError('invalid_input', 'Give either `file_path` or `file_paths`.');
  }
  const given = file_paths ?? (file_path === undefined ? undefined : [file_path]);
  if (given === undefined) return { named: undefined, isWide: false, includes: () => true, missing: [] };
  const wanted = given.filter((one) => !one.startsWith('!'));
  const unwanted = given.filter((one) => one.startsWith('!')).map((one) => one.slice(1));
  const read = await Promise.all(orAll(wanted).map((one) => readGiven(context, one)));
  const without = await Promise.all(unwanted.map((one) => readGiven(context, one)));
  const isMeant = (file: string) => read.some((one) => isPart(one, file));
  const includes = (file: string) => isMeant(file) && !without.some((one) => isPart(one, file));
  const isWide = read.some((one) => 'includes' in one);
  const files = read.flatMap((one) => ('file' in one ? [one.file] : []));
  const all = isWide ? [...context.workspace.files()] : [];
  const missing = read.flatMap((one) => ('error' in one ? [one] : []));
  const named = [...new Set([...files, ...all])].filter(includes).sort();
  if (named.length === 0 && missing.length === 0) throw nothingLeft(unwanted);
  return { named, isWide, includes, missing };
}

/** What is left out is left out of everything if nothing else is given. */
function orAll(wanted: readonly string[]): readonly string[] {
  return wanted.length === 0 ? ['.'] : wanted;
}

function nothingLeft(unwanted: readonly string[]): LspanError {
  const names = unwanted.map((one) => quotePath(`!${one}`)).join(' and ');
  return new LspanError('not_found', `Without ${names}, no file is left.`, {
    nextStep: 'Leave out fewer files.',
  });
}

type Read = { readonly file: string } | Pick<ProblemScope, 'includes'> | Missing;

function isPart(read: Read, file: string): boolean {
  if ('file' in read) return read.file === file;
  return 'includes' in read && read.includes(file);
}

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
  if (wholeWorkspace.test(given)) return { given, error: omitted(error) };
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
  const deeper = `**/${given}`;
  const globs = given.includes('/') ? undefined : readGlobs(deeper, limits.watch.globs);
  const isDeeper = (file: string) =>
    globs?.some((glob) => matchesGlob(glob, workspace.show(file).split('/')));
  const meant = [...workspace.files()].some(isDeeper) ? ` Did you mean ${quotePath(deeper)}?` : '';
  const error = new LspanError('not_found', `${quotePath(given)} matches no file that is not ignored.`, {
    nextStep: `Paths and globs start from the root of the workspace.${meant}`,
  });
  return { given, error };
}

/** Words for all files, in place of a path. */
const wholeWorkspace = /^(?:all|everything|project|repo|repository|workspace)$/i;

function omitted({ code, message }: LspanError): LspanError {
  return new LspanError(code, message, { nextStep: 'Omit `file_path` for the whole workspace.' });
}
