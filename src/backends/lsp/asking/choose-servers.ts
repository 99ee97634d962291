import type { Call } from '../../../core/call.ts';
import type { Question, QuestionKind } from '../../../core/question.ts';
import type { Row } from '../questions/row.ts';
import { rows } from '../questions/table.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import type { AskContext, AskedQuestion } from './stage.ts';

/** Chooses the servers of a question: those of its document, or of the files concerned. */
export async function chooseServers<K extends QuestionKind>(
  context: AskContext,
  question: Question<K>,
  call: Call,
): Promise<AskedQuestion<K>> {
  const { workspace, router } = context;
  const row: Row<K> = rows[question.kind];
  const path = row.path(question);
  if (path !== undefined) {
    const blocked = () => router.blockedByTrust(path, question.kind);
    return { ...context, row, question, call, slots: router.forFile(path, question.kind), blocked };
  }
  const candidateFiles = await row.candidateFiles?.(question, workspace, call);
  const blocked = () => router.blockedByTrustAnywhere(question.kind, candidateFiles);
  const slots = slotsAmong(context, row, question, candidateFiles);
  return { ...context, row, question, call, slots, candidateFiles, blocked };
}

/** Chooses among running servers; `undefined` if none of them answers such questions. */
export function chooseRunning<K extends QuestionKind>(
  context: AskContext,
  question: Question<K>,
  call: Call,
): AskedQuestion<K> | undefined {
  const { router } = context;
  const row: Row<K> = rows[question.kind];
  const path = row.path(question);
  const serving = path === undefined ? router.servingAny(question.kind) : router.serving(path, question.kind);
  const slots = serving.filter(({ session }) => session?.alive === true);
  return slots.length === 0 ? undefined : { ...context, row, question, call, slots, blocked: () => [] };
}

/** Returns the servers of some files, or of all; empty only if that is not an error. */
function slotsAmong<K extends QuestionKind>(
  { router, workspace }: AskContext,
  { optional, appliesTo }: Row<K>,
  question: Question<K>,
  files: readonly string[] | undefined,
): readonly ServerSlot[] {
  if (!optional) return router.forWorkspace(question.kind, files);
  const slots = router.servingAny(question.kind, files);
  return slots.filter(({ definition }) => appliesTo?.(question, definition, workspace) !== false);
}
