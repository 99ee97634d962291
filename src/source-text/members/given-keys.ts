import { limits } from '../../core/limits.ts';
import { closing, codeOnly, enclosing, outermost } from '../brackets.ts';
import { patternOf } from '../words.ts';
import { annotated, called } from './object-keys.ts';
import { typeWrittenAfter } from './written-class.ts';

/** What gives an object its type: the name at an offset is that of the type, or of what is called with it. */
export interface Given {
  readonly giver: number;
  /** Which argument of the call the object is. */
  readonly argument?: number;
}

/**
 * Returns what gives a type to the object whose key is at an offset: `Box` to `const box: Box = { x: 1 }`, and `send` to
 * `send(1, { x: 1 })`. `undefined` if the object is a part of another one.
 */
export function givenTo(text: string, offset: number): Given | undefined {
  const from = Math.max(0, offset - limits.mentions.statement);
  const before = codeOnly(text.slice(from, offset));
  const open = enclosing(before);
  if (open === undefined || before[open] !== '{') return undefined;
  const outside = before.slice(0, open);
  const type = annotated.exec(outside);
  if (type) return { giver: from + type.index };
  const bracket = /[(,]\s*$/.test(outside) ? enclosing(outside) : undefined;
  const callee =
    bracket !== undefined && outside[bracket] === '(' ? called.exec(outside.slice(0, bracket)) : null;
  if (!callee || bracket === undefined) return undefined;
  const given = outermost(outside.slice(bracket + 1));
  // What is spread may be any number of arguments.
  if (given.includes('...')) return undefined;
  return { giver: from + callee.index, argument: given.split(',').length - 1 };
}

/** Where the members of a type are: in the braces at an offset, or in what the name at an offset declares. */
export type TypePlace = { readonly braces: number } | { readonly name: number };

/** Returns the type of a parameter of the function, or constructor, whose name is at an offset. */
export function parameterType(
  file: string,
  text: string,
  name: number,
  argument: number,
): TypePlace | undefined {
  const rest = codeOnly(text.slice(name, name + limits.mentions.statement));
  const head = /^[\p{ID_Continue}$]+\s*(?:=\s*(?:async\s+)?)?(?:<[^()]*>\s*)?\(/u.exec(rest)?.[0];
  const close = head === undefined ? undefined : closing(rest.slice(head.length));
  if (head === undefined || close === undefined) return undefined;
  const parameters = rest.slice(head.length, head.length + close);
  const parts = outermost(parameters).split(',');
  const part = parts[argument];
  if (part === undefined || part.includes('...') || /^\s*this\s*:/.test(parameters)) return undefined;
  const at = parts.slice(0, argument).join(',').length + (argument > 0 ? 1 : 0);
  const words = /^\s*(?:(?:public|private|protected|readonly)\s+)*/.exec(parameters.slice(at))?.[0] ?? '';
  return writtenType(file, text, name + head.length + at + words.length);
}

/** Returns the type behind the name of a parameter, or behind what takes it apart. */
function writtenType(file: string, text: string, start: number): TypePlace | undefined {
  const rest = codeOnly(text.slice(start, start + limits.mentions.statement));
  const close = rest.startsWith('{') ? closing(rest.slice(1)) : undefined;
  const end = close === undefined ? (/^[\p{ID_Continue}$]+/u.exec(rest)?.[0].length ?? 0) : close + 2;
  const colon = /^\s*\??\s*:\s*/.exec(rest.slice(end))?.[0].length;
  if (end === 0 || colon === undefined) return undefined;
  if (rest[end + colon] === '{')
    return wholeBraces(rest, end + colon) ? { braces: start + end + colon } : undefined;
  // As if a name stood before the colon.
  const name = typeWrittenAfter(file, `x${text.slice(start + end, start + end + limits.mentions.ahead)}`, 0);
  return name === undefined ? undefined : { name: start + end - 1 + name };
}

/** Returns the braces of an alias, `type Box = { x: number }`, whose name is at an offset. */
export function bracesOfAlias(text: string, name: number): number | undefined {
  const rest = codeOnly(text.slice(name, name + limits.mentions.list));
  if (!/\btype\s+$/.test(text.slice(Math.max(0, name - limits.mentions.ahead), name))) return undefined;
  const head = /^[\p{ID_Continue}$]+\s*(?:<[^={}]*>\s*)?=\s*(?=\{)/u.exec(rest)?.[0];
  return head !== undefined && wholeBraces(rest, head.length) ? name + head.length : undefined;
}

/** True if the braces at an offset are a whole type: nothing is joined with them. */
function wholeBraces(text: string, open: number): boolean {
  const close = closing(text.slice(open + 1));
  return close !== undefined && !/^\s*(?:[|&[]|extends\b)/.test(text.slice(open + close + 2));
}

/** Returns the offset of a member in the braces of a type at an offset. */
export function memberIn(text: string, braces: number, member: string): number | undefined {
  const rest = codeOnly(text.slice(braces + 1, braces + limits.mentions.list));
  const inside = outermost(rest.slice(0, closing(rest) ?? 0));
  const found = new RegExp(
    `(?<=(?:^|[;,\\n])\\s*(?:readonly\\s+)?)${patternOf(member)}(?=\\s*\\??\\s*[:(<])`,
    'u',
  ).exec(inside);
  return found ? braces + 1 + found.index : undefined;
}
