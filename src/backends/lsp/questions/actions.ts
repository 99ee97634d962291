import { actionParams, actionQuestions, joinActions } from './action-questions.ts';
import { readActions } from './read-actions.ts';
import type { Row } from './row.ts';

/** How servers are asked what they offer to do: every server of the file, each with its own problems. */
export const actionsRow: Row<'actions'> = {
  method: 'textDocument/codeAction',
  capability: 'codeActionProvider',
  union: (answers) => answers.flat(),
  withProblems: true,
  parts: { of: actionQuestions, join: joinActions },
  path: ({ path }) => path,
  params: actionParams,
  answer: async (raw, question, translation) =>
    readActions(raw, question, await actionParams(question, translation), translation),
  size: (actions) => actions.length,
};
