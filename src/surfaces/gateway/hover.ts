import { z } from 'zod';
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
  output: z.strictObject({ contents: z.array(markup), range: range.optional(), filtered }),
  prose: ['value'],
  noun: 'part',
  list: 'contents',
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
