import type { Span } from '../../../core/question.ts';
import { isInPattern, isShorthand, isVariableAt } from '../../../source-text/destructuring.ts';
import { componentAround, type KeyType, keyTypeAt } from '../../../source-text/members/object-keys.ts';
import { documentAt } from '../../show/document-at.ts';
import { definitionsAt, spanOf } from '../definitions-at.ts';
import { givenMeaning } from './given-key.ts';
import type { Meaning } from './imported-symbol.ts';
import { isAtTop, othersThan, type Resolving } from './resolving.ts';

/**
 * Returns `unverified` for the key of an object whose type may come from an import of the workspace that the server
 * cannot follow: it takes the key for a property of its own.
 */
export async function keyMeaning(
  mention: Span,
  definitions: readonly Span[],
  resolving: Resolving,
): Promise<Meaning | undefined> {
  const { context } = resolving;
  const document = await documentAt(context, mention.path);
  const offset = document?.offsetAt(mention.range.start) ?? 0;
  const type = document && typeAt(mention.path, document.text, offset);
  if (!document || !type || ('from' in type && type.from !== 'elsewhere')) return undefined;
  const others = await othersThan(mention, definitions);
  // What is taken out of a value is resolved by the type of the value.
  if (others.length > 0 && isInPattern(mention.path, document.text, offset)) return undefined;
  // The variable that is the value of a key in short form says nothing of the key.
  const isShort = isShorthand(mention.path, document.text, offset);
  const areUnknown = await Promise.all(others.map((one) => isKeyOfObject(one, isShort, resolving)));
  if (areUnknown.includes(false) || (await isAtTop(resolving))) return undefined;
  const giver = 'giver' in type ? spanOf(document, type.giver) : undefined;
  if (!(await mayHideType(giver ?? mention, giver !== undefined, resolving))) return undefined;
  const meaning = await givenMeaning(document, mention, resolving);
  if (meaning === 'other_symbol') return isShort ? undefined : meaning;
  // To rename the key alone, the short form would have to be given up.
  return meaning === undefined || isShort ? 'unverified' : meaning;
}

/** An attribute is a key of what a component takes. */
function typeAt(path: string, text: string, offset: number): KeyType | undefined {
  const component = componentAround(path, text, offset);
  return component === undefined ? keyTypeAt(path, text, offset) : { giver: component };
}

/**
 * True if a definition is the key of an object, or a variable if it may be one. A checker that takes types of the same shape
 * for one names keys of either: which, depends on what it was asked before.
 */
async function isKeyOfObject(
  { path, range }: Span,
  orVariable: boolean,
  { context }: Resolving,
): Promise<boolean> {
  const document = await documentAt(context, path);
  if (!document) return false;
  const offset = document.offsetAt(range.start);
  if (orVariable && isVariableAt(path, document.text, offset)) return true;
  const type = keyTypeAt(path, document.text, offset);
  return type !== undefined && !('from' in type && type.from === 'type');
}

/** True if a type is not known that the name at a span gives, or something else around it. */
async function mayHideType(
  span: Span,
  isGiver: boolean,
  { context, imported, unresolved, call }: Resolving,
): Promise<boolean> {
  const [definition] = (isGiver && (await definitionsAt(context, span, call))) || [];
  if (definition && definition.standing !== 'inside') return false;
  const document = definition && (await documentAt(context, definition.path));
  const isForeign =
    document && (await imported.isForeignAt(document, document.offsetAt(definition.range.start)));
  // What gives the type may itself be of a type that is not known.
  return isForeign === undefined ? unresolved.areIn(definition?.path ?? span.path, call) : !isForeign;
}
