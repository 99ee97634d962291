import { limits } from '../../core/limits.ts';
import { closing, codeOnly, enclosing, outermost } from '../brackets.ts';
import { beginsNames, isScript } from '../imports.ts';

/**
 * Where the type comes from that says what a key means: from the object itself, from the name at `giver`, or from
 * something else around the object. A key of a type is a declaration.
 */
export type KeyType = { readonly from: 'itself' | 'type' | 'elsewhere' } | { readonly giver: number };

/**
 * Returns where the word at an offset gets its meaning if it is a key of an object: from `send` in `send({ x: 1 })`, from
 * `Box` in `const box: Box = { x: 1 }`, from itself in `const box = { x: 1 }`. `undefined` for every other word.
 */
export function keyTypeAt(file: string, text: string, offset: number): KeyType | undefined {
  const after = text.slice(offset, offset + limits.mentions.ahead);
  if (!isScript(file) || !/^[\p{ID_Continue}$]+\s*[:,}(]/u.test(after)) return undefined;
  const from = Math.max(0, offset - limits.mentions.statement);
  const before = text.slice(from, offset);
  const open = /[{,]\s*$/.test(before) ? enclosing(before) : undefined;
  if (open === undefined || before[open] !== '{') return undefined;
  const outside = before.slice(0, open);
  if (block.test(outside) || beginsNames(outside)) return undefined;
  const window = { text: text.slice(from, offset + limits.mentions.statement), from };
  return typeAround(window, open);
}

/** Returns the offset of the component of which the word at an offset is an attribute: that of `Fade` in `<Fade in={a} />`. */
export function componentAround(file: string, text: string, offset: number): number | undefined {
  if (!/\.(?:[jt]sx|[cm]?js)$/.test(file)) return undefined;
  const after = text.slice(offset, offset + limits.mentions.ahead);
  if (!/^[\p{ID_Continue}$]+(?:\s|=|\/?>)/u.test(after)) return undefined;
  const from = Math.max(0, offset - limits.mentions.statement);
  const before = outermost(codeOnly(text.slice(from, offset)), braces);
  const tag = /\s$/.test(before) ? openTag.exec(before) : null;
  const [name = ''] = tag ? (/[\p{ID_Continue}$]+$/u.exec(tag[1] ?? '') ?? []) : [];
  return tag ? from + tag.index + 1 + (tag[1] ?? '').length - name.length : undefined;
}

const braces = /\{[^{}]*\}/g;
const openTag = /<((?:[\p{ID_Continue}$]+\.)*[\p{Lu}_$][\p{ID_Continue}$]*)(?:<[^<>]*>)?(?:\s[^<>{}]*)?$/u;

/** True if the word at an offset of a script is a member that a type, an interface or a class declares. */
export function isTypeMemberAt(file: string, text: string, offset: number): boolean {
  const after = text.slice(offset, offset + limits.mentions.ahead);
  if (!isScript(file) || !/^[\p{ID_Continue}$]+\s*[?!]?\s*[:(<]/u.test(after)) return false;
  const from = Math.max(0, offset - limits.mentions.statement);
  const before = text.slice(from, offset);
  const open = /(?:[{,;]|\n)\s*(?:readonly\s+)?$/.test(before) ? enclosing(before) : undefined;
  if (open === undefined || before[open] !== '{') return false;
  return ownTypeOf(text.slice(from, offset + limits.mentions.statement), open) === 'type';
}

interface Window {
  readonly text: string;
  readonly from: number;
}

/** Goes outward from the brace at an offset of the window. */
function typeAround({ text, from: start }: Window, brace: number): KeyType {
  let open: number | undefined = brace;
  while (open !== undefined) {
    const before = text.slice(0, open);
    const giver = text[open] === '(' ? called.exec(before) : (annotated.exec(before) ?? asserted(text, open));
    if (giver) return { giver: start + giver.index };
    const from = text[open] === '{' ? ownTypeOf(text, open) : undefined;
    if (from) return { from };
    if (text[open] === '(' || !/[([,:]\s*$/.test(before)) break;
    open = enclosing(before);
  }
  return { from: 'elsewhere' };
}

/** Finds the type that is written behind an object: that of `Box` in `{ x: 1 } satisfies Box`. */
function asserted(text: string, open: number): { readonly index: number } | undefined {
  const close = closing(text.slice(open + 1));
  if (close === undefined) return undefined;
  const end = open + 1 + close + 1;
  const written = /^\s*(?:as|satisfies)\s+(?!const\b)(?=[\p{ID_Start}$_])/u.exec(text.slice(end));
  return written ? { index: end + written[0].length } : undefined;
}

/** The name of what is called, before its bracket. */
export const called = /[\p{ID_Start}$_][\p{ID_Continue}$]*(?=\s*(?:\?\.\s*)?(?:<[^<>()]*>)?\s*$)/u;
/** The name of the type of a variable, before its value. */
export const annotated = /(?<=:\s*)[\p{ID_Start}$_][\p{ID_Continue}$]*(?=\s*(?:<[^<>()]*>)?\s*=\s*$)/u;

/** A brace after these begins statements, not an object. */
const block = /(?:\)|=>|\b(?:else|try|do|finally|static))\s*$/;

/** Tells whether the brace at an offset begins an object without another type, or members of a type. */
function ownTypeOf(source: string, open: number): 'itself' | 'type' | undefined {
  const text = codeOnly(source);
  const before = text.slice(0, open);
  if (own.test(before)) return 'itself';
  const isType = type.test(before) || (parameter.test(before) && before[enclosing(before) ?? -1] === '(');
  if (isType) return 'type';
  const close = closing(text.slice(open + 1));
  const after = close === undefined ? '' : text.slice(open + close + 2);
  const isOfPattern = /[}\]]\s*:\s*$/.test(before) && /^\s*\)\s*(?::|=>|\{)/.test(after);
  if (isOfPattern || afterType.test(after)) return 'type';
  // In brackets, unless those are of a call.
  const isInBrackets = /(?<![\p{ID_Continue}$)\]>]\s*)\(\s*$/u.test(before);
  return isInBrackets && /^\s*\)/.test(after) && afterType.test(after.replace(/^\s*\)/, ''))
    ? 'type'
    : undefined;
}

/** No value of an object is compared, or joined with another: `{ x: 1 } & Box`. */
const afterType = /^\s*(?:>|\|(?!\|)|&(?!&)|\[\])/;

const own =
  /\b(?:const|let|var)\s+[\p{ID_Continue}$]+\s*=\s*$|\bexport\s+default\s*$|\bmodule\.exports\s*=\s*$/u;
const type =
  /(?:^|[\n;{}])[ \t]*(?:(?:export|default|declare|abstract|const)\s+)*(?:(?:class|interface|enum|namespace|type)\s+[\p{ID_Start}$_][^{};=()]*(?:=\s*)?|class\s*)$|(?:<|(?<!\|)\||(?<!&)&|\b(?:as|satisfies|extends|keyof))\s*$/u;
const parameter =
  /[(,]\s*(?:(?:public|private|protected|readonly)\s+)*(?:\.\.\.)?[\p{ID_Continue}$]+\??\s*:\s*$/u;
