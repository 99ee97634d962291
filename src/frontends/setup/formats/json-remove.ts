import type { Node } from 'jsonc-parser';
import { afterProperty } from './json-insert.ts';
import { fromTheEnd, lineEnd, lineStart, nextLine, replaceRange, type TextChange } from './text-change.ts';

/** Returns the changes that take an item out of its object or list, with its comma and, if they are its own, its lines. */
export function removeItem(text: string, item: Node): readonly TextChange[] {
  const inner = item.parent;
  const siblings = inner?.children ?? [];
  const index = siblings.indexOf(item);
  const before = siblings[index - 1];
  const end = item.offset + item.length;
  const { comma } = afterProperty(text, end);
  const isAlone = siblings.length === 1;
  if (isAlone && inner !== undefined) {
    const from = inner.offset + 1;
    const to = inner.offset + inner.length - 1;
    const rest = text.slice(from, item.offset) + text.slice((comma ?? end - 1) + 1, to);
    if (rest.trim() === '') return [replaceRange(text, from, to, '')];
  }
  const commaBefore = before && afterProperty(text, before.offset + before.length).comma;
  const other = comma ?? commaBefore;
  const isJoined = comma !== undefined && text.slice(end, comma).trim() === '';
  const [from, to] = linesOf(text, item.offset, isJoined ? comma + 1 : end);
  const own = replaceRange(text, from, to, '');
  if (other === undefined || (other >= from && other < to)) return [own];
  return fromTheEnd([own, replaceRange(text, other, other + 1, '')]);
}

/** Widens a range to whole lines if nothing else is on them, else over the blanks before it. */
function linesOf(text: string, from: number, to: number): readonly [number, number] {
  const start = lineStart(text, from);
  const isWhole = text.slice(start, from).trim() === '' && text.slice(to, lineEnd(text, to)).trim() === '';
  if (isWhole) return [start, nextLine(text, to)];
  return [from - (/[ \t]*$/.exec(text.slice(0, from))?.[0].length ?? 0), to];
}
