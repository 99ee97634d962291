import path from 'node:path';
import type { Call } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import { pathMentions } from '../../source-text/path-mentions.ts';
import { occurrences } from '../../source-text/words.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { namesOf } from './file-references.ts';

/** Of which files it is to be found out who depends on them. */
export interface Origins {
  /** Files whose names are looked for. */
  readonly files: readonly string[];
  /** Files that depend on them in any case. */
  readonly known: readonly string[];
  /** Whether a file that names one may depend on it. */
  isMeant(file: string): boolean;
}

/**
 * The files that may depend on others, the nearest first: who names one in a path, who is known to depend on them, who
 * has the name of one anywhere, and who imports any of those. It ends when there are more than are compared.
 */
export async function findDependents(
  context: ToolContext,
  origins: Origins,
  call: Call,
): Promise<readonly string[]> {
  const { files, known } = origins;
  const look = lookAround(context, origins.isMeant, call);
  const [importing, mentioning] = [new Set<string>(), new Set<string>()];
  const names = [...new Set(files.map(moduleName))];
  await look(names, (file, text) => {
    if (pathMentions(file, text, names).length > 0) importing.add(file);
    else if (names.some((name) => occurrences(text, name).length > 0)) mentioning.add(file);
    return isEnough(importing);
  });
  const reached = new Set([...importing, ...known, ...mentioning]);
  const asked = new Set<string>();
  for (const file of inTurn(files, reached)) {
    if (isEnough(reached)) break;
    const own = [...namesOf({ path: file, isFolder: false }), moduleName(file)];
    const more = [...new Set(own)].filter((name) => !asked.has(name));
    for (const name of more) asked.add(name);
    // What one exports may come from another.
    await look(more, (other, text) => {
      if (!reached.has(other) && pathMentions(other, text, more).length > 0) reached.add(other);
      return isEnough(reached);
    });
  }
  return [...reached];
}

function isEnough({ size }: ReadonlySet<string>): boolean {
  return size > limits.change.dependents;
}

/** Looks at the texts of files that may hold one of some names, until it has seen enough. */
function lookAround({ workspace }: ToolContext, isMeant: Origins['isMeant'], call: Call) {
  // The index knows words: names that share them have the same files, which are looked at for each name.
  const texts = new Map<string, string>();
  return async (names: readonly string[], sees: (file: string, text: string) => boolean): Promise<void> => {
    const found = await Promise.all(names.map((name) => workspace.mentioning(name, call)));
    // Of a name without a word, such as `2fa`, the index knows nothing.
    const any = () => [...workspace.files()].filter(isMeant).slice(0, limits.fileReferences.files);
    const files = new Set(found.flatMap((some) => some ?? any()));
    for (const file of files) {
      const known = texts.get(file) ?? (isMeant(file) ? undefined : '');
      const text = known ?? (await documentAt({ workspace }, file))?.text ?? '';
      texts.set(file, text);
      if (sees(file, text)) return;
    }
  };
}

/** Those that come to the second meanwhile are met too. */
function* inTurn(first: readonly string[], second: ReadonlySet<string>): Generator<string> {
  yield* first;
  yield* second;
}

/** `users` of `src/users.ts`, of `src/users/index.ts` and of `users/src/index.ts`. */
function moduleName(file: string): string {
  const stem = path.basename(file).replace(/\..*$/, '');
  const folder = path.dirname(file);
  return general.has(stem) && folder !== file ? moduleName(folder) : stem;
}

const general: ReadonlySet<string> = new Set(['index', '__init__', 'mod', 'lib', 'main', 'src', '']);
