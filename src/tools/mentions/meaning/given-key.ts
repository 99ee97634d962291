import type { Span } from '../../../core/question.ts';
import { bracesOfAlias, givenTo, memberIn, parameterType } from '../../../source-text/members/given-keys.ts';
import { componentAround } from '../../../source-text/members/object-keys.ts';
import { patternOf } from '../../../source-text/words.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import { documentAt } from '../../show/document-at.ts';
import { definitionsAt, outlineOf, spanOf } from '../definitions-at.ts';
import type { Meaning } from './imported-symbol.ts';
import { declaredAt } from './relatives.ts';
import type { Resolving } from './resolving.ts';
import { meaningOfMembers, membersOf } from './typed-member.ts';

/**
 * Returns what the key of an object means whose type, or the function that takes it, is imported where the server cannot
 * follow the import: the source of the import says which members the type has. `undefined` if it does not.
 */
export async function givenMeaning(
  document: Document,
  { range }: Span,
  resolving: Resolving,
): Promise<Meaning | undefined> {
  const { context, follower, call } = resolving;
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const component = componentAround(document.path, document.text, start);
  const given = component === undefined ? givenTo(document.text, start) : { giver: component, argument: 0 };
  if (given === undefined) return undefined;
  const [giver, ...others] = (await definitionsAt(context, spanOf(document, given.giver), call)) ?? [];
  const holder = giver && others.length === 0 ? await documentAt(context, giver.path) : undefined;
  if (!giver || !holder) return undefined;
  const followed = await follower.followImport(holder, holder.offsetAt(giver.range.start));
  const key = document.text.slice(start, end);
  const members = (followed?.sources ?? []).map((source) => keysOf(source, given.argument, key, resolving));
  return meaningOfMembers(await Promise.all(members), resolving);
}

/** Returns the members of a name that a type has, or that of an argument of a function or a constructor. */
async function keysOf(
  source: Span,
  argument: number | undefined,
  key: string,
  resolving: Resolving,
): Promise<readonly Span[]> {
  if (argument === undefined) return keysOfType(source, key, resolving);
  const { context, call } = resolving;
  const document = await documentAt(context, source.path);
  if (!document) return [];
  const made = declaredAt(await outlineOf(context, source.path, call), source.range);
  const constructors = made?.children.filter(({ name }) => name === 'constructor') ?? [];
  // Of several signatures, any may be meant.
  if (made ? constructors.length !== 1 : isOverloaded(document, source)) return [];
  const start = constructors[0]?.selection.start ?? source.range.start;
  const type = parameterType(document.path, document.text, document.offsetAt(start), argument);
  if (type === undefined) return [];
  if ('braces' in type) return keyIn(document, type.braces, key);
  const named = (await definitionsAt(context, spanOf(document, type.name), call)) ?? [];
  const members = await Promise.all(named.map((one) => keysOfType(one, key, resolving)));
  return members.some((own) => own.length === 0) ? [] : members.flat();
}

/** True if a file declares several functions of the name at a span. */
function isOverloaded(document: Document, { range }: Span): boolean {
  const { text } = document;
  const name = text.slice(document.offsetAt(range.start), document.offsetAt(range.end));
  return text.split(new RegExp(`\\bfunction\\s+${patternOf(name)}(?![\\w$])`)).length > 2;
}

/** Returns the members of a name that a type declares itself. */
export async function keysOfType(
  type: Span,
  key: string,
  asking: Pick<Resolving, 'context' | 'call'>,
): Promise<readonly Span[]> {
  const document = type.standing === 'inside' ? await documentAt(asking.context, type.path) : undefined;
  if (!document) return [];
  const braces = bracesOfAlias(document.text, document.offsetAt(type.range.start));
  return braces === undefined ? membersOf(type, key, asking) : keyIn(document, braces, key);
}

function keyIn(document: Document, braces: number, key: string): readonly Span[] {
  const found = memberIn(document.text, braces, key);
  if (found === undefined) return [];
  const [start, end] = [document.positionAt(found), document.positionAt(found + key.length)];
  return [{ path: document.path, range: { start, end }, standing: 'inside' }];
}
