import { z } from 'zod';
import { toLineColumn } from '../../core/position.ts';
import { cutBytes } from '../../tools/run/cut-text.ts';
import { fenced } from '../../tools/run/fenced.ts';
import { maxTokens } from '../../tools/run/paging-fields.ts';
import { noAnswerError } from '../../tools/target/no-answer.ts';
import { locateAt, placeFields } from './place.ts';
import { textTool } from './text-tool.ts';

const shown = z.object({ file: z.string(), line: z.int(), character: z.int(), text: z.string() });

/** Shows the type and documentation of the symbol at a position. */
export const hover = textTool({
  name: 'lsp_hover',
  title: 'Type and documentation',
  toolset: 'intelligence',
  description: 'Get type information and documentation for a symbol at a given position',
  input: z.strictObject({ ...placeFields, max_tokens: maxTokens }),
  output: z.object({ hover: shown.nullable() }),
  async answer(context, input, call) {
    const { place, name, adjusted, doubts } = await locateAt(context, input, call);
    const { answer, doubts: more } = await context.backend.ask({ kind: 'hover', place }, call);
    if (!answer && more.length > 0) throw noAnswerError('hover information', { name, adjusted }, more);
    const file = context.workspace.show(place.path);
    const start = toLineColumn(answer?.range?.start ?? place.position);
    const shown = answer ? { file, ...start, text: answer.text } : null;
    return { data: { hover: shown }, adjusted, doubts: [...doubts, ...more] };
  },
  render: ({ hover: shown }) => (shown ? fenced(shown.text) : 'No hover information available'),
  prose: ['text'],
  shorten: ({ hover: whole }, bytes) => ({
    hover: whole && { ...whole, text: cutBytes(whole.text, bytes) },
  }),
});
