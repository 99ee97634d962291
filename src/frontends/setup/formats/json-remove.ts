import type { Node } from 'jsonc-parser';
import { afterProperty } from './json-insert.ts';
import { fromTheEnd, lineEnd, lineStart, nextLine, replaceRange, type TextChange } from './text-change.ts';

/** Returns the changes that take a property out of its object, with its comma and, if they are its own, its lines. */
export function removeProperty(text: string, property: Node): readonly TextChange[] {
  const object = property.parent;
  const siblings = object?.children ?? [];
  const index = siblings.indexOf(property);
  const before = siblings[index - 1];
  const end = property.offset + property.length;
  const { comma } = afterProperty(text, end);
  const isAlone = siblings.length === 1;
  if (isAlone && object !== undefined) {
    const from = object.offset + 1;
    const to = object.offset + object.length - 1;
    const rest = text.slice(from, property.offset) + text.slice((comma ?? end - 1) + 1, to);
    if (rest.trim() === '') return [replaceRange(text, from, to, '')];
  }
  const commaBefore = before && afterProperty(text, before.offset + before.length).comma;
  const other = comma ?? commaBefore;
  const isJoined = comma !== undefined && text.slice(end, comma).trim() === '';
  const [from, to] = linesOf(text, property.offset, isJoined ? comma + 1 : end);
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
