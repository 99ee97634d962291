import { limits } from '../../../core/limits.ts';
import type { Span } from '../../../core/question.ts';
import { basesAfter } from '../../../source-text/members/heritage.ts';
import { quotedKeyAt } from '../../../source-text/members/quoted-keys.ts';
import { documentAt } from '../../show/document-at.ts';
import { definitionsAt, spanOf } from '../definitions-at.ts';
import { keysOfType } from './given-key.ts';
import type { Meaning } from './imported-symbol.ts';
import type { Resolving } from './resolving.ts';
import { meaningOfMembers } from './typed-member.ts';

/** Returns what a string means that names a member of a type; `undefined` if the member is not known. */
export async function quotedMeaning(mention: Span, resolving: Resolving): Promise<Meaning | undefined> {
  const found = await quotedMembers(resolving, mention);
  if (!found) return undefined;
  if (found.isForeign) return 'other_symbol';
  const meaning = await meaningOfMembers(found.members, resolving);
  return meaning === 'imported_use' && found.isResolved ? 'use' : meaning;
}

/** True if servers know no more of a mention than the name that a destructuring gives to the member. */
export async function isComputedKey({ path, range }: Span, { context }: Resolving): Promise<boolean> {
  const document = await documentAt(context, path);
  if (!document) return false;
  const word = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
  return quotedKeyAt(path, document.text, word)?.isComputed === true;
}

/** What there is to find out which member a string names. */
type Asking = Pick<Resolving, 'context' | 'follower' | 'call'>;

/** The type that is written before a string, and its members of that name. */
interface QuotedMembers {
  /** True if the type is a library's. */
  readonly isForeign: boolean;
  /** True if the server can follow the imports that lead to the type. */
  readonly isResolved: boolean;
  /** Those that each declaration of the type has, or inherits. */
  readonly members: readonly (readonly Span[])[];
}

/**
 * Finds the members that a string names of a type which is written before it: `Box` in `Pick<Box, 'x'>` and
 * `Box['x' | 'y']`. Servers do not resolve those. `undefined` if there is no such string, or nothing is known of the type.
 */
export async function quotedMembers(
  asking: Asking,
  { path, range }: Pick<Span, 'path' | 'range'>,
): Promise<QuotedMembers | undefined> {
  const { context, follower, call } = asking;
  const document = await documentAt(context, path);
  if (!document) return undefined;
  const word = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
  const type = quotedKeyAt(path, document.text, word)?.type;
  const types = (type !== undefined && (await definitionsAt(context, spanOf(document, type), call))) || [];
  if (types.length === 0) return undefined;
  const isForeign = types.every(({ standing }) => standing !== 'inside');
  const sources = isForeign ? [] : (await Promise.all(types.map((one) => sourcesOf(one, asking)))).flat();
  const name = document.text.slice(word.start, word.end);
  const found = await Promise.all(sources.map((one) => inherited(one, name, { context, follower, call }, 0)));
  // Of several declarations of an interface, one has the member.
  const members = found.filter((own) => own.length > 0);
  return { isForeign, isResolved: sources.every((one) => types.includes(one)), members };
}

async function sourcesOf(type: Span, { context, follower }: Asking): Promise<readonly Span[]> {
  const holder = type.standing === 'inside' ? await documentAt(context, type.path) : undefined;
  const followed = holder && (await follower.followImport(holder, holder.offsetAt(type.range.start)));
  return followed ? followed.sources : [type];
}

/** Returns the members of a name that a type declares, or those of the nearest types that it builds on. */
async function inherited(type: Span, name: string, asking: Asking, depth: number): Promise<readonly Span[]> {
  const { context, call } = asking;
  const own = await keysOfType(type, name, asking);
  const document = type.standing === 'inside' ? await documentAt(context, type.path) : undefined;
  if (own.length > 0 || !document || depth >= limits.hierarchy.depth) return own;
  const bases = basesAfter(document.text, document.offsetAt(type.range.end));
  const found = await Promise.all(
    bases.map(async (base) => {
      const named = (await definitionsAt(context, spanOf(document, base), call)) ?? [];
      const sources = (await Promise.all(named.map((one) => sourcesOf(one, asking)))).flat();
      return (await Promise.all(sources.map((one) => inherited(one, name, asking, depth + 1)))).flat();
    }),
  );
  return found.flat();
}
