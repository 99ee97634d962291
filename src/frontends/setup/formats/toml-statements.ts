import { parse } from 'smol-toml';

/** A header or a pair of a TOML file, with its place. */
export interface TomlStatement {
  readonly kind: 'header' | 'list' | 'pair';
  /** All keys from the root of the file. */
  readonly path: readonly string[];
  /** The keys of the header above a pair. */
  readonly under: readonly string[];
  readonly start: number;
  /** Where the value of a pair begins. */
  readonly value: number;
  /** Where the statement ends, before a comment on its line. */
  readonly end: number;
}

/** Lists the statements of a text, which must be valid TOML. */
export function tomlStatements(text: string): readonly TomlStatement[] {
  const found: TomlStatement[] = [];
  let under: readonly string[] = [];
  const blank = /(?:[ \t\r\n]|#[^\n]*)*/y;
  for (let at = skip(blank, text, 0); at < text.length; at = skip(blank, text, at)) {
    const isList = text.startsWith('[[', at);
    if (text[at] === '[') {
      const keys = readKeys(text, at + (isList ? 2 : 1));
      under = keys.path;
      const end = text.indexOf(']', keys.end) + (isList ? 2 : 1);
      found.push({ kind: isList ? 'list' : 'header', path: under, under, start: at, value: end, end });
    } else {
      const keys = readKeys(text, at);
      const value = skip(/[ \t]*/y, text, text.indexOf('=', keys.end) + 1);
      const end = endOfValue(text, value);
      found.push({ kind: 'pair', path: [...under, ...keys.path], under, start: at, value, end });
    }
    at = found.at(-1)?.end ?? text.length;
  }
  return found;
}

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text) === null ? from : pattern.lastIndex;
}

/** Reads a dotted key. */
function readKeys(text: string, from: number): { readonly path: readonly string[]; readonly end: number } {
  const path: string[] = [];
  const key = /[ \t]*("(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)[ \t]*(\.?)/y;
  key.lastIndex = from;
  for (let found = key.exec(text); found !== null; found = key.exec(text)) {
    const [, name = '', dot] = found;
    path.push(/^["']/.test(name) ? String(parse(`key = ${name}`).key) : name);
    if (dot === '') return { path, end: key.lastIndex };
  }
  return { path, end: from };
}

/** Returns where a value ends: at the end of its line, or of its last bracket. */
function endOfValue(text: string, from: number): number {
  const word =
    /"""(?:[^\\]|\\.)*?"{3,5}|'''.*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[[\]{}]|[^"'#[\]{}\n]+|\n/sy;
  let depth = 0;
  let end = from;
  word.lastIndex = from;
  for (let found = word.exec(text); found !== null; found = word.exec(text)) {
    const [part] = found;
    if (depth === 0 && (part === '\n' || part.startsWith('#'))) break;
    if (part === '[' || part === '{') depth++;
    if (part === ']' || part === '}') depth--;
    if (part.trim() !== '') end = found.index + part.trimEnd().length;
  }
  return end;
}
