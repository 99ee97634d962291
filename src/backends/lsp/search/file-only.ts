import type { Place, QuestionKind } from '../../../core/question.ts';
import { ownNameIn } from '../../../workspace/texts/own-name.ts';
import type { Workspace } from '../../../workspace/workspace.ts';

/** True if nothing outside its file can be what a question about a name of a module searches. */
export async function isOfFileOnly(
  workspace: Workspace,
  rule: { readonly byUses?: true } | undefined,
  question: { readonly kind: QuestionKind; readonly depth?: number },
  place: Place,
): Promise<boolean> {
  // What extends a class that is not exported may be, and be extended itself; so may what calls a function be called.
  if (!rule || (rule.byUses && !(question.kind === 'calls' && question.depth === 1))) return false;
  const own = await ownNameIn(workspace, place);
  return own === 'declared' || (own === 'module' && question.kind === 'rename');
}
