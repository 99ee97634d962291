import { basename, dirname } from 'node:path';
import { limits } from '../../../core/limits.ts';
import { groupBy } from '../../../core/runtime/group-by.ts';
import { lexicalAt } from '../../../source-text/lexical.ts';
import { wordAround } from '../../../source-text/words.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';
import { spanOf } from '../definitions-at.ts';
import type { SearchedSymbol } from '../meaning/searched-symbol.ts';
import type { Mention } from '../mentions.ts';

/**
 * Returns where assembler of Go names what is declared at the top of a package: as `·name` in the same folder, and as
 * `package·name` anywhere. These are no words of their own, and no server reads them.
 */
export async function namesInAssembler(
  context: ToolContext,
  symbol: SearchedSymbol,
): Promise<readonly Mention[]> {
  if (!/\.go$/.test(symbol.place.path)) return [];
  const files = [...context.workspace.files()].filter((path) => path.endsWith('.s'));
  const owner = files.length > 0 ? await declaredIn(context, symbol) : undefined;
  if (!owner) return [];
  const folder = dirname(owner.path);
  const isNear = (path: string) => dirname(path) === folder;
  const read = files.toSorted((a, b) => Number(isNear(b)) - Number(isNear(a)));
  const packages = new Set([basename(folder), packageClause.exec(owner.text)?.[1] ?? '']);
  const found: Mention[] = [];
  for (const path of read.slice(0, limits.mentions.assembler)) {
    const document = await documentAt(context, path);
    if (!document) continue;
    const { text } = document;
    const offsets = Array.from(text.matchAll(usesOf(symbol.name)), ({ index }) => index).filter((offset) =>
      isNamed(text, offset, packages, isNear(path)),
    );
    const kinds = lexicalAt(path, text, offsets);
    for (const [index, offset] of offsets.entries())
      if (kinds[index] === 'code') found.push({ ...spanOf(document, offset), reason: 'unverified' });
  }
  return found;
}

const packageClause = /^package[ \t]+(\w+)/m;

/** Matches a name after its dot; with `<>` after it, it is one of its file alone. */
function usesOf(name: string): RegExp {
  return new RegExp(`(?<=·)${name}(?![\\p{ID_Continue}]|<>)`, 'gu');
}

/** True if what is before a name and its dot is one of the packages; nothing means that of the folder. */
function isNamed(text: string, offset: number, packages: ReadonlySet<string>, isNear: boolean): boolean {
  const dot = offset - 1;
  const least = Math.max(0, dot - limits.mentions.ahead);
  let start = dot;
  while (start > least && partOfPath.test(text[start - 1] ?? '')) start -= 1;
  const path = text.slice(start, dot);
  if (path === '') return isNear;
  const [last = ''] = path.split('∕').slice(-1);
  return /^v\d+$/.test(last) || last.split('·').some((part) => packages.has(part));
}

/** The slash of a path is one of division, and its dots are in the middle. */
const partOfPath = /[\p{ID_Continue}∕~-]/u;

/** Returns the file that declares a symbol at the top of its package; `undefined` if it is a local, a field, or a method. */
async function declaredIn(
  context: ToolContext,
  { place, name, references }: SearchedSymbol,
): Promise<Document | undefined> {
  const byFile = groupBy(references, ({ path }) => path);
  for (const path of new Set([place.path, ...byFile.keys()])) {
    const document = /\.go$/.test(path) ? await documentAt(context, path) : undefined;
    if (!document) continue;
    const starts = (byFile.get(path) ?? []).map(({ range }) => document.offsetAt(range.start));
    if (path === place.path) starts.push(startOfWord(document, place.position));
    const own = starts.filter((start) => document.text.startsWith(name, start));
    if (isAnyAtTop(document.text, new Set(own))) return document;
  }
  return undefined;
}

function startOfWord(document: Document, { line, character }: SearchedSymbol['place']['position']): number {
  const start = wordAround(document.line(line), character)?.start ?? character;
  return document.offsetAt({ line, character: start });
}

/** True if one of the words at some offsets of a text of Go is declared at the top of the package. */
function isAnyAtTop(text: string, starts: ReadonlySet<number>): boolean {
  const ascending = [...starts].sort((a, b) => a - b);
  let margin = '';
  let line = 0;
  for (const start of ascending) {
    for (; line <= start; line = endOfLine(text, line) + 1) margin = marginAt(text, line) ?? margin;
    const own = text.lastIndexOf('\n', start - 1) + 1;
    // A very long line is not read again for each name.
    if (start - own > limits.mentions.statement) continue;
    const before = text.slice(own, start);
    if (declaring.test(before) || (inGroup.test(before) && group.test(margin))) return true;
  }
  return false;
}

/** Returns the beginning of a line that is not indented, and no comment; `undefined` if it is. */
function marginAt(text: string, line: number): string | undefined {
  return /[^\s/*]/.test(text[line] ?? ' ') ? text.slice(line, line + limits.mentions.ahead) : undefined;
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

const declaring = /^(?:func|type)\s+$|^(?:var|const)\s+(?:\w+\s*,\s*)*$/;
const group = /^(?:var|const|type)\s*\(/;
/** A field of a type in a group is indented more. */
const inGroup = /^(?:\t| {1,4})(?:\w+\s*,\s*)*$/;
