import type { Call } from '../../core/call.ts';
import type { OutlineSymbol, Span } from '../../core/question.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';

/** Asks the server what is defined by the beginning of a span; `undefined` if the server fails. */
export async function definitionsAt(
  { backend }: ToolContext,
  { path, range }: Span,
  call: Call,
): Promise<readonly Span[] | undefined> {
  const place = { path, position: range.start };
  const reply = backend.ask({ kind: 'definition', place }, call);
  return reply.then(
    ({ answer }) => answer,
    () => undefined,
  );
}

/** The span at which the server is asked about the name at an offset. */
export function spanOf(document: Document, offset: number): Span {
  const start = document.positionAt(offset);
  return { path: document.path, range: { start, end: start }, standing: 'inside' };
}

/** Returns the outline of a file; empty if there is none. */
export async function outlineOf(
  context: ToolContext,
  path: string,
  call: Call,
): Promise<readonly OutlineSymbol[]> {
  const outline = await context.outlines.of(context, path, call).catch(() => undefined);
  return outline?.answer ?? [];
}
