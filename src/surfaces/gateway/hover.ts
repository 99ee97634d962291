import { z } from 'zod';
import { list, object } from '../../core/runtime/json.ts';
import { cutLine } from '../../tools/run/cut-text.ts';
import { checkDoubts } from './check-doubts.ts';
import { contractTool } from './contract-tool.ts';
import { openPlace } from './open-place.ts';
import { filtered, placeFields, range } from './shapes.ts';

const markup = z.strictObject({ kind: z.literal('markdown'), value: z.string() });

/** Shows the type and documentation of the symbol at a position. */
export const hover = contractTool({
  name: 'vscode.lsp.hover',
  title: 'Hover',
  toolset: 'intelligence',
  description: 'The type, signature and documentation of the symbol at a position, as Markdown.',
  input: z.strictObject(placeFields),
  output: z.strictObject({
    contents: z.array(markup),
    range: range.optional(),
    /** Present if the text was too long and is cut. */
    truncated: z.literal(true).optional(),
    filtered,
  }),
  prose: ['value'],
  noun: 'part',
  list: 'contents',
  shorten: (data, bytes) => ({
    ...data,
    contents: list(data.contents).map((part) => {
      const { value, ...rest } = object(part);
      return { ...rest, value: cutLine(String(value), bytes) };
    }),
    truncated: true,
  }),
  instead: 'Read the text at the location from vscode.lsp.definition.',
  async answer(context, input, call) {
    const { place } = await openPlace(context, input);
    const reply = await context.backend.ask({ kind: 'hover', place }, call);
    const doubts = checkDoubts(reply.doubts);
    if (reply.answer === undefined) return { data: { contents: [], filtered: 0 }, doubts };
    const { text, range } = reply.answer;
    const contents = [{ kind: 'markdown' as const, value: text }];
    return { data: { contents, ...(range ? { range } : {}), filtered: 0 }, doubts };
  },
});
