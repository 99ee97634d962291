import { readFormatting } from '../convert/proposal.ts';
import { encodeRange } from '../convert/spans.ts';
import type { Row, Variant } from './row.ts';

/** Formats a document or a range: one server only, since another would format differently. */
export const formatRow: Row<'format'> = {
  method: 'textDocument/formatting',
  capability: 'documentFormattingProvider',
  refusal: {
    what: 'to format this',
    nextStep: 'Fix what it reports (get_diagnostics lists errors), then call again.',
  },
  variant: ({ range }) => (range ? ofRange : undefined),
  path: ({ path }) => path,
  params: async ({ path, range, layout }, { workspace, encoding }) => ({
    textDocument: { uri: workspace.uri(path) },
    ...(range ? { range: encodeRange(await workspace.read(path), encoding, range) } : {}),
    options: layout,
  }),
  answer: (raw, { path }, translation) => readFormatting(raw, path, translation),
  // No edits is also an answer.
  count: () => 1,
};

const ofRange: Variant = {
  method: 'textDocument/rangeFormatting',
  capability: 'documentRangeFormattingProvider',
  nextStep: 'Omit the lines to format the whole document.',
};
