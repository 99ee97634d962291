import type { Call } from '../../core/call.ts';
import type { Span } from '../../core/question.ts';
import { isPython } from '../../source-text/imports.ts';
import { namePathsIn } from '../../source-text/names/name-paths.ts';
import type { Word } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import type { ImportFollower } from './import-follower.ts';
import { membersOf } from './meaning/typed-member.ts';

/** Finds what a word in a string of Python means that is part of a path of names: `total` in `mock.patch("shop.cart.total")`. */
export async function followPath(
  context: ToolContext,
  follower: ImportFollower,
  document: Document,
  { start, text: name }: Word,
  call: Call,
): Promise<readonly Span[]> {
  const { path, text } = document;
  if (!isPython(path)) return [];
  const word = { start, end: start + name.length };
  const found = namePathsIn(path, text, [word]).get(word);
  if (!found) return [];
  const names = [...found.names, name];
  const packages = await follower.packages();
  for (let depth = found.depth ?? names.length; depth > 0; depth -= 1) {
    const module = names.slice(0, depth).join('.');
    if (packages.sources(module, path).length > 0)
      return definedIn(context, follower, { module, from: document, below: names.slice(depth) }, call);
    if (found.depth !== undefined) return [];
  }
  return [];
}

interface NameBelow {
  readonly module: string;
  readonly from: Document;
  /** The names below the module: of a class, and of its member. */
  readonly below: readonly string[];
}

async function definedIn(
  context: ToolContext,
  follower: ImportFollower,
  { module, from, below: [first = '*', ...rest] }: NameBelow,
  call: Call,
): Promise<readonly Span[]> {
  let found = await follower.exportedBy(module, first, from.path);
  for (const name of rest) {
    const members = await Promise.all(found.map((one) => membersOf(one, name, { context, call })));
    found = members.flat();
  }
  return found;
}
