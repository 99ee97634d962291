import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { toLineColumn } from '../../core/position.ts';
import type { OutlineSymbol } from '../../core/question.ts';
import { Pace } from '../../core/runtime/slices.ts';
import { symbolKinds } from '../../core/symbol-kinds.ts';
import { defineTool } from '../run/define-tool.ts';
import { paged } from '../run/paging.ts';
import { paging } from '../run/paging-fields.ts';
import { filePath } from '../target/target-fields.ts';

/** A symbol of a file as answers contain it. */
export const outlineSymbol = z.object({
  name: z.string(),
  kind: z.enum(symbolKinds),
  detail: z.string().optional(),
  /** The position of the name, for the next call. */
  line: z.int(),
  character: z.int(),
  /** The end of the whole symbol. */
  end_line: z.int(),
  end_character: z.int(),
  depth: z.int(),
});

type OutlineEntry = z.output<typeof outlineSymbol>;

/** Shows the outline of a file. */
export const getDocumentSymbols = defineTool({
  name: 'get_document_symbols',
  title: 'Outline of a file',
  toolset: 'symbols',
  listed: true,
  description: 'The outline of a file: classes, functions, members.',
  input: z.strictObject({
    file_path: filePath,
    depth: z.int().min(1).max(limits.outlines.depth).optional().describe('Levels; all if absent'),
    ...paging,
  }),
  output: z.object({ file_path: z.string(), symbols: z.array(outlineSymbol) }),
  effects: 'none',
  async answer(context, input, call) {
    const path = await context.workspace.resolve(input.file_path);
    const { answer, doubts } = await context.backend.ask({ kind: 'outline', path }, call);
    const symbols = await flattenOutline(answer, input.depth ?? Number.POSITIVE_INFINITY);
    const file_path = context.workspace.show(path);
    const pages = paged(symbols, JSON.stringify, async (some) => ({ file_path, symbols: [...some] }));
    return { pages, total: symbols.length, doubts };
  },
  render: ({ file_path, symbols }, total) =>
    total === 0 ? `${file_path} defines no symbols.` : [file_path, ...symbols.map(renderSymbol)].join('\n'),
  count: ({ symbols }) => symbols.length,
  cut: ({ file_path, symbols }, keep) => ({ file_path, symbols: symbols.slice(0, keep) }),
});

/** Flattens the tree from the top, each symbol after its parent. */
export async function flattenOutline(
  symbols: readonly OutlineSymbol[],
  levels: number,
): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = [];
  const pace = new Pace();
  const left = [{ symbols: symbols.values(), depth: 0 }];
  for (let level = left.at(-1); level; level = left.at(-1)) {
    if (pace.isDue()) await pace.rest();
    const { value: symbol } = level.symbols.next();
    if (symbol === undefined) left.pop();
    else {
      entries.push(toEntry(symbol, level.depth));
      if (level.depth + 1 < levels) left.push({ symbols: symbol.children.values(), depth: level.depth + 1 });
    }
  }
  return entries;
}

function toEntry({ name, kind, detail, range, selection }: OutlineSymbol, depth: number): OutlineEntry {
  const [start, end] = [toLineColumn(selection.start), toLineColumn(range.end)];
  return {
    name,
    kind,
    ...(detail ? { detail } : {}),
    ...start,
    end_line: end.line,
    end_character: end.character,
    depth,
  };
}

function renderSymbol({ name, kind, detail, line, character, end_line, depth }: OutlineEntry): string {
  const lines = end_line > line ? `${line}:${character}-${end_line}` : `${line}:${character}`;
  return `${'  '.repeat(depth + 1)}${kind} ${name}${detail ? ` ${detail}` : ''}  ${lines}`;
}
