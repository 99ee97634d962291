import { type Call, cancelSignalOf } from '../../core/call.ts';
import { comparePositions, type Position } from '../../core/position.ts';
import type { OutlineSymbol } from '../../core/question.ts';
import { isKeyword } from '../../source-text/keywords.ts';
import { touches, type Word, wordsOf } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';

/**
 * Returns the symbol without a name, such as a callback, that begins at a position: outlines print such positions, and
 * the nearest word is another symbol.
 */
export async function namelessSymbol(
  context: ToolContext,
  document: Document,
  position: Position,
  call: Call,
): Promise<OutlineSymbol | undefined> {
  const line = document.line(position.line);
  const word = wordsOf(line).find((one) => touches(one, position.character));
  if (word && !mayBeginAt(position.character, line, word)) return undefined;
  const outlined = context.outlines.of(context, document.path, call).catch((thrown: unknown) => {
    if (cancelSignalOf(call).aborted) throw thrown;
    return { answer: [] };
  });
  const found = startingAt((await outlined).answer, position);
  return found && kinds.has(found.kind) && !holdsName(document, found) ? found : undefined;
}

/** True if something without a name may begin at a column that a word touches: not in a word, nor at a name. */
function mayBeginAt(column: number, line: string, word: Word): boolean {
  if (column === word.start) return isKeyword(line, word);
  return column === word.start + word.text.length;
}

/** Kinds of what code can have without a name. */
const kinds: ReadonlySet<string> = new Set(['function', 'method', 'class']);

function startingAt(level: readonly OutlineSymbol[], position: Position): OutlineSymbol | undefined {
  for (const symbol of level) {
    if (comparePositions(symbol.selection.start, position) === 0) return symbol;
    const below = startingAt(symbol.children, position);
    if (below) return below;
  }
  return undefined;
}

/** True if the selection of a symbol holds its name, as in `function run`, where some servers begin at the keyword. */
function holdsName(document: Document, { name, selection }: OutlineSymbol): boolean {
  const { start, end } = selection;
  const line = document.line(start.line);
  return line.slice(start.character, end.line === start.line ? end.character : line.length).includes(name);
}
