import type { Call } from '../../core/call.ts';
import type { AnswerOf, Question, QuestionKind } from '../../core/questions.ts';
import { askInTurn } from './asking/ask-in-turn.ts';
import type { Asking } from './asking/ask-server.ts';
import { askAll } from './asking/ask-several.ts';
import type { Row } from './questions/row.ts';
import { rows } from './questions/table.ts';
import type { Router } from './routing/router.ts';

/** Asks the servers that run already, for what is not worth the start of one; nothing where none of them answers such. */
export async function peek<K extends QuestionKind>(
  asking: Asking,
  router: Router,
  question: Question<K>,
  call: Call,
): Promise<AnswerOf<K> | undefined> {
  const row: Row<K> = rows[question.kind];
  const path = row.path(question);
  const serving = path === undefined ? router.servingAny(question.kind) : router.serving(path, question.kind);
  const running = serving.filter(({ session }) => session?.alive === true);
  if (running.length === 0) return undefined;
  const { answer } = row.union
    ? await askAll(asking, { router, row, union: row.union }, question, running, call)
    : await askInTurn(asking, row, question, running, call);
  return answer;
}
