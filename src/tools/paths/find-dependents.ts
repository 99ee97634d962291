import path from 'node:path';
import type { Call } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import { pathMentions } from '../../source-text/paths/path-mentions.ts';
import { occurrences } from '../../source-text/words.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { namesOf } from './file-references.ts';

/** The files whose dependents are looked for. */
interface DependentsQuery {
  /** Files whose names are searched. */
  readonly files: readonly string[];
  /** Files that are known to use what is in them. */
  readonly using: readonly string[];
  /** Files that see them without naming them. */
  readonly beside: readonly string[];
  /** Returns whether a file that names one may depend on it. */
  isMeant(file: string): boolean;
}

/**
 * Returns the files that may depend on others, the nearest first: known users, those that name one in a path, those
 * beside them, those that contain the name anywhere, and those that import any of these. Stops when there are more than are
 * compared.
 */
export async function findDependents(
  context: ToolContext,
  query: DependentsQuery,
  call: Call,
): Promise<readonly string[]> {
  const { files, using, beside } = query;
  const visit = textVisitor(context, query.isMeant, call);
  const [importing, mentioning] = [new Set<string>(), new Set<string>()];
  const names = [...new Set(files.map(moduleName))];
  await visit(names, (file, text) => {
    if (pathMentions(file, text, names).length > 0) importing.add(file);
    else if (names.some((name) => occurrences(text, name).length > 0)) mentioning.add(file);
    return isEnough(importing);
  });
  const reached = new Set([...using, ...importing, ...beside, ...mentioning]);
  const asked = new Set<string>();
  for (const file of chain(files, reached)) {
    if (isEnough(reached)) break;
    const own = [...namesOf({ path: file, isFolder: false }), moduleName(file)];
    const more = [...new Set(own)].filter((name) => !asked.has(name));
    for (const name of more) asked.add(name);
    // A file may re-export what it imports.
    await visit(more, (other, text) => {
      if (!reached.has(other) && pathMentions(other, text, more).length > 0) reached.add(other);
      return isEnough(reached);
    });
  }
  return [...reached];
}

function isEnough({ size }: ReadonlySet<string>): boolean {
  return size > limits.change.dependents;
}

/** Returns a function that visits the texts of files with one of some names, until the visitor returns true. */
function textVisitor({ workspace }: ToolContext, isMeant: DependentsQuery['isMeant'], call: Call) {
  // The index finds files by words, so names that share a word have the same files: each is read once.
  const texts = new Map<string, string>();
  return async (
    names: readonly string[],
    visitor: (file: string, text: string) => boolean,
  ): Promise<void> => {
    const found = await Promise.all(names.map((name) => workspace.mentioning(name, call)));
    // The index has no entry for a name without a word, such as `2fa`.
    const any = () => [...workspace.files()].filter(isMeant).slice(0, limits.fileReferences.files);
    const files = new Set(found.flatMap((some) => some ?? any()));
    for (const file of files) {
      const known = texts.get(file) ?? (isMeant(file) ? undefined : '');
      const text = known ?? (await documentAt({ workspace }, file))?.text ?? '';
      texts.set(file, text);
      if (visitor(file, text)) return;
    }
  };
}

/** Yields the first list, then the second, including what is added to it meanwhile. */
function* chain(first: readonly string[], second: ReadonlySet<string>): Generator<string> {
  yield* first;
  yield* second;
}

/** Returns `users` for `src/users.ts`, `src/users/index.ts` and `users/src/index.ts`. */
function moduleName(file: string): string {
  const stem = path.basename(file).replace(/\..*$/, '');
  const folder = path.dirname(file);
  return genericNames.has(stem) && folder !== file ? moduleName(folder) : stem;
}

const genericNames: ReadonlySet<string> = new Set(['index', '__init__', 'mod', 'lib', 'main', 'src', '']);
