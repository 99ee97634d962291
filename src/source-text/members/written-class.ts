import { limits } from '../../core/limits.ts';
import { isPython, isScript } from '../imports.ts';

/**
 * Returns the offset of the only class or interface that a declaration gives as a type: that of `Client` in
 * `client: Client`, `client?: Client<T> | null` and `client = new Client()`. `undefined` if it may be another one too.
 */
export function typeWrittenAfter(file: string, text: string, name: number): number | undefined {
  const after = text.slice(name, name + limits.mentions.ahead);
  const patterns = isScript(file) ? ofScripts : isPython(file) ? ofPython : [];
  for (const pattern of patterns) {
    const found = pattern.exec(after);
    if (found) return name + found[0].length;
  }
  return undefined;
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
const end = '(?=[ \\t]*(?:[,);}\\r]|=(?!>)|$|\\n(?!\\s*[|&.[])))';

const ofScripts = [
  new RegExp(
    `^${word}\\s*[?!]?\\s*:\\s*(?=${word}${generic}(?:\\s*\\|\\s*(?:null|undefined)\\b)*${end})`,
    'u',
  ),
  new RegExp(`^${word}\\s*=\\s*new\\s+(?=${word}${generic}\\s*(?:\\(|;|\\n))`, 'u'),
];

const ofPython = [
  /^\w+\s*:\s*["']?(?=[A-Za-z_]\w*["']?(?:\s*\|\s*None)?["']?[ \t]*(?:[,)\r\n=]|$))/,
  /^\w+\s*:\s*(?:\w+\.)?Optional\[\s*["']?(?=[A-Za-z_]\w*["']?\s*\])/,
  /^\w+\s*=\s*(?=[A-Za-z_]\w*\()/,
];
