import { refusedAt } from './text-change.ts';

/** A key of a block mapping with all lines below it. */
export interface YamlBlock {
  readonly key: string;
  readonly indent: string;
  /** Where the line of the key begins. */
  readonly start: number;
  /** Where the colon of the key ends. */
  readonly colon: number;
  /** Where the key ends: after its colon and a comment on its line, if no value is there. */
  readonly keyEnd: number;
  /** Where a value on the line of the key ends, such as `{}`. */
  readonly valueEnd: number;
  /** Where the last line of the block ends; blank lines and comments that follow are not part of it. */
  readonly end: number;
  readonly text: string;
}

interface Line {
  readonly start: number;
  readonly text: string;
}

/** Returns the blocks of a text at its first level. Throws for a text that is no plain block mapping. */
export function yamlBlocks(text: string): readonly YamlBlock[] {
  const lines = contentLines(text, 0, text.length);
  const body = lines[0]?.text.startsWith('---') && lines[0].text.trim() === '---' ? lines.slice(1) : lines;
  const wrong = body.find((line) => /^(?:---|\.\.\.|%)/.test(line.text) || isWrongKey(line.text));
  if (wrong !== undefined) throw refusedAt(text, wrong.start, wrongKey);
  const [first] = body;
  if (first !== undefined && /^[ \t]/.test(first.text)) throw refusedAt(text, first.start, wrongKey);
  const blocks = blocksIn(body, '');
  const names = blocks.map(({ key }) => key);
  const twice = blocks.find(({ key }, index) => names.indexOf(key) < index);
  if (twice !== undefined) throw refusedAt(text, twice.start, `"${twice.key}" is there twice.`);
  return blocks;
}

const wrongKey = 'this is not YAML of the plain form "key: value" that lspan can change.';

/** At the first level, all that is not indented must be a key. */
function isWrongKey(line: string): boolean {
  return !/^[ \t]/.test(line) && readKey(line) === undefined;
}

/** Returns the blocks inside a block; none for an empty mapping, `undefined` if its value is something else. */
export function childrenOf(text: string, block: YamlBlock): readonly YamlBlock[] | undefined {
  const [head, ...lines] = contentLines(text, block.start, block.end);
  const [first] = lines;
  if (head === undefined || (block.valueEnd > block.keyEnd && !isEmptyValue(text, block))) return undefined;
  if (first === undefined) return [];
  if (block.valueEnd > block.keyEnd) return undefined;
  const indent = /^[ \t]*/.exec(first.text)?.[0] ?? '';
  const isMapping = lines.every(
    ({ text: line }) =>
      !line.includes('\t') && (deeper(line, indent) || readKey(line.slice(indent.length)) !== undefined),
  );
  const isAligned = lines.every(({ text: line }) => line.startsWith(indent));
  return indent.length > block.indent.length && isMapping && isAligned ? blocksIn(lines, indent) : undefined;
}

function isEmptyValue(text: string, { keyEnd, valueEnd }: YamlBlock): boolean {
  return /^(?:\{\s*\}|null|~)$/.test(text.slice(keyEnd, valueEnd).trim());
}

function deeper(line: string, indent: string): boolean {
  return line.startsWith(`${indent} `);
}

/** Lines that are neither blank nor a comment. In a text of several lines some may be, and stay where they are. */
function contentLines(text: string, from: number, to: number): readonly Line[] {
  const lines: Line[] = [];
  for (let start = from; start < to; ) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end === -1 || end > to ? to : end).replace(/\r$/, '');
    if (!/^[ \t]*(?:#|$)/.test(line)) lines.push({ start, text: line });
    start = end === -1 ? to : end + 1;
  }
  return lines;
}

function blocksIn(lines: readonly Line[], indent: string): readonly YamlBlock[] {
  const heads = lines.flatMap((line, index) => (deeper(line.text, indent) ? [] : [index]));
  return heads.flatMap((at, order) => {
    const own = lines.slice(at, heads[order + 1] ?? lines.length);
    const [head] = own;
    const last = own.at(-1);
    const key = head && readKey(head.text.slice(indent.length));
    if (head === undefined || last === undefined || key === undefined) return [];
    const keyEnd = head.start + indent.length + key.length;
    const colon = head.start + indent.length + key.colon;
    const text = own.map((line) => line.text.slice(indent.length)).join('\n');
    const end = last.start + last.text.length;
    return [
      { key: key.name, indent, start: head.start, colon, keyEnd, valueEnd: keyEnd + key.value, end, text },
    ];
  });
}

/** Reads the key of a line, its length up to where lines may be inserted below it, and the length of its value. */
function readKey(
  line: string,
):
  | { readonly name: string; readonly colon: number; readonly length: number; readonly value: number }
  | undefined {
  const found = /^(?:([\w./@-]+)|"([^"\\]*)"|'([^']*)')[ \t]*:(?=[ \t]|$)([ \t]*)(.*)$/.exec(line);
  if (found === null || line.startsWith('- ')) return undefined;
  const [, plain, double, single, blanks = '', value = ''] = found;
  const name = plain ?? double ?? single ?? '';
  const isComment = value === '' || value.startsWith('#');
  const length = isComment ? line.length : line.length - value.length - blanks.length;
  const shown = value.replace(/[ \t]+#.*$/, '').trimEnd();
  const colon = line.length - value.length - blanks.length;
  return { name, colon, length, value: isComment ? 0 : blanks.length + shown.length };
}
