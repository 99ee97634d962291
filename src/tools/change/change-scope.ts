import path from 'node:path';
import type { Call } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import type { Plan, PlannedFile } from '../../edits/plan.ts';
import {
  areOfOneFamily,
  changesConfiguration,
  mayDependOn,
  oneOfEachKind,
} from '../../source-text/language-families.ts';
import { sharesPackage } from '../../source-text/packages/same-package.ts';
import { rebase } from '../../workspace/derived-workspace.ts';
import { findDependents } from '../paths/find-dependents.ts';
import type { ToolContext } from '../run/tool.ts';
import { type RenamedWord, renamedWord } from './renamed-word.ts';

/** The files whose problems are compared, by their names before and after a change. */
export interface ChangeScope {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Those that are not touched themselves. */
  readonly dependents: ReadonlySet<string>;
  /** The new names of files, by the old ones. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Touched files beyond the number that is compared. */
  readonly skipped: readonly string[];
  /** True if more files may depend on the change than are compared. */
  readonly isCapped: boolean;
  /** True if a configuration changes: which files depend on it is not known. */
  readonly isConfigured: boolean;
  /** True if a file depends on data that its server reads from the disk only. */
  readonly isOfData: boolean;
  /** Problems that name it before and its new name afterwards are the same. */
  readonly word: RenamedWord | undefined;
  /** True if servers can see all of it while it is not on the disk. */
  readonly isSeen: boolean;
}

/** Returns the files that a plan touches, and those that depend on them. */
export async function scopeOf(
  context: ToolContext,
  { files, operations }: Pick<Plan, 'files' | 'operations'>,
  given: readonly string[] | 'none' | undefined,
  call: Call,
): Promise<ChangeScope> {
  const named = files.filter(({ before, after }) => before !== undefined || after !== undefined);
  const all = [...named, ...movedAlong(context, files)];
  const compared = all.slice(0, limits.change.compared);
  const dependents = given === 'none' ? [] : await reachedBy(context, files, { all, given }, call);
  const nearest = dependents.slice(0, limits.change.dependents);
  return {
    before: [...compared.flatMap((file) => (file.before === undefined ? [] : [file.path])), ...nearest],
    after: [...compared.flatMap((file) => (file.after === undefined ? [] : [nameAfter(file)])), ...nearest],
    dependents: new Set(nearest),
    renamed: new Map(compared.flatMap((file) => (file.newPath ? [[file.path, file.newPath]] : []))),
    skipped: all.slice(limits.change.compared).map(nameAfter),
    isCapped: dependents.length > nearest.length,
    isConfigured: all.some((file) => changesConfiguration(file.path, file.before, file.after)),
    isOfData: nearest.some((file) => !all.some((one) => areOfOneFamily(file, one.path))),
    word: renamedWord(files),
    isSeen: !operations.some(({ kind }) => kind === 'move' || kind === 'remove' || kind === 'remove_folder'),
  };
}

/** Returns the other files that depend on what changes, the nearest first. */
function reachedBy(
  context: ToolContext,
  files: Plan['files'],
  {
    all,
    given = [],
  }: { readonly all: readonly PlannedFile[]; readonly given?: readonly string[] | undefined },
  call: Call,
): Promise<readonly string[]> {
  const touched = new Set([...files, ...all].flatMap(({ path, newPath }) => [path, newPath ?? path]));
  const isOther = (file: string) => !touched.has(file);
  const changed = oneOfEachKind(all.map((file) => file.path));
  const query = {
    // If many files change, the files that use them are among them.
    files: files.length <= limits.change.dependentsOf ? files.map((file) => file.path) : [],
    using: given.filter(isOther),
    beside: samePackage(context, all).filter(isOther),
    isMeant: (file: string) => isOther(file) && changed.some((one) => mayDependOn(file, one)),
  };
  return findDependents(context, query, call);
}

/** Returns the files that move with a folder and keep their text. */
function movedAlong({ workspace }: ToolContext, files: readonly PlannedFile[]): PlannedFile[] {
  const folders = files.filter(
    ({ change, before, newPath }) => change === 'rename' && newPath && before === undefined,
  );
  if (folders.length === 0) return [];
  const named = new Set(files.map(({ path: file }) => file));
  const all = [...workspace.files()].filter((file) => !named.has(file));
  return folders.flatMap(({ path: from, newPath = from }) =>
    all.flatMap((file): PlannedFile[] => {
      const to = rebase(file, from, newPath);
      return to ? [{ path: file, newPath: to, change: 'rename', edits: 0, before: '', after: '' }] : [];
    }),
  );
}

function nameAfter({ path, newPath }: PlannedFile): string {
  return newPath ?? path;
}

/** Returns the other files of the folders whose files use each other without naming each other. */
function samePackage({ workspace }: ToolContext, files: readonly PlannedFile[]): string[] {
  const folders = new Set(
    files.filter((file) => sharesPackage(file.path)).map((file) => path.dirname(file.path)),
  );
  if (folders.size === 0) return [];
  return [...workspace.files()].filter((file) => sharesPackage(file) && folders.has(path.dirname(file)));
}
