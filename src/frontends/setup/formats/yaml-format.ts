import { isDeepStrictEqual } from 'node:util';
import { isRecord, type Json } from '../../../core/runtime/json.ts';
import { type EntryFormat, type EntryValue, type ServerEntry, valueOfKeys } from './entry-format.ts';
import {
  fromTheEnd,
  insertion,
  lineEnd,
  lineEndingOf,
  refusedAt,
  replaceRange,
  type TextChange,
} from './text-change.ts';
import { childrenOf, type YamlBlock, yamlBlocks } from './yaml-blocks.ts';
import { readYamlEntry } from './yaml-entry.ts';

/**
 * YAML whose first two levels are block mappings; other files are refused. Indentation alone separates their parts, so
 * that nothing else has to be understood: the rest of the file is compared as text.
 */
export const yamlFormat: EntryFormat = { read, add, remove };

function read(text: string): Json {
  const blocks = yamlBlocks(text).map((block) => {
    const children = childrenOf(text, block);
    if (children === undefined) return [block.key, block.text] as const;
    const entries = children.map((child) => [child.key, readYamlEntry(child.text) ?? child.text] as const);
    return [block.key, Object.fromEntries(entries)] as const;
  });
  return Object.fromEntries(blocks);
}

function add(
  text: string,
  [outer = '', name = '']: readonly string[],
  entry: ServerEntry,
): readonly TextChange[] {
  const block = yamlBlocks(text).find(({ key }) => key === outer);
  const ending = lineEndingOf(text);
  const whole = { ...entry.own, ...entry.initial };
  if (block === undefined) return [appended(text, [`${outer}:`, ...linesOf(name, whole, '  ')])];
  const children = childrenOf(text, block);
  if (children === undefined)
    throw refusedAt(text, block.start, `"${outer}" is not a mapping with a line for each key.`);
  const child = children.find(({ key }) => key === name);
  if (child !== undefined) return corrected(text, child, entry, block);
  const indent = children[0]?.indent ?? '  ';
  const lines = linesOf(name, whole, indent).map((line) => `${ending}${line}`);
  // Right below the key: what ends the last block, such as blank lines, may belong to a text in it.
  const below = insertion(lineEnd(text, block.valueEnd), lines.join(''));
  const isEmptyValue = block.valueEnd > block.keyEnd;
  return isEmptyValue ? fromTheEnd([below, replaceRange(text, block.keyEnd, block.valueEnd, '')]) : [below];
}

function corrected(
  text: string,
  child: YamlBlock,
  { own }: ServerEntry,
  outer: YamlBlock,
): readonly TextChange[] {
  const there = readYamlEntry(child.text);
  const keys = childrenOf(text, child);
  if (there === undefined || keys === undefined)
    throw refusedAt(
      text,
      child.start,
      `"${outer.key}: ${child.key}" is not written in a way that lspan can change.`,
    );
  const indent = keys[0]?.indent ?? `${child.indent}  `;
  const ending = lineEndingOf(text);
  const changes = Object.entries(own).flatMap(([key, value]) => {
    if (isDeepStrictEqual(valueOfKeys(there, [key]), value)) return [];
    const lines = pairLines(key, value, indent).join(ending);
    const found = keys.find((one) => one.key === key);
    if (found === undefined) return insertion(child.keyEnd, `${ending}${lines}`);
    return replaceRange(text, found.start, found.end, lines);
  });
  return fromTheEnd(changes);
}

function remove(
  text: string,
  [outer = '', name = '']: readonly string[],
  around: number,
): readonly TextChange[] {
  const block = yamlBlocks(text).find(({ key }) => key === outer);
  const children = (block && childrenOf(text, block)) ?? [];
  const child = children.find(({ key }) => key === name);
  if (block === undefined || child === undefined) return [];
  if (children.length > 1) return [replaceRange(text, child.start, nextStart(text, child.end), '')];
  if (around > 0) return [replaceRange(text, block.start, nextStart(text, block.end), '')];
  const own = replaceRange(text, child.start, nextStart(text, child.end), '');
  return fromTheEnd([own, insertion(block.colon, ' {}')]);
}

function nextStart(text: string, end: number): number {
  return end + (/^\r?\n/.exec(text.slice(end))?.[0].length ?? 0);
}

function appended(text: string, lines: readonly string[]): TextChange {
  const ending = lineEndingOf(text);
  const section = lines.join(ending);
  if (text === '' || text.endsWith('\n')) return insertion(text.length, `${section}${ending}`);
  // Whether a text of several lines ends with a line ending can depend on that of the file.
  if (/[|>][-+\d]*[ \t]*(?:#.*)?\r?$/m.test(text))
    throw refusedAt(
      text,
      text.length,
      'the last line has no line ending, and may belong to a text of several lines.',
    );
  return insertion(text.length, `${ending}${section}`);
}

function linesOf(
  name: string,
  values: Readonly<Record<string, EntryValue>>,
  indent: string,
): readonly string[] {
  const inner = Object.entries(values).flatMap(([key, value]) => pairLines(key, value, indent + indent));
  return [`${indent}${name}:`, ...inner];
}

function pairLines(key: string, value: EntryValue, indent: string): readonly string[] {
  if (Array.isArray(value) && value.length > 0)
    return [`${indent}${key}:`, ...value.map((item) => `${indent}  - ${scalar(item)}`)];
  if (Array.isArray(value)) return [`${indent}${key}: []`];
  if (isRecord(value)) return [`${indent}${key}: {}`];
  return [`${indent}${key}: ${scalar(value)}`];
}

/** Quotes everything that is not certainly a plain string. */
function scalar(value: EntryValue): string {
  if (typeof value !== 'string') return String(value);
  const isPlain =
    /^[A-Za-z/][\w./-]*$/.test(value) && !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(value);
  return isPlain ? value : JSON.stringify(value);
}
