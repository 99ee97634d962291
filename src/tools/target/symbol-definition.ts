import { z } from 'zod';
import type { Reply } from '../../core/backend.ts';
import { type Call, cancelSignalOf } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { asLspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { contains, type Position, type Range } from '../../core/position.ts';
import type { OutlineSymbol, Place, Span } from '../../core/question.ts';
import { followDeclarations } from '../mentions/follow-declarations.ts';
import { withConditions } from '../mentions/not-compiled.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { isSecret, uniqueSpans } from '../show/location.ts';
import { noAnswerError } from './no-answer.ts';
import type { Located } from './target-fields.ts';

/** The declarations of a symbol. */
export interface SymbolDefinition {
  readonly definitions: readonly Span[];
  /** The first declaration in the outline of its file; `undefined` if it is not there, such as a parameter. */
  readonly symbol: OutlineSymbol | undefined;
  /** The full ranges of the definitions whose text may be shown. */
  readonly extents: readonly Span[];
  readonly doubts: readonly Doubt[];
}

/** Finds the declarations of a symbol and their full ranges. `asked` is the question for the definition at its place, if it was asked. */
export async function symbolDefinition(
  context: ToolContext,
  located: Located,
  asked: Promise<Reply<readonly Span[]>> | undefined,
  call: Call,
): Promise<SymbolDefinition> {
  if (located.nameless) return ownDefinition(located.place.path, located.nameless);
  const reply = await (asked ?? context.backend.ask({ kind: 'definition', place: located.place }, call));
  const { answer, doubts } = await followDeclarations(context, located.place, reply.answer, call);
  const definitions = uniqueSpans(answer);
  if (definitions.length === 0)
    throw noAnswerError('definition', located, await withConditions(context, located.place, reply.doubts));
  const read = definitions.filter(({ standing }) => standing !== 'outside');
  const shown = read.slice(0, limits.inspect.definitions);
  const found = await Promise.all(shown.map((span) => symbolAt(context, span, call)));
  const extents = shown.map((span, index) => ({ ...span, range: found[index]?.range ?? span.range }));
  return {
    definitions,
    symbol: found[0],
    extents: withoutRepeats(extents),
    doubts: [...reply.doubts, ...doubts],
  };
}

/** A symbol without a name is defined where it is. */
function ownDefinition(path: string, symbol: OutlineSymbol): SymbolDefinition {
  const at = (range: Range): Span => ({ path, range, standing: 'inside' });
  return { definitions: [at(symbol.selection)], symbol, extents: [at(symbol.range)], doubts: [] };
}

/** Returns the symbol that is declared at a place, if its outline is cached. */
export function cachedAt(
  { workspace, outlines }: ToolContext,
  { path, position }: Place,
): OutlineSymbol | undefined {
  const document = workspace.cached(path);
  const outline = document && outlines.cached(document);
  return outline && declaredAt(outline, position);
}

/** Returns the innermost symbol of an outline whose name is at a position. */
function declaredAt(outline: readonly OutlineSymbol[], position: Position): OutlineSymbol | undefined {
  for (const symbol of outline) {
    const inner = declaredAt(symbol.children, position);
    if (inner) return inner;
    if (contains(symbol.selection, position)) return symbol;
  }
  return undefined;
}

/** Returns the source of a symbol's declarations as whole lines; of a file with secrets only if the agent named it. */
export async function sourceOf(
  context: ToolContext,
  { extents }: SymbolDefinition,
  named: string,
): Promise<readonly Piece[]> {
  const allowed = extents.filter((span) => span.path === named || !isSecret(context, span));
  const pieces = await Promise.all(
    allowed.map(async ({ path, range }): Promise<Piece[]> => {
      const document = await documentAt(context, path);
      if (!document) return [];
      const { start, end } = range;
      // A range may end at the beginning of the next line.
      const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
      const lines = Array.from({ length: last - start.line + 1 }, (_, at) => document.line(start.line + at));
      const text = lines.map(shortLine).join('\n');
      return [{ file_path: context.workspace.show(path), line: start.line + 1, end_line: last + 1, text }];
    }),
  );
  return pieces.flat();
}

/** Returns `undefined` for a file without an outline: it may still contain definitions. */
async function symbolAt(
  context: ToolContext,
  { path, range }: Span,
  call: Call,
): Promise<OutlineSymbol | undefined> {
  const outline = await context.outlines.of(context, path, call).catch((thrown: unknown) => {
    if (cancelSignalOf(call).aborted || asLspanError(thrown).code === 'internal') throw thrown;
    return { answer: [] };
  });
  return declaredAt(outline.answer, range.start);
}

/** Removes ranges that are inside another one. */
function withoutRepeats(extents: readonly Span[]): Span[] {
  const holds = (outer: Range, inner: Range) => contains(outer, inner.start) && contains(outer, inner.end);
  return extents.filter(
    ({ path, range }, index) =>
      !extents.some(
        (other, at) =>
          at !== index &&
          other.path === path &&
          holds(other.range, range) &&
          (at < index || !holds(range, other.range)),
      ),
  );
}

function shortLine(line: string): string {
  return line.length <= limits.inspect.lineLength ? line : `${line.slice(0, limits.inspect.lineLength)}…`;
}

export type Piece = z.output<typeof piece>;

/** Whole lines of a file; a source that is cut in the middle is two pieces. */
export const piece = z.object({ file_path: z.string(), line: z.int(), end_line: z.int(), text: z.string() });
