import type { z } from 'zod';
import type { Json } from '../../core/runtime/json.ts';
import type { FieldReading } from './read-fields.ts';

/** A location as answers print it. */
interface PrintedPlace {
  readonly path: string;
  readonly line: number;
  readonly character: number | undefined;
  /** Present in the id of a symbol. */
  readonly name: string | undefined;
}

/** Reads `src/cart.ts:12:7`, also with the end that outlines print, or the name that ids end with. */
function printedPlaceIn(text: string): PrintedPlace | undefined {
  const [, path = '', line = '', character, name] = printed.exec(text.trim()) ?? [];
  if (line === '') return undefined;
  return { path, line: Number(line), character: character ? Number(character) : undefined, name };
}

const printed =
  /^(.*?[^:\s])(?<!:\d{1,9}):L?([1-9]\d{0,8})(?::([1-9]\d{0,8}))?(?:-\d{1,9}(?::\d{1,9})?)?(?:#(.+))?$/s;

/** Reads a path with the place as compilers (`src/cart.ts(12,7)`) and links to code (`src/cart.ts#L12`) write it. */
function linkedPlaceIn(text: string): PrintedPlace | undefined {
  const { path = '', line, column, link } = linked.exec(text.trim())?.groups ?? {};
  if (line === undefined && link === undefined) return undefined;
  const character = column === undefined ? undefined : Number(column);
  return { path, line: Number(line ?? link), character, name: undefined };
}

const linked =
  /^(?<path>.*[^:\s])(?:\((?<line>[1-9]\d{0,8}), ?(?<column>[1-9]\d{0,8})\)|#L(?<link>[1-9]\d{0,8})(?:-L?\d{1,9})?)$/s;

/** Fields that may hold a location instead, in the order in which they are tried. */
const holders = ['file_path', 'file', 'id', 'symbol_name'] as const;

/**
 * Takes a location that was pasted into one field apart. A path that really ends in numbers can still be given with
 * another `line`.
 * @param isLiteral True for a call that writes: then a name is not taken for an id.
 */
export function withPastedPlace(
  schema: z.ZodObject,
  { fields, adjusted }: FieldReading,
  isLiteral: boolean,
): FieldReading {
  const shape: Json = schema.shape;
  for (const holder of holders) {
    const value = fields[holder];
    const place = typeof value === 'string' && holder in shape ? placeIn(value, holder) : undefined;
    if (!place || (holder === 'id' && place.name !== undefined)) continue;
    const read =
      'line' in shape ? placed(shape, fields, holder, place) : withoutPlace(shape, fields, holder, place);
    if (read) return { fields: read.fields, adjusted: [...adjusted, ...read.adjusted] };
  }
  const named = isLiteral ? fields : withNameAsId(shape, fields);
  const told = named === fields ? adjusted : [...adjusted, '`symbol_name` instead of `id`'];
  return { fields: withSplitLine(shape, withSplitName(shape, named)), adjusted: told };
}

type Holder = (typeof holders)[number];

/** A name may have brackets of its own. */
function placeIn(value: string, holder: Holder): PrintedPlace | undefined {
  const isPath = holder === 'file_path' || holder === 'file';
  return printedPlaceIn(value) ?? (isPath ? linkedPlaceIn(value) : undefined);
}

function placed(
  shape: Json,
  fields: Json,
  holder: Holder,
  { path, line, character, name }: PrintedPlace,
): FieldReading | undefined {
  const { [holder]: text, ...rest } = fields;
  const pathField = 'file' in shape ? 'file' : 'file_path';
  const agrees = (given: unknown, read: unknown) => given === undefined || given === read;
  const isSame =
    agrees(rest.line, line) &&
    (character === undefined || agrees(rest.character, character)) &&
    agrees(holder === pathField ? undefined : rest[pathField], path);
  if (!isSame) return undefined;
  if (name !== undefined && 'id' in shape) {
    const { line: _line, character: _character, [pathField]: _path, symbol_name: _name, ...others } = rest;
    return { fields: { ...others, id: text }, adjusted: [] };
  }
  const at = character === undefined ? { line } : { line, character };
  return { fields: { ...rest, [pathField]: path, ...at }, adjusted: [] };
}

/** A tool that only reads a whole file has no use for the place; one that changes files gets the path as it is. */
function withoutPlace(
  shape: Json,
  fields: Json,
  holder: Holder,
  { path }: PrintedPlace,
): FieldReading | undefined {
  if ('dry_run' in shape || (holder !== 'file_path' && holder !== 'file')) return undefined;
  return { fields: { ...fields, [holder]: path }, adjusted: [`the whole file ${JSON.stringify(path)}`] };
}

/** Outlines print `7:17` below the name of the file; links write `L7`, and ranges of lines `7-9`. */
function withSplitLine(shape: Json, fields: Json): Json {
  const { line, character, end_line: end } = fields;
  if (typeof line !== 'string') return fields;
  const { first, column, last } = lineForm.exec(line)?.groups ?? {};
  if (first === undefined) return fields;
  if (column !== undefined)
    return 'character' in shape && character === undefined
      ? { ...fields, line: Number(first), character: Number(column) }
      : fields;
  if (last === undefined) return { ...fields, line: Number(first) };
  return 'end_line' in shape && end === undefined
    ? { ...fields, line: Number(first), end_line: Number(last) }
    : fields;
}

const lineForm =
  /^\s*(?:L|line )?(?<first>\d{1,9})(?::(?<column>\d{1,9}).*|\s*-\s*L?(?<last>\d{1,9})\s*)?$/is;

/** Reads `src/price.ts#addPrices`, as links to code are written, and other ways to say in which file a name is. */
function withSplitName(shape: Json, fields: Json): Json {
  const { symbol_name: name, file_path: path } = fields;
  if (typeof name !== 'string' || !('file_path' in shape)) return fields;
  const { file, own } = (fileFirst.exec(name) ?? nameFirst.exec(name))?.groups ?? {};
  if (own === undefined || (path !== undefined && path !== file)) return fields;
  return { ...fields, file_path: file, symbol_name: own };
}

/** `src/price.ts#addPrices`, `src/price.ts:addPrices`, `tests/test_cart.py::TestCart::test_total`, `src/price.ts addPrices`. */
const fileFirst = /^(?<file>[^#:\s]*\/[^#:\s]*\.\w+)(?:#|::?|\s+|\/(?=[^/.]*$))(?<own>[^#\s:].*)$/s;

/** `addPrices@src/price.ts`, `addPrices in src/price.ts`, `addPrices (src/price.ts)`. */
const nameFirst = /^(?<own>[^\s@/()]+)(?:@| +(?:in|from) +| *\()(?<file>[^#:\s()]*\/[^#:\s()]*\.\w+)\)?$/s;

/** Reads a name that was given as the id of a symbol, if the tool also takes a name. */
function withNameAsId(shape: Json, fields: Json): Json {
  const { id, ...others } = fields;
  const isName = typeof id === 'string' && !/:\d/.test(id) && /^[\p{ID_Start}_$]/u.test(id);
  if (!isName || !('symbol_name' in shape) || others.symbol_name !== undefined) return fields;
  return { ...others, symbol_name: id };
}
