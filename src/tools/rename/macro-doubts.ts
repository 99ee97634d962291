import type { Doubt } from '../../core/doubts.ts';
import type { Position } from '../../core/positions.ts';
import type { Rename } from '../../core/questions.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import { macrosAt } from '../../source-text/macros.ts';
import { occurrences } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import type { Mention } from '../show/mentions.ts';
import { doubtAt } from './rename-doubts.ts';

/** Returns a doubt if a macro keeps the name: only a use of the macro shows whether it means the symbol. */
export async function macroDoubts(
  context: ToolContext,
  { spans }: Rename,
  mentions: readonly Mention[],
  name: string,
): Promise<Doubt[]> {
  const code = mentions.filter(({ reason }) => reason === 'other_symbol');
  const renamed = new Set(spans.map(({ path }) => path));
  const [only] = renamed.size === 1 ? renamed : [];
  const text = only === undefined ? undefined : (await documentAt(context, only))?.text;
  // For a symbol that only one file knows, only macros that are used there matter.
  const isUsed = (macro: string) => text === undefined || occurrences(text, macro).length > 0;
  const meant: Mention[] = [];
  for (const [path, own] of groupBy(code, (mention) => mention.path)) {
    const document = await documentAt(context, path);
    const macros = document ? macrosIn(document, name) : new Map<string, string>();
    for (const mention of own) {
      const macro = macros.get(keyOf(mention.range.start));
      if (macro !== undefined && isUsed(macro)) meant.push(mention);
    }
  }
  return doubtAt(meant, (places) => `${name} stays as it is in macros that may use it: ${places}.`, context);
}

/** Returns the macros around the mentions of a name, by their places. */
function macrosIn(document: Document, name: string): ReadonlyMap<string, string> {
  const offsets = occurrences(document.text, name);
  const macros = macrosAt(document.path, document.text, offsets, name);
  return new Map(
    offsets.flatMap((offset, index): [string, string][] => {
      const macro = macros[index];
      return macro === undefined ? [] : [[keyOf(document.positionAt(offset)), macro]];
    }),
  );
}

function keyOf({ line, character }: Position): string {
  return `${line}:${character}`;
}
