import path from 'node:path';
import type { Call } from '../core/call.ts';
import { limits } from '../core/limits.ts';
import { pathMentions } from '../core/path-mentions.ts';
import { sharesPackage } from '../core/shares-package.ts';
import type { Plan, PlannedFile } from '../edits/plan.ts';
import { rebase } from '../workspace/moved-workspace.ts';
import { documentAt } from './document-at.ts';
import { namesOf } from './file-references.ts';
import type { World } from './tool.ts';

/** The files whose problems are compared, by their names before and after a change. */
export interface Scope {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Those that are not touched themselves. */
  readonly dependents: ReadonlySet<string>;
  /** The new names of files, by the old ones. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Files that are touched and too many to be compared. */
  readonly skipped: readonly string[];
  /** Whether there are more files that may depend on it than are compared. */
  readonly isCapped: boolean;
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
  const isOther = (file: string) => !touched.has(file);
  const direct = given ?? (await mentioning(world, files, kinds, call));
  const first = [...new Set([...direct, ...besides(world, told)])].filter(isOther);
  const asked = given || files.length > limits.change.dependentsOf ? [] : files.map((file) => file.path);
  const reached = (await withImporters(world, [...asked, ...first], kinds, call)).filter(isOther);
  const dependents = reached.slice(0, limits.change.dependents);
  return {
    before: [...compared.flatMap((file) => (isThere(file.before) ? [file.path] : [])), ...dependents],
    after: [...compared.flatMap((file) => (isThere(file.after) ? [nameAfter(file)] : [])), ...dependents],
    dependents: new Set(dependents),
    renamed: new Map(compared.flatMap((file) => (file.newPath ? [[file.path, file.newPath]] : []))),
    skipped: told.slice(limits.change.compared).map(nameAfter),
    isCapped: reached.length > dependents.length,
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
  if (files.length > limits.change.dependentsOf) return [];
  const names = new Set(files.map((file) => moduleName(file.path)));
  const found = await Promise.all([...names].map((name) => workspace.mentioning(name, call)));
  return [...new Set(found.flatMap((some) => some ?? []))].filter((file) => kinds.has(path.extname(file)));
}

/** The files of the same folder, where they use each other without naming each other. */
function besides({ workspace }: World, files: readonly PlannedFile[]): string[] {
  const folders = new Set(
    files.filter((file) => sharesPackage(file.path)).map((file) => path.dirname(file.path)),
  );
  if (folders.size === 0) return [];
  return [...workspace.files()].filter((file) => sharesPackage(file) && folders.has(path.dirname(file)));
}

/** Some files, and those that import one of them, and so on: what one exports may come from another. */
async function withImporters(
  { workspace }: World,
  some: readonly string[],
  kinds: ReadonlySet<string>,
  call: Call,
): Promise<readonly string[]> {
  const reached = new Set(some);
  const enough = some.length + limits.change.dependents;
  const asked = new Set<string>();
  // Files that come meanwhile are met too.
  for (const file of reached) {
    const goal = { path: file, isFolder: false };
    const names = [...new Set([...namesOf(goal), moduleName(file)])].filter((name) => !asked.has(name));
    const found = await Promise.all(names.map((name) => workspace.mentioning(name, call)));
    for (const name of names) asked.add(name);
    for (const other of new Set(found.flatMap((files) => files ?? []))) {
      if (reached.size > enough) return [...reached];
      if (reached.has(other) || !kinds.has(path.extname(other))) continue;
      const document = await documentAt({ workspace }, other);
      if (document && pathMentions(other, document.text, names).length > 0) reached.add(other);
    }
  }
  return [...reached];
}

/** `users` of `src/users.ts`, of `src/users/index.ts` and of `users/src/index.ts`. */
function moduleName(file: string): string {
  const stem = path.basename(file).replace(/\..*$/, '');
  const folder = path.dirname(file);
  return general.has(stem) && folder !== file ? moduleName(folder) : stem;
}

const general: ReadonlySet<string> = new Set(['index', '__init__', 'mod', 'lib', 'main', 'src', '']);
