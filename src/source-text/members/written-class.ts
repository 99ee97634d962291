import { limits } from '../../core/limits.ts';
import { closing, codeOnly } from '../brackets.ts';
import { isPython, isScript } from '../imports.ts';

/**
 * Returns the offset of the only class or interface that a declaration gives as a type: that of `Client` in
 * `client: Client`, `client?: Client<T> | null` and `client = new Client()`. `undefined` if it may be another one too.
 */
export function typeWrittenAfter(file: string, text: string, name: number): number | undefined {
  const after = text.slice(name, name + limits.mentions.ahead);
  if (isPython(file)) return pythonType(text, name, after);
  if (!isScript(file)) return undefined;
  const annotated = annotation.exec(after);
  if (annotated) return name + annotated[0].length;
  const made = construction.exec(after);
  if (!made || !isOnlyValue(text, name + made[0].length)) return undefined;
  // Without types, a variable may get a value of another class later.
  const isFixed = !/\.[cm]?jsx?$/.test(file) || /\bconst\s+$/.test(text.slice(Math.max(0, name - 20), name));
  return isFixed ? name + made[0].length : undefined;
}

function pythonType(text: string, name: number, after: string): number | undefined {
  const annotated = ofPython.map((pattern) => pattern.exec(after)).find((found) => found !== null);
  if (annotated) return name + annotated[0].length;
  const made = /^\w+\s*=\s*(?=[A-Za-z_]\w*\()/.exec(after);
  // In the body of a class, it may say what the members of its objects are.
  const isOwn = text.slice(0, name).endsWith('self.') || /(?:^|\n)$/.test(text.slice(0, name));
  return made && isOwn && isOnlyValue(text, name + made[0].length) ? name + made[0].length : undefined;
}

/** True if nothing follows what the name at an offset makes: no member of it, no cast, no other value. */
function isOnlyValue(text: string, made: number): boolean {
  const rest = codeOnly(text.slice(made, made + limits.mentions.statement));
  const open = /^[\p{ID_Continue}$]+\s*(?:<[^(){};]*>)?\s*\(/u.exec(rest)?.[0].length;
  if (open === undefined) return /^[\p{ID_Continue}$]+\s*;/u.test(rest);
  const close = closing(rest.slice(open));
  return (
    close !== undefined &&
    /^[ \t]*(?:[;,)}]|#|$|\r?\n(?!\s*[.?([`+*/%&|=<>-]))/.test(rest.slice(open + close + 1))
  );
}

/** Returns the offset of the word before the dot at an offset, also if it is a member itself: `client` in `this.client.get`. */
export function valueBefore(text: string, offset: number): number | undefined {
  const before = text.slice(Math.max(0, offset - limits.mentions.ahead), offset);
  const match = /[\p{ID_Start}$_][\p{ID_Continue}$]*(?=\s*[?!]?\s*\.\s*$)/u.exec(before);
  return match ? offset - before.length + match.index : undefined;
}

/** True if what is declared at an offset is a function: servers take what it returns for its type. */
export function isFunctionAt(text: string, name: number): boolean {
  const after = text.slice(name, name + limits.mentions.ahead);
  return /^[\p{ID_Continue}$]+\s*(?:<[^()]*>\s*)?(?:\(|=\s*(?:async\b|function\b|\(|[\p{ID_Continue}$]+\s*=>))/u.test(
    after,
  );
}

const word = '[\\p{ID_Start}$_][\\p{ID_Continue}$]*';
const generic = '(?:<[^<>(){}]*>)?';
/** Nothing follows that would make it another type. */
const end = '(?=[ \\t]*(?:[,);}]|=(?!>)|$|\\r?\\n(?!\\s*[|&.[])))';

const annotation = new RegExp(
  `^${word}\\s*[?!]?\\s*:\\s*(?=${word}${generic}(?:\\s*\\|\\s*(?:null|undefined)\\b)*${end})`,
  'u',
);
const construction = new RegExp(`^${word}\\s*=\\s*new\\s+(?=${word}${generic}\\s*(?:\\(|;))`, 'u');

const ofPython = [
  /^\w+[ \t]*:[ \t]*["']?(?=[A-Za-z_]\w*["']?(?:[ \t]*\|[ \t]*None)?["']?[ \t]*(?:[,)=]|\r?\n|$))/,
  /^\w+[ \t]*:[ \t]*(?:\w+\.)?Optional\[\s*["']?(?=[A-Za-z_]\w*["']?\s*\])/,
];
