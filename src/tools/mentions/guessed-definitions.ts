import type { Call } from '../../core/call.ts';
import type { Span } from '../../core/question.ts';
import { isC } from '../../source-text/c-files.ts';
import type { ToolContext } from '../run/tool.ts';
import { SpanSet } from './span-set.ts';

/**
 * True if a server of C only guessed the definitions of a mention: where the text is not compiled, it takes a word for the
 * nearest one of the same name, but has nothing to say when asked what the word is.
 */
export async function areGuessed(
  { backend }: ToolContext,
  mention: Span,
  definitions: readonly Span[],
  call: Call,
): Promise<boolean> {
  if (!isC(mention.path)) return false;
  const itself = await SpanSet.from([mention]);
  if (definitions.some((one) => itself.meets(one))) return false;
  const place = { path: mention.path, position: mention.range.start };
  return backend.ask({ kind: 'hover', place, textless: true }, call).then(
    ({ answer }) => answer === undefined,
    () => false,
  );
}
