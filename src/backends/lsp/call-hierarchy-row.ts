import { LspanError } from '../../core/errors.ts';
import type { Row } from './answers.ts';
import { positionParams } from './position-params.ts';

/** To be written. */
export const callHierarchyRow: Row<'calls'> = {
  method: 'textDocument/prepareCallHierarchy',
  capability: 'callHierarchyProvider',
  path: (question) => question.place.path,
  params: async (question, translation) => positionParams(question.place, translation),
  answer: async () => {
    throw new LspanError('not_supported', 'Not built yet.');
  },
  size: (answer) => answer.length,
};
