import type { Span } from '../../../core/question.ts';
import { isExportedName, takenFrom } from '../../../source-text/destructuring.ts';
import { receiverAt } from '../../../source-text/imports.ts';
import { importedOnLine } from '../../../source-text/packages/go-modules.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import { documentAt } from '../../show/document-at.ts';
import { definitionsAt, spanOf } from '../definitions-at.ts';
import type { Meaning } from './imported-symbol.ts';
import type { Resolving } from './resolving.ts';
import { typedMeaning } from './typed-member.ts';

/** Returns what a member of an imported module or value means; `undefined` if the receiver is not one. */
export async function memberMeaning(
  { path, range }: Span,
  resolving: Resolving,
): Promise<Meaning | undefined> {
  const document = await documentAt(resolving.context, path);
  if (document === undefined) return undefined;
  const offset = document.offsetAt(range.start);
  const member = document.text.slice(offset, document.offsetAt(range.end));
  const taken = takenFrom(path, document.text, offset);
  const receiver = receiverAt(document.text, offset) ?? taken;
  const below = receiver === undefined ? undefined : meaningBelow(document, receiver, member, resolving);
  const meaning = (await below) ?? (await typedMeaning(document, offset, member, resolving));
  // Those who import the name again would have to follow.
  const isPassedOn = taken !== undefined && isExportedName(document.text, offset);
  return meaning === 'imported_use' && isPassedOn ? 'unverified' : meaning;
}

/** Returns what a member means whose receiver is the name at an offset. */
async function meaningBelow(
  document: Document,
  receiver: number,
  member: string,
  { context, imported, call }: Resolving,
): Promise<Meaning | undefined> {
  const { path } = document;
  const [definition, ...others] = (await definitionsAt(context, spanOf(document, receiver), call)) ?? [];
  if (definition === undefined || others.length > 0 || definition.path !== path) return undefined;
  return imported.memberMeaning(document, document.offsetAt(definition.range.start), member);
}

/**
 * Returns what a name means that the server cannot resolve, if it is one of a package of Go that is in no module of the
 * workspace: what others call so is another symbol. What is vendored has the path of its own module.
 */
export async function foreignMeaning(
  { path, range }: Span,
  { context, follower, symbol, call }: Resolving,
): Promise<Meaning | undefined> {
  if (!path.endsWith('.go') || /[\\/]vendor[\\/]/.test(symbol.place.path)) return undefined;
  const document = await documentAt(context, path);
  const receiver = document && receiverAt(document.text, document.offsetAt(range.start));
  if (!document || receiver === undefined) return undefined;
  const [definition, ...others] = (await definitionsAt(context, spanOf(document, receiver), call)) ?? [];
  if (definition?.path !== path || others.length > 0) return undefined;
  const module = importedOnLine(document.line(definition.range.start.line));
  if (module === undefined) return undefined;
  return (await follower.packages()).isForeign(module, path) ? 'other_symbol' : undefined;
}
