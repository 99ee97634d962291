import type { Call } from '../../core/call.ts';
import type { Span } from '../../core/question.ts';
import { macrosIn } from '../../source-text/macros.ts';
import { wordAt } from '../../source-text/words.ts';
import { definitionsAt } from '../mentions/definitions-at.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';

/**
 * Leaves out uses of C whose text is another name and no macro: a compiler takes a name that it does not know for one that is
 * spelt alike, `GMainContext` for `redisContext`, and that depends on the headers that it has found.
 */
export async function withoutMisspelt(
  context: ToolContext,
  name: string,
  uses: readonly Span[],
  call: Call,
): Promise<readonly Span[]> {
  const known = new Map<string, Promise<boolean>>();
  const isMacro = (word: string, use: Span) => {
    const found = known.get(word) ?? isDefined(context, word, use, call);
    known.set(word, found);
    return found;
  };
  const isUse = async (use: Span) => {
    const { path, range, standing } = use;
    const document =
      standing === 'inside' && path.endsWith('.c') ? await documentAt(context, path) : undefined;
    const word = document && wordAt(document.line(range.start.line), range.start.character);
    return word === undefined || word === name || isMacro(word, use);
  };
  const kept = await Promise.all(uses.map(isUse));
  return kept.every(Boolean) ? uses : uses.filter((_, index) => kept[index]);
}

/** True if a file of the workspace defines a macro of this name, or another one does, as the server says. */
async function isDefined(context: ToolContext, word: string, use: Span, call: Call): Promise<boolean> {
  const isMacroIn = async (file: string) => {
    const document = await documentAt(context, file);
    return document !== undefined && macrosIn(document.text).includes(word);
  };
  for (const file of (await context.workspace.mentioning(word, call)) ?? [])
    if (await isMacroIn(file)) return true;
  const definitions = await definitionsAt(context, use, call);
  const others = definitions?.filter(({ path }) => path !== use.path) ?? [];
  for (const { path } of others) if (await isMacroIn(path)) return true;
  // A server that says nothing has not refuted itself.
  return definitions === undefined || definitions.length === 0;
}
