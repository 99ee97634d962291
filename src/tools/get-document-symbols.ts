import { z } from 'zod';
import { toLineColumn } from '../core/positions.ts';
import type { OutlineSymbol } from '../core/questions.ts';
import { symbolKinds } from '../core/symbol-kinds.ts';
import { paged } from './paged.ts';
import { filePath, paging } from './target.ts';
import { defineTool } from './tool.ts';

const symbol = z.object({
  name: z.string(),
  kind: z.enum(symbolKinds),
  detail: z.string().optional(),
  /** Where the name stands, to be pasted into the next call. */
  line: z.int(),
  character: z.int(),
  /** Where the whole symbol ends. */
  end_line: z.int(),
  end_character: z.int(),
  depth: z.int(),
});

type Shown = z.output<typeof symbol>;

/** The outline of a file. */
export const getDocumentSymbols = defineTool({
  name: 'get_document_symbols',
  title: 'Outline of a file',
  toolset: 'symbols',
  listed: true,
  description: 'The outline of a file: its classes, functions and members with their positions.',
  input: z.strictObject({
    file_path: filePath,
    depth: z.int().min(1).max(64).optional().describe('Levels; all if absent'),
    ...paging,
  }),
  output: z.object({ file_path: z.string(), symbols: z.array(symbol) }),
  effects: 'none',
  async answer(world, input, call) {
    const path = await world.workspace.resolve(input.file_path);
    const { answer, doubts } = await world.backend.ask({ kind: 'outline', path }, call);
    const symbols = flatten(answer, input.depth ?? Number.POSITIVE_INFINITY, 0);
    const file_path = world.workspace.show(path);
    const pages = paged(symbols, JSON.stringify, async (some) => ({ file_path, symbols: [...some] }));
    return { pages, total: symbols.length, doubts };
  },
  render: ({ file_path, symbols }, total) =>
    total === 0 ? `${file_path} defines no symbols.` : [file_path, ...symbols.map(renderSymbol)].join('\n'),
  count: ({ symbols }) => symbols.length,
  cut: ({ file_path, symbols }, keep) => ({ file_path, symbols: symbols.slice(0, keep) }),
});

function flatten(symbols: readonly OutlineSymbol[], levels: number, depth: number): Shown[] {
  if (depth >= levels) return [];
  return symbols.flatMap(({ name, kind, detail, range, selection, children }) => {
    const [start, end] = [toLineColumn(selection.start), toLineColumn(range.end)];
    const shown = {
      name,
      kind,
      ...(detail ? { detail } : {}),
      ...start,
      end_line: end.line,
      end_character: end.character,
      depth,
    };
    return [shown, ...flatten(children, levels, depth + 1)];
  });
}

function renderSymbol({ name, kind, detail, line, character, end_line, depth }: Shown): string {
  const lines = end_line > line ? `${line}:${character}-${end_line}` : `${line}:${character}`;
  return `${'  '.repeat(depth + 1)}${kind} ${name}${detail ? ` ${detail}` : ''}  ${lines}`;
}
