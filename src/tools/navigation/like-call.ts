import { limits } from '../../core/limits.ts';
import type { Range } from '../../core/position.ts';
import { closing } from '../../source-text/brackets.ts';
import type { Document } from '../../workspace/texts/document.ts';

/** Returns whether a use of a function looks like a call of it, which a server should list among the callers. */
export function isLikeCall(document: Document, { start, end }: Range, isClass: boolean): boolean {
  const before = document.line(start.line).slice(0, start.character);
  if (decorates.test(before)) return true;
  if (isClass && extending.test(before)) return document.text.includes('super(');
  const offset = document.offsetAt(end);
  const rest = document.text.slice(offset, offset + limits.mentions.statement);
  if (isMarkup.test(document.path) && opensElement.test(before)) return endsElementName.test(rest);
  return opensCall(rest, document.path) && !declaring.test(before);
}

/** Returns whether what follows a name calls it: type arguments, if any, and a bracket or a template. */
function opensCall(rest: string, path: string): boolean {
  const [marks] = callMarks.exec(rest) ?? [''];
  const after = rest.slice(marks.length);
  if (isBracketed.test(path) && after.startsWith('[')) {
    const end = closing(after.slice(1));
    return end !== undefined && after[end + 2] === '(';
  }
  return argumentsFollow.test(after.slice(typeArguments(after)));
}

/** Returns the length of the type arguments at the start of a text; none if it compares instead. */
function typeArguments(text: string): number {
  if (!text.startsWith('<')) return 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const two = text.slice(at, at + 2);
    if (two === '&&' || two === '||') return 0;
    if (two === '=>' || two === '->') at += 1;
    else if (text[at] === '<') depth += 1;
    else if (text[at] === '>') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return 0;
}

/** May stand between a name and what it is called with: that of a value which may be missing, or of a macro of Rust. */
const callMarks = /^(?:!(?!=))?(?:\?\.(?=[(<])|::(?=<))?/;
/** A template is an argument only directly behind the name. */
const argumentsFollow = /^(?:[ \t]*\(|`)/;
/** Files in which type arguments are in square brackets. */
const isBracketed = /\.(?:go|pyi?)$/;
/** Precedes the name of a decorator. */
const decorates = /(?:^|[\s;])@(?:[\w$]+\.)*$/;
/** Precedes the name of a class whose constructor subclasses may call by `super`. */
const extending = /\bextends\s+(?:[\w$]+\.)*$/;
/** Precedes a name that is declared, such as that of an overload. */
const declaring = /\b(?:def|fn|func|function|abstract|override|virtual|static|async|get|set)\s+$/;
/** Files in which components are called by elements. */
const isMarkup = /\.(?:[jt]sx|[cm]?js)$/;
/** Precedes the name of an element, and not a type argument. */
const opensElement = /(?<![\w$)\]])<(?:[\w$]+\.)*$/;
const endsElementName = /^(?:[\s/>]|$)/;
