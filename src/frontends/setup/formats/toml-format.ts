import { isDeepStrictEqual } from 'node:util';
import { parse, TomlError } from 'smol-toml';
import { asLspanError, LspanError } from '../../../core/errors.ts';
import { isRecord, type Json } from '../../../core/runtime/json.ts';
import { resultOrError } from '../../../core/runtime/result.ts';
import { type EntryFormat, type EntryValue, type ServerEntry, valueOfKeys } from './entry-format.ts';
import {
  fromTheEnd,
  insertion,
  lineEnd,
  lineEndingOf,
  lineStart,
  nextLine,
  refusedAt,
  replaceRange,
  type TextChange,
} from './text-change.ts';
import { type TomlStatement, tomlStatements } from './toml-statements.ts';

/** TOML, in which an entry is a section. */
export const tomlFormat: EntryFormat = { read, add, remove };

function read(text: string): Json {
  const parsed = resultOrError(() => parse(text, { integersAsBigInt: 'asNeeded' }));
  if (!(parsed instanceof LspanError)) return parsed;
  const { cause } = parsed;
  if (!(cause instanceof TomlError)) throw asLspanError(cause);
  const [what = ''] = cause.message.replace('Invalid TOML document: ', '').split('\n');
  throw new LspanError('refused', `${cause.line}:${cause.column}: this is not TOML (${what}).`, {
    nextStep: 'Correct the file there, and run it again.',
  });
}

function add(text: string, path: readonly string[], entry: ServerEntry): readonly TextChange[] {
  const there = valueOfKeys(read(text), path);
  const statements = tomlStatements(text);
  refuseInline(text, statements, path);
  if (there === undefined) return [appended(text, path, { ...entry.own, ...entry.initial })];
  const missing: [string, EntryValue][] = [];
  const changes: TextChange[] = [];
  for (const [key, value] of Object.entries(entry.own)) {
    const found = statements.find((one) => one.kind === 'pair' && isSame(one.path, [...path, key]));
    if (found === undefined) missing.push([key, value]);
    else if (!isDeepStrictEqual(valueOfKeys(there, [key]), value))
      changes.push(replaceRange(text, found.value, found.end, rendered(value)));
  }
  if (missing.length > 0) changes.push(...addedKeys(text, statements, path, missing));
  return fromTheEnd(changes);
}

/** Adds keys below the last one that the entry has, or below its header. */
function addedKeys(
  text: string,
  statements: readonly TomlStatement[],
  path: readonly string[],
  keys: readonly (readonly [string, EntryValue])[],
): readonly TextChange[] {
  const isDirect = (one: TomlStatement) => one.kind === 'pair' && isSame(one.path.slice(0, -1), path);
  const isHeader = (one: TomlStatement) => one.kind === 'header' && isSame(one.path, path);
  const last = statements.findLast(isDirect) ?? statements.find(isHeader);
  if (last === undefined) return [appended(text, path, Object.fromEntries(keys))];
  const ending = lineEndingOf(text);
  const prefix = path.slice(last.under.length);
  const lines = keys.map(
    ([key, value]) => `${[...prefix, key].map(renderedKey).join('.')} = ${rendered(value)}`,
  );
  return [insertion(lineEnd(text, last.end), lines.map((line) => `${ending}${line}`).join(''))];
}

/** An inline table cannot be continued by a section. */
function refuseInline(text: string, statements: readonly TomlStatement[], path: readonly string[]): void {
  const inline = statements.find(
    ({ kind, path: other }) => kind === 'pair' && other.length <= path.length && isWithin(other, path),
  );
  if (inline === undefined) return;
  const name = inline.path.join('.');
  throw refusedAt(
    text,
    inline.start,
    `${name} is written on one line. Write it as a section, [${path.join('.')}].`,
  );
}

function appended(
  text: string,
  path: readonly string[],
  values: Readonly<Record<string, EntryValue>>,
): TextChange {
  const ending = lineEndingOf(text);
  const lines = Object.entries(values).map(([key, value]) => `${renderedKey(key)} = ${rendered(value)}`);
  const section = [`[${path.map(renderedKey).join('.')}]`, ...lines].join(ending);
  if (text === '') return insertion(0, `${section}${ending}`);
  const isWhole = text.endsWith('\n');
  const isSpaced = /\n[ \t]*\r?\n$/.test(text) || text.trim() === '';
  const start = isWhole ? (isSpaced ? '' : ending) : `${ending}${ending}`;
  return insertion(text.length, `${start}${section}${isWhole ? ending : ''}`);
}

function remove(text: string, path: readonly string[]): readonly TextChange[] {
  const statements = tomlStatements(text);
  const sections = statements.filter(({ kind, path: own }) => kind !== 'pair' && isWithin(path, own));
  const pairs = statements.filter(
    ({ kind, path: own, under }) => kind === 'pair' && isWithin(path, own) && !isWithin(path, under),
  );
  const changes = sections.map((section) => {
    const next = statements.indexOf(section) + 1;
    const after = statements.slice(next).findIndex(({ kind }) => kind !== 'pair');
    const last = statements[after === -1 ? statements.length - 1 : next + after - 1] ?? section;
    return lines(text, section.start, last.end);
  });
  return fromTheEnd([...changes, ...pairs.map(({ start, end }) => lines(text, start, end))]);
}

/** Removes whole lines, and one of two blank lines that meet then. */
function lines(text: string, from: number, to: number): TextChange {
  const start = lineStart(text, from);
  const end = nextLine(text, to);
  const [blank = ''] = /(?<=^|\n)[ \t]*\r?\n$/.exec(text.slice(0, start)) ?? [];
  const meets = end === text.length || /^[ \t]*\r?\n/.test(text.slice(end));
  return replaceRange(text, meets ? start - blank.length : start, end, '');
}

function rendered(value: EntryValue): string {
  if (typeof value === 'string') return JSON.stringify(value).replaceAll('\x7f', '\\u007F');
  if (Array.isArray(value)) return `[${value.map((item) => rendered(item)).join(', ')}]`;
  if (!isRecord(value)) return String(value);
  const pairs = Object.entries(value).map(([key, item]) => `${renderedKey(key)} = ${rendered(String(item))}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

function renderedKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && isWithin(a, b);
}

function isWithin(outer: readonly string[], inner: readonly string[]): boolean {
  return outer.every((key, index) => inner[index] === key);
}
