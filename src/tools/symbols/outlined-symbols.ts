import type { Reply } from '../../core/backend.ts';
import { type Call, cancelSignalOf } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { asLspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { FoundSymbol, OutlineSymbol } from '../../core/question.ts';
import type { ToolContext } from '../run/tool.ts';

/**
 * Returns the symbols of a name from the outlines of the files that mention it. Some servers find no symbol before they
 * were asked about a file, and say nothing about it.
 */
export async function outlinedSymbols(
  context: ToolContext,
  name: string,
  call: Call,
): Promise<Reply<readonly FoundSymbol[]>> {
  const files = (await context.workspace.mentioning(name, call)) ?? [];
  const replies = await Promise.all(
    files.slice(0, limits.candidates.outlines).map(async (path): Promise<Reply<readonly FoundSymbol[]>> => {
      const asking = context.outlines.of(context, path, call);
      const outline = await asking.catch((thrown: unknown) => ({ answer: [], doubts: toDoubts(thrown) }));
      return { answer: symbolsNamed(name, outline.answer, path), doubts: outline.doubts };
    }),
  );
  cancelSignalOf(call).throwIfAborted();
  return {
    answer: replies.flatMap(({ answer }) => answer),
    doubts: replies.flatMap(({ doubts }) => doubts),
  };
}

/** Returns no doubt for a file that no server outlines: most of these are not code. */
function toDoubts(thrown: unknown): readonly Doubt[] {
  const { code, message } = asLspanError(thrown);
  return code === 'not_supported' ? [] : [{ kind: 'server_unavailable', detail: message }];
}

function symbolsNamed(
  wanted: string,
  symbols: readonly OutlineSymbol[],
  path: string,
  container?: string,
): FoundSymbol[] {
  return symbols.flatMap(({ name, kind, selection, children }) => [
    ...(name === wanted
      ? [
          {
            name,
            kind,
            span: { path, range: selection, standing: 'inside' as const },
            ...(container === undefined ? {} : { container }),
          },
        ]
      : []),
    ...symbolsNamed(wanted, children, path, name),
  ]);
}
