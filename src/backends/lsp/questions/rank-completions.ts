import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits } from '../../../core/limits.ts';
import { decodeColumn, type Position, type PositionEncoding } from '../../../core/position.ts';
import { type Json, object, text } from '../../../core/runtime/json.ts';
import { readRawRange } from '../convert/spans.ts';

/** The line at a place, and the encoding of the server's columns. */
interface Typed {
  readonly line: string;
  readonly position: Position;
  readonly encoding: PositionEncoding;
}

/**
 * Ranks items as an editor would: preselected items, then the best match for the typed text, then the
 * server's order. Drops items that do not match and keeps at most `most`.
 */
export async function rankCompletions(
  entries: readonly unknown[],
  defaults: Json,
  typed: Typed,
  most: number,
): Promise<{ readonly best: readonly Json[]; readonly fitting: number; readonly readable: number }> {
  const words = typedWords(typed);
  const best: Ranked[] = [];
  let [fitting, readable] = [0, 0];
  for (const [index, entry] of entries.entries()) {
    if (index % limits.completions.atOnce === limits.completions.atOnce - 1) await nextTurn();
    const item = withDefaults(object(entry), defaults);
    const label = text(item.label);
    if (label === undefined) continue;
    readable += 1;
    const fit = fitOf(text(item.filterText) ?? label, words(item));
    if (fit === undefined) continue;
    fitting += 1;
    insert(best, { item, label, fit, sort: text(item.sortText) ?? label, index }, most);
  }
  return { best: best.map(({ item }) => item), fitting, readable };
}

interface Ranked {
  readonly item: Json;
  readonly label: string;
  readonly fit: number;
  readonly sort: string;
  readonly index: number;
}

/** https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#completionList */
function withDefaults(item: Json, defaults: Json): Json {
  const { editRange, data, insertTextFormat, insertTextMode, commitCharacters } = defaults;
  const usual = Object.fromEntries(
    Object.entries({ data, insertTextFormat, insertTextMode, commitCharacters }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  if (editRange === undefined || item.textEdit !== undefined) return { ...usual, ...item };
  const newText = item.textEditText ?? item.label;
  const range = readRawRange(editRange) ? { range: editRange } : object(editRange);
  return { ...usual, ...item, textEdit: { ...range, newText } };
}

/** Inserts in order, and keeps at most `most` items. */
function insert(best: Ranked[], one: Ranked, most: number): void {
  const last = best.at(-1);
  if (best.length >= most && (last === undefined || compare(last, one) <= 0)) return;
  let [low, high] = [0, best.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = best[middle];
    if (other && compare(other, one) <= 0) low = middle + 1;
    else high = middle;
  }
  best.splice(low, 0, one);
  best.length = Math.min(best.length, most);
}

function compare(a: Ranked, b: Ranked): number {
  return (
    Number(b.item.preselect === true) - Number(a.item.preselect === true) ||
    a.fit - b.fit ||
    order(a.sort, b.sort) ||
    order(a.label, b.label) ||
    a.index - b.index
  );
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Returns the text typed so far for an item: from the start of its edit, or the word before the place. */
function typedWords({ line, position, encoding }: Typed): (item: Json) => readonly string[] {
  const before = line.slice(0, position.character);
  const usual = [...new Set(beforePlace.map((word) => word.exec(before)?.[0] ?? ''))];
  const byColumn = new Map<number, readonly string[]>();
  return ({ textEdit }) => {
    const { range, replace, insert: inserted } = object(textEdit);
    const start = (readRawRange(range) ?? readRawRange(inserted) ?? readRawRange(replace))?.start;
    if (start === undefined || start.line !== position.line) return usual;
    const known = byColumn.get(start.character);
    if (known) return known;
    const words = [before.slice(decodeColumn(line, start.character, encoding))];
    byColumn.set(start.character, words);
    return words;
  };
}

/** Some languages count the dollar as part of a name, others do not. */
const beforePlace = [/[\p{ID_Continue}$\u200c\u200d]*$/u, /[\p{ID_Continue}\u200c\u200d]*$/u];

/** Returns how well a name matches the typed text, lower is better; `undefined` if it does not match. */
function fitOf(name: string, words: readonly string[]): number | undefined {
  const fits = words.flatMap((word) => fitOfWord(name, word) ?? []);
  return fits.length === 0 ? undefined : Math.min(...fits);
}

function fitOfWord(name: string, word: string): number | undefined {
  if (word === '' || name === word) return 0;
  if (name.startsWith(word)) return 1;
  const [all, part] = [name.toLowerCase(), word.toLowerCase()];
  if (all.startsWith(part)) return 2;
  return holdsInOrder(all, part) ? 3 : undefined;
}

function holdsInOrder(name: string, letters: string): boolean {
  let from = 0;
  for (const letter of letters) {
    const at = name.indexOf(letter, from);
    if (at < 0) return false;
    from = at + letter.length;
  }
  return true;
}
