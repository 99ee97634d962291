/** A document of an index that a test makes. */
export interface TestDocument {
  readonly path: string;
  readonly language?: string;
  /** 1 UTF-8, 2 UTF-16, 3 UTF-32; absent if the index does not say. */
  readonly encoding?: number;
  readonly text?: string;
  /** Line, start and end of each place, its symbol, and whether it is defined there. */
  readonly occurrences: readonly (readonly [readonly number[], string, boolean?])[];
  readonly symbols?: readonly {
    readonly symbol: string;
    readonly documentation?: string;
    readonly implements?: readonly string[];
  }[];
}

/** Writes an index in the form of SCIP. */
export function writeScip(documents: readonly TestDocument[], tool = 'words'): Buffer {
  const metadata = message(2, Buffer.concat([text(1, tool), text(2, '1.0')]));
  return Buffer.concat([message(1, metadata), ...documents.map((one) => message(2, documentBytes(one)))]);
}

function documentBytes({ path, language = 'words', encoding, text: own, ...rest }: TestDocument): Buffer {
  return Buffer.concat([
    text(1, path),
    ...rest.occurrences.map(([range, symbol, isDefined = false]) =>
      message(
        2,
        Buffer.concat([
          message(1, Buffer.concat(range.map(varint))),
          text(2, symbol),
          ...(isDefined ? [number(3, 1)] : []),
        ]),
      ),
    ),
    ...(rest.symbols ?? []).map(({ symbol, documentation, implements: targets = [] }) =>
      message(
        3,
        Buffer.concat([
          text(1, symbol),
          ...(documentation === undefined ? [] : [text(3, documentation)]),
          ...targets.map((target) => message(4, Buffer.concat([text(1, target), number(3, 1)]))),
        ]),
      ),
    ),
    text(4, language),
    ...(own === undefined ? [] : [text(5, own)]),
    ...(encoding === undefined ? [] : [number(6, encoding)]),
  ]);
}

/** Writes a number in the variable length of protobuf. */
export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

/** Writes a field that is a message. */
export function message(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes]);
}

/** Writes a field that is a text. */
export function text(field: number, value: string): Buffer {
  return message(field, Buffer.from(value, 'utf8'));
}

function number(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)]);
}

/** The package that words are of, and words that another file declares. */
interface WordsPackage {
  readonly package?: string;
  readonly version?: string;
  readonly declared?: readonly string[];
}

/** Indexes texts of the words language, of which `function NAME` declares a word, as an indexer of a package would. */
export function indexWords(
  files: Readonly<Record<string, string>>,
  { package: name = 'words', version = '1.0.0', declared: others = [] }: WordsPackage = {},
): Buffer {
  const declared = new Set(others);
  for (const [, word = ''] of Object.values(files).flatMap((one) => [...one.matchAll(/function (\w+)/g)]))
    declared.add(word);
  const symbolOf = (word: string) => `words test ${name} ${version} ${word}().`;
  const documents = Object.entries(files).map(([path, content]) => ({
    path,
    occurrences: content.split('\n').flatMap((line, at) =>
      [...line.matchAll(/[\p{L}\p{N}_]+/gu)]
        .filter(([word]) => declared.has(word))
        .map((match): TestDocument['occurrences'][number] => {
          const [word] = match;
          const isDefined = line.slice(0, match.index).endsWith('function ');
          return [[at, match.index, match.index + word.length], symbolOf(word), isDefined];
        }),
    ),
  }));
  return writeScip(documents);
}
