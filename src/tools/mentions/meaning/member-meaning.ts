import type { Span } from '../../../core/question.ts';
import { isExportedName, takenFrom } from '../../../source-text/destructuring.ts';
import { receiverAt } from '../../../source-text/imports.ts';
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
