import { LspanError } from '../../core/errors.ts';
import type { Row } from './answers.ts';

/** To be written. */
export const hintsRow: Row<'hints'> = {
  method: 'textDocument/inlayHint',
  capability: 'inlayHintProvider',
  path: (question) => question.path,
  params: async (question, translation) => ({
    textDocument: { uri: translation.workspace.uri(question.path) },
  }),
  answer: async () => {
    throw new LspanError('not_supported', 'Not built yet.');
  },
  size: (answer) => answer.length,
};
