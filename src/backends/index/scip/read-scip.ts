import { limits } from '../../../core/limits.ts';
import type { PositionEncoding } from '../../../core/position.ts';
import type { ByteReader } from '../../../platform/large-files/byte-reader.ts';
import { notScip, WireReader } from './wire-reader.ts';

/** What an index says about itself. */
export interface ScipMetadata {
  readonly kind: 'metadata';
  readonly tool: string;
  readonly toolVersion: string;
}

/** One file of an index. */
export interface ScipDocument {
  readonly kind: 'document';
  /** Relative to the root, with `/`; nothing leads out of it. */
  readonly path: string;
  readonly language: string;
  /** `undefined` if the index does not say in which units it counts columns. */
  readonly encoding: PositionEncoding | undefined;
  readonly text: string | undefined;
  readonly occurrences: readonly ScipOccurrence[];
  readonly symbols: readonly ScipSymbol[];
}

/** One place where a symbol is named, in the units of the document. */
export interface ScipOccurrence {
  readonly symbol: string;
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly isDefinition: boolean;
}

/** What an index says of a symbol. */
export interface ScipSymbol {
  readonly kind: 'symbol';
  readonly symbol: string;
  readonly symbolKind: number;
  readonly displayName: string;
  readonly documentation: string;
  /** The symbols that it implements or overrides. */
  readonly implementations: readonly string[];
}

/** The role of an occurrence that defines its symbol. */
const definitionRole = 1;

/**
 * Reads a SCIP index (https://github.com/sourcegraph/scip/blob/main/scip.proto) part by part: one document is in memory at
 * a time. Throws `invalid_input` for anything that is not an index, and `limit_exceeded` for a part beyond the limits.
 */
export function* readScip(file: ByteReader): Generator<ScipMetadata | ScipDocument | ScipSymbol> {
  let position = 0;
  while (position < file.size) {
    const start = new WireReader(file.read(position, longestHead));
    const { number, length } = start.head();
    if (length === undefined) throw notScip('a field of the index has an unknown type');
    position += start.position;
    if (position + length > file.size) throw notScip('it is cut off, or a length leads past its end');
    if (length > limits.index.part) throw tooLarge(length);
    if (number === 1) yield readMetadata(file.read(position, length));
    else if (number === 2) yield readDocument(file.read(position, length));
    else if (number === 3) yield readSymbol(new WireReader(file.read(position, length)));
    position += length;
  }
}

/** A number and a length take at most ten bytes each. */
const longestHead = 20;

function tooLarge(length: number) {
  const [size, most] = [length, limits.index.part].map((bytes) => `${Math.round(bytes / 1e6)} MB`);
  return notScip(`one of its documents has ${size}, and at most ${most} are read`);
}

function readMetadata(bytes: Buffer): ScipMetadata {
  let [tool, toolVersion] = ['', ''];
  const reader = new WireReader(bytes);
  for (let number = reader.next(); number > 0; number = reader.next()) {
    if (number !== 2) continue;
    const inner = reader.message();
    for (let part = inner.next(); part > 0; part = inner.next()) {
      if (part === 1) tool = inner.text(limits.index.name);
      if (part === 2) toolVersion = inner.text(limits.index.name);
    }
  }
  return { kind: 'metadata', tool, toolVersion };
}

function readDocument(bytes: Buffer): ScipDocument {
  const [occurrences, symbols]: [ScipOccurrence[], ScipSymbol[]] = [[], []];
  let [path, language, encoding]: [string | undefined, string, number] = [undefined, '', 0];
  let text: string | undefined;
  const reader = new WireReader(bytes);
  for (let number = reader.next(); number > 0; number = reader.next()) {
    if (number === 1) path = reader.text(limits.path.length);
    else if (number === 2) readOccurrence(reader, occurrences);
    else if (number === 3) symbols.push(readSymbol(reader.message()));
    else if (number === 4) language = reader.text(limits.index.name);
    else if (number === 5) text = reader.text(limits.index.part);
    else if (number === 6) encoding = reader.value;
  }
  return {
    ...{ kind: 'document', path: checkedPath(path), language, text, occurrences, symbols },
    encoding: encodings[encoding],
  };
}

const encodings: Readonly<Record<number, PositionEncoding>> = { 1: 'utf-8', 2: 'utf-16', 3: 'utf-32' };

/** Adds an occurrence, unless it has no symbol: it is then about syntax only. */
function readOccurrence(reader: WireReader, to: ScipOccurrence[]): void {
  let range: readonly number[] = [];
  let [symbol, roles] = ['', 0];
  // There are more of them than of anything else: no reader is made for each.
  const outer = reader.enter();
  for (let number = reader.next(); number > 0; number = reader.next()) {
    if (number === 1) range = reader.hasLength ? packed(reader) : [...range, reader.value];
    else if (number === 2) symbol = reader.text(limits.index.symbol);
    else if (number === 3) roles = reader.value;
  }
  reader.leave(outer);
  if (symbol !== '') to.push(readRange(range, symbol, roles));
}

/** Reads `[line, start, end]` or `[line, start, line, end]`. */
function readRange(range: readonly number[], symbol: string, roles: number): ScipOccurrence {
  const [startLine = -1, startColumn = -1, third = -1, fourth] = range;
  const endLine = fourth === undefined ? startLine : third;
  const endColumn = fourth ?? third;
  const isRange = range.length === 3 || range.length === 4;
  const isOrdered = endLine > startLine || (endLine === startLine && endColumn >= startColumn);
  if (!isRange || !isOrdered || Math.max(startLine, startColumn, endLine, endColumn) > mostLines)
    throw notScip('a range is none');
  return { symbol, startLine, startColumn, endLine, endColumn, isDefinition: (roles & definitionRole) !== 0 };
}

/** Negative numbers and other lies are larger. */
const mostLines = 2 ** 31 - 1;

function packed(reader: WireReader): readonly number[] {
  const numbers: number[] = [];
  const outer = reader.enter();
  while (!reader.isAtEnd) {
    numbers.push(reader.varint());
    if (numbers.length > 4) throw notScip('a range is none');
  }
  reader.leave(outer);
  return numbers;
}

function readSymbol(reader: WireReader): ScipSymbol {
  const implementations: string[] = [];
  let [symbol, displayName, documentation, symbolKind] = ['', '', '', 0];
  for (let number = reader.next(); number > 0; number = reader.next()) {
    if (number === 1) symbol = reader.text(limits.index.symbol);
    else if (number === 3) documentation = joinedTexts(documentation, reader);
    else if (number === 4) implementations.push(...readImplementation(reader.message()));
    else if (number === 5) symbolKind = reader.value;
    else if (number === 6) displayName = reader.text(limits.index.symbol);
  }
  return { kind: 'symbol', symbol, symbolKind, displayName, documentation, implementations };
}

/** Adds the text of a field, as far as there is room. What is cut is not read: a part of a text would keep all of it in memory. */
function joinedTexts(before: string, reader: WireReader): string {
  const room = limits.index.documentation - before.length;
  if (room <= 0) return before;
  const next = reader.beginning(room);
  return before === '' ? next : `${before}\n\n${next}`;
}

function readImplementation(reader: WireReader): readonly string[] {
  let [symbol, isImplementation] = ['', false];
  for (let number = reader.next(); number > 0; number = reader.next()) {
    if (number === 1) symbol = reader.text(limits.index.symbol);
    if (number === 3) isImplementation = reader.value !== 0;
  }
  return isImplementation && symbol !== '' ? [symbol] : [];
}

/** Refuses what leads out of the repository. Indexers write canonical paths: no `..`, no `.`, no empty name. */
function checkedPath(path: string | undefined): string {
  const parts = path?.split('/') ?? [];
  const isClean =
    parts.length > 0 &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..' && !odd.test(part));
  if (path === undefined || !isClean || /^[A-Za-z]:/.test(path))
    throw notScip(
      `${JSON.stringify((path ?? '').slice(0, limits.quoted.path))} is not a path in a repository`,
    );
  return path;
}

const odd = /[\u0000-\u001f\\]/;
