import path from 'node:path';
import type { Call } from '../core/call.ts';
import { limits } from '../core/limits.ts';
import type { Plan, PlannedFile } from '../edits/plan.ts';
import { rebase } from '../workspace/moved-workspace.ts';
import type { World } from './tool.ts';

/** The files whose problems are compared, by their names before and after a change. */
export interface Scope {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The new names of files, by the old ones. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Files that are touched and too many to be compared. */
  readonly skipped: readonly string[];
  /** Whether servers can see all of it while it is not on the disk. */
  readonly isSeen: boolean;
}

/** What a plan touches, and the files that depend on it. */
export async function scopeOf(
  world: World,
  { files, operations }: Plan,
  given: readonly string[] | undefined,
  call: Call,
): Promise<Scope> {
  const named = files.filter(({ before, after }) => before !== undefined || after !== undefined);
  const told = [...named, ...movedAlong(world, files)];
  const compared = told.slice(0, limits.change.compared);
  const touched = new Set([...files, ...told].flatMap(({ path, newPath }) => [path, newPath ?? path]));
  const kinds = new Set(told.map((file) => path.extname(file.path)));
  const dependents = (given ?? (await mentioning(world, files, kinds, call))).filter(
    (file) => !touched.has(file),
  );
  return {
    before: [...compared.flatMap((file) => (isThere(file.before) ? [file.path] : [])), ...dependents],
    after: [...compared.flatMap((file) => (isThere(file.after) ? [nameAfter(file)] : [])), ...dependents],
    renamed: new Map(compared.flatMap((file) => (file.newPath ? [[file.path, file.newPath]] : []))),
    skipped: told.slice(limits.change.compared).map(nameAfter),
    isSeen: !operations.some(({ kind }) => kind === 'move' || kind === 'remove' || kind === 'remove_folder'),
  };
}

/** The files that move with a folder and keep their text. */
function movedAlong({ workspace }: World, files: readonly PlannedFile[]): PlannedFile[] {
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

function isThere(text: string | undefined): boolean {
  return text !== undefined;
}

function nameAfter({ path, newPath }: PlannedFile): string {
  return newPath ?? path;
}

/** Whoever imports a module mentions its name; where many files change, those that use them are among them. */
async function mentioning(
  { workspace }: World,
  files: readonly PlannedFile[],
  /** The endings of the files that may depend on them. */
  kinds: ReadonlySet<string>,
  call: Call,
): Promise<readonly string[]> {
  const { dependents, dependentsOf } = limits.change;
  if (files.length > dependentsOf) return [];
  const names = new Set(files.map(moduleName));
  const found = await Promise.all([...names].map((name) => workspace.mentioning(name, call)));
  return [...new Set(found.flatMap((some) => some ?? []))]
    .filter((file) => kinds.has(path.extname(file)))
    .slice(0, dependents);
}

/** `users` of `src/users.ts` and of `src/users/index.ts`. */
function moduleName({ path: file }: PlannedFile): string {
  const stem = path.basename(file).replace(/\..*$/, '');
  return general.has(stem) ? path.basename(path.dirname(file)) : stem;
}

const general: ReadonlySet<string> = new Set(['index', '__init__', 'mod', 'lib', 'main', '']);
