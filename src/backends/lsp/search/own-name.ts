import type { Place, QuestionKind } from '../../../core/question.ts';
import { type OwnName, ownNameAt } from '../../../source-text/names/own-names.ts';
import { wordAround } from '../../../source-text/words.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { SearchRule } from '../questions/row.ts';

/** Returns how a module of a script has the name at a place to itself. */
export async function ownName(workspace: Workspace, { path, position }: Place): Promise<OwnName | undefined> {
  const document = await workspace.read(path);
  const word = wordAround(document.line(position.line), position.character);
  if (!word) return undefined;
  const offset = document.offsetAt({ ...position, character: word.start });
  const known = knownNames.get(document) ?? new Map<number, OwnName | undefined>();
  knownNames.set(document, known);
  if (!known.has(offset)) known.set(offset, ownNameAt(path, document.text, offset));
  return known.get(offset);
}

/** Every stage of a question asks, and the text of a document stays the same. */
const knownNames = new WeakMap<Document, Map<number, OwnName | undefined>>();

/** True if nothing outside its file can be what a question about a name of a module searches. */
export async function isOfFileOnly<K extends QuestionKind>(
  workspace: Workspace,
  rule: Pick<SearchRule<K>, 'byUses'> | undefined,
  question: { readonly kind: QuestionKind; readonly depth?: number },
  place: Place,
): Promise<boolean> {
  // What extends a class that is not exported may be, and be extended itself; so may what calls a function be called.
  if (!rule || (rule.byUses && !(question.kind === 'calls' && question.depth === 1))) return false;
  const own = await ownName(workspace, place);
  return own === 'declared' || (own === 'module' && question.kind === 'rename');
}
