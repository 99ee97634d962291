import { z } from 'zod';
import { paged } from '../../tools/run/paging.ts';
import { paging } from '../../tools/run/paging-fields.ts';
import { flattenOutline, outlineSymbol } from '../../tools/symbols/get-document-symbols.ts';
import { unverifiedError } from '../../tools/target/no-answer.ts';
import { file } from './place.ts';
import { textTool } from './text-tool.ts';

/** Shows the outline of a file. */
export const documentSymbols = textTool({
  name: 'lsp_document_symbols',
  title: 'Document symbols',
  toolset: 'symbols',
  description: 'List all symbols (functions, classes, variables) in a file',
  input: z.strictObject({ file, ...paging }),
  output: z.object({ file: z.string(), symbols: z.array(outlineSymbol) }),
  async answer(context, input, call) {
    const path = await context.workspace.resolve(input.file);
    context.askedFiles.note(path);
    const { answer, doubts } = await context.backend.ask({ kind: 'outline', path }, call);
    if (answer.length === 0 && doubts.length > 0) throw unverifiedError('No symbol was found', doubts);
    const symbols = await flattenOutline(answer, Number.POSITIVE_INFINITY);
    const shown = context.workspace.show(path);
    const pages = paged(symbols, JSON.stringify, async (some) => ({ file: shown, symbols: [...some] }));
    return { pages, total: symbols.length, doubts };
  },
  render: ({ symbols }, total) => (total === 0 ? 'No symbols found' : symbols.map(renderSymbol).join('\n')),
  count: ({ symbols }) => symbols.length,
  cut: ({ file, symbols }, keep) => ({ file, symbols: symbols.slice(0, keep) }),
});

/** Renders `kind name [line N]`, indented below its parent. */
function renderSymbol({ kind, name, line, depth }: z.output<typeof outlineSymbol>): string {
  return `${'  '.repeat(depth)}${kind} ${name} [line ${line}]`;
}
