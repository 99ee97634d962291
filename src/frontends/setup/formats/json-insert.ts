import type { Node } from 'jsonc-parser';
import { type JsonStyle, renderJson } from './render-json.ts';
import {
  fromTheEnd,
  indentAt,
  insertion,
  lineEndingOf,
  lineStart,
  replaceRange,
  type TextChange,
} from './text-change.ts';

/** A place for a new item: an object or a list, and the root of its file. */
interface ItemPlace {
  readonly root: Node;
  readonly inner: Node;
}

/** Returns the changes that add a property at the end of an object, laid out as its surroundings are. */
export function insertProperty(
  text: string,
  place: ItemPlace,
  key: string,
  value: unknown,
): readonly TextChange[] {
  return insertItem(text, place, (style) => renderedProperty(key, value, style));
}

/** Returns the changes that add an element at the end of a list, laid out as its surroundings are. */
export function insertElement(text: string, place: ItemPlace, value: unknown): readonly TextChange[] {
  return insertItem(text, place, (style) => renderJson(value, style));
}

function insertItem(
  text: string,
  { root, inner }: ItemPlace,
  render: (style: JsonStyle) => string,
): readonly TextChange[] {
  const unit = unitOf(text, root);
  const last = inner.children?.at(-1);
  const isOwnLine = last !== undefined && text.slice(lineStart(text, last.offset), last.offset).trim() === '';
  const style = {
    ending: lineEndingOf(text),
    unit,
    isInline: isOnOneLine(text, inner),
    isTight: /^"[^"]*":\S/.test(text.slice(root.children?.[0]?.offset)),
    indent: isOwnLine ? indentAt(text, last.offset) : indentAt(text, inner.offset) + unit,
  };
  return last === undefined
    ? intoEmpty(text, inner, render(style), style)
    : afterLast(text, last, render(style), style);
}

function renderedProperty(key: string, value: unknown, style: JsonStyle): string {
  return `${JSON.stringify(key)}:${style.isTight ? '' : ' '}${renderJson(value, style)}`;
}

/** A line comment after the last item stays on its line. */
function afterLast(text: string, last: Node, item: string, style: JsonStyle): readonly TextChange[] {
  const end = last.offset + last.length;
  const { comma, restOfLine } = afterProperty(text, end);
  const start = style.isInline ? (style.isTight ? '' : ' ') : `${style.ending}${style.indent}`;
  if (comma !== undefined) {
    const at = style.isInline ? comma + 1 : restOfLine;
    return [insertion(at, `${start}${item},`)];
  }
  if (style.isInline || restOfLine === end) return [insertion(end, `,${start}${item}`)];
  return fromTheEnd([insertion(end, ','), insertion(restOfLine, `${start}${item}`)]);
}

function intoEmpty(text: string, inner: Node, item: string, style: JsonStyle): readonly TextChange[] {
  const from = inner.offset + 1;
  const to = inner.offset + inner.length - 1;
  const between = text.slice(from, to);
  const outer = indentAt(text, inner.offset);
  const start = style.isInline ? (style.isTight ? '' : ' ') : `${style.ending}${style.indent}`;
  const close = style.isInline ? (style.isTight ? '' : ' ') : `${style.ending}${outer}`;
  if (between.trim() === '') return [replaceRange(text, from, to, `${start}${item}${close}`)];
  // After the comments that are there, and before the line ending that follows them.
  const at = from + between.trimEnd().length;
  const isClosed = text.slice(at, to).includes('\n');
  return [insertion(at, `${style.ending}${style.indent}${item}${isClosed ? '' : `${style.ending}${outer}`}`)];
}

/** True if the properties of an object, or else of the one around it, stand on the line on which it begins. */
function isOnOneLine(text: string, object: Node): boolean {
  const [first] = object.children ?? [];
  if (first !== undefined) return !text.slice(object.offset, first.offset).includes('\n');
  const outer = object.parent?.parent;
  return outer !== undefined && !text.slice(outer.offset, object.offset).includes('\n');
}

/** Returns the indentation of one level. */
function unitOf(text: string, root: Node): string {
  const [first] = root.children ?? [];
  if (first === undefined) return '  ';
  const before = text.slice(lineStart(text, first.offset), first.offset);
  return before.trim() === '' && before !== '' ? before : '  ';
}

/** What follows a property: its comma, and the end of the comments on the line of that. */
export interface AfterProperty {
  readonly comma: number | undefined;
  readonly restOfLine: number;
}

/** Looks at what follows a property, up to the next one or the end of the object. */
export function afterProperty(text: string, end: number): AfterProperty {
  const token = /[ \t]+|\r?\n|\r|\/\/[^\r\n]*|\/\*.*?\*\/|,/sy;
  let comma: number | undefined;
  let restOfLine = end;
  let isSameLine = true;
  token.lastIndex = end;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [word] = found;
    if (word === ',' && comma !== undefined) break;
    if (word === ',') {
      comma = found.index;
      isSameLine = true;
      restOfLine = token.lastIndex;
    } else if (word.includes('\n') || word.includes('\r')) isSameLine = false;
    else if (word.startsWith('/') && isSameLine) restOfLine = token.lastIndex;
  }
  return { comma, restOfLine };
}
