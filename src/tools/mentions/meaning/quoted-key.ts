import type { Span } from '../../../core/question.ts';
import { quotedKeyAt } from '../../../source-text/members/quoted-keys.ts';
import { documentAt } from '../../show/document-at.ts';
import { definitionsAt, spanOf } from '../definitions-at.ts';
import { keysOfType } from './given-key.ts';
import type { Meaning } from './imported-symbol.ts';
import type { Resolving } from './resolving.ts';
import { meaningOfMembers } from './typed-member.ts';

/**
 * Returns what a string means that names a member of a type which is written before it: `Box` in `Pick<Box, 'x'>` and
 * `Box['x' | 'y']`. Servers do not resolve those. `undefined` if the type does not declare the member itself.
 */
export async function quotedMeaning(
  { path, range }: Span,
  resolving: Resolving,
): Promise<Meaning | undefined> {
  const { context, follower, symbol, call } = resolving;
  const document = await documentAt(context, path);
  if (!document) return undefined;
  const word = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
  const type = quotedKeyAt(path, document.text, word)?.type;
  const types = (type !== undefined && (await definitionsAt(context, spanOf(document, type), call))) || [];
  if (types.length === 0) return undefined;
  if (types.every(({ standing }) => standing !== 'inside')) return 'other_symbol';
  const origins = await Promise.all(
    types.map(async (one) => {
      const holder = await documentAt(context, one.path);
      const followed = holder && (await follower.followImport(holder, holder.offsetAt(one.range.start)));
      return followed ? followed.sources : [one];
    }),
  );
  const sources = origins.flat();
  const members = await Promise.all(sources.map((one) => keysOfType(one, symbol.name, resolving)));
  const meaning = await meaningOfMembers(
    // Of several declarations of an interface, one has the member.
    members.filter((own) => own.length > 0),
    resolving,
  );
  return meaning === 'imported_use' && sources.every((one) => types.includes(one)) ? 'use' : meaning;
}

/** True if servers know no more of a mention than the name that a destructuring gives to the member. */
export async function isComputedKey({ path, range }: Span, { context }: Resolving): Promise<boolean> {
  const document = await documentAt(context, path);
  if (!document) return false;
  const word = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
  return quotedKeyAt(path, document.text, word)?.isComputed === true;
}
