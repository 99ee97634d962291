import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import type { OutlineSymbol } from '../../core/question.ts';
import { inOrder, Pace } from '../../core/runtime/slices.ts';
import { compareTexts } from '../../core/wording/compare-texts.ts';
import { compareRanges } from './canonical.ts';
import { checkDoubts } from './check-doubts.ts';
import { contractTool } from './contract-tool.ts';
import { openFile } from './open-place.ts';
import { filtered, range, symbolKind, uri } from './shapes.ts';

const symbol = z.strictObject({
  name: z.string(),
  kind: symbolKind,
  detail: z.string().optional(),
  range,
  selectionRange: range,
  /** 0 at the top; the children of a symbol follow it, one deeper. */
  depth: z.int().min(0).max(limits.gateway.depth),
});

type OutlineEntry = z.output<typeof symbol>;

/** Shows the outline of a file. */
export const documentSymbols = contractTool({
  name: 'vscode.lsp.documentSymbols',
  title: 'Document symbols',
  toolset: 'symbols',
  description: 'The outline of a file: each symbol is followed by its members, one deeper.',
  input: z.strictObject({ uri }),
  output: z.strictObject({ uri: z.string(), symbols: z.array(symbol), filtered }),
  noun: 'symbol',
  list: 'symbols',
  instead: 'Search by name with vscode.lsp.workspaceSymbols.',
  async answer(context, input, call) {
    const path = await openFile(context, input.uri);
    const reply = await context.backend.ask({ kind: 'outline', path }, call);
    const doubts = checkDoubts(reply.doubts);
    const symbols = await flatten(reply.answer);
    return { data: { uri: context.workspace.uri(path), symbols, filtered: 0 }, doubts };
  },
});

/** Flattens the tree from the top, siblings in order. */
async function flatten(symbols: readonly OutlineSymbol[]): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = [];
  const pace = new Pace();
  const left = [{ symbols: (await inOrder(symbols, compareSymbols)).values(), depth: 0 }];
  for (let level = left.at(-1); level; level = left.at(-1)) {
    if (pace.isDue()) await pace.rest();
    const { value: symbol } = level.symbols.next();
    if (symbol === undefined) left.pop();
    else {
      entries.push(toEntry(symbol, level.depth));
      const below = await inOrder(symbol.children, compareSymbols);
      if (below.length > 0) left.push({ symbols: below.values(), depth: level.depth + 1 });
    }
  }
  return entries;
}

/** Compares children too: of two symbols that differ only in those, neither may be lost. */
function compareSymbols(a: OutlineSymbol, b: OutlineSymbol): number {
  return (
    compareRanges(a.range, b.range) ||
    compareRanges(a.selection, b.selection) ||
    compareTexts(a.name, b.name) ||
    compareTexts(a.kind, b.kind) ||
    compareTexts(a.detail, b.detail) ||
    a.children.length - b.children.length ||
    compareTexts(contentOf(a), contentOf(b))
  );
}

function contentOf({ children }: OutlineSymbol): string {
  return children.length === 0 ? '' : JSON.stringify(children);
}

function toEntry({ name, kind, detail, range, selection }: OutlineSymbol, depth: number): OutlineEntry {
  return { name, kind, ...(detail ? { detail } : {}), range, selectionRange: selection, depth };
}
