import { basename } from 'node:path';
import { isC } from './c-files.ts';

/** True for files that may be a part of others: all of C, and lists that are only ever included. */
export function mayBePart(file: string): boolean {
  return isC(file) || /\.(?:inc|def)$/i.test(file);
}

/** True if a file of C may need the text around it: a source that includes what it uses does not, nor a guarded header. */
export function mayNeedOthers(file: string, text: string): boolean {
  return sources.test(file) ? text.search(includes) < 0 : !guard.test(text);
}

const guard =
  /^[ \t]*#[ \t]*(?:pragma[ \t]+once\b|(?:ifndef[ \t]+|if[ \t]+!\s*defined\W*)(\w+)[^\n]*\s+#[ \t]*define[ \t]+\1\b)/m;

/**
 * True if a text includes a file of C in the middle of a declaration, or one that is no header: such a file means
 * nothing without the text around it, and a server that reads it alone takes its words for something else.
 */
export function includesAsPart(text: string, file: string): boolean {
  const name = basename(file);
  const depths = { at: 0, open: [] as boolean[] };
  for (const { 1: included = '', index } of text.matchAll(includes)) {
    if (basename(included) !== name) continue;
    if (sources.test(name)) return true;
    readBraces(text, index, depths);
    if (depths.open.some(Boolean)) return true;
  }
  return false;
}

/** Returns the names, without folders, of the files other than headers that a text includes. */
export function includedSources(text: string): readonly string[] {
  return Array.from(text.matchAll(includes), ([, included = '']) => basename(included)).filter(
    (name) => mayBePart(name) && !/\.h[^.]*$/i.test(name),
  );
}

const includes = /^[ \t]*#[ \t]*(?:include|import)[ \t]*["<]([^">\n]+)[">]/gm;
const sources = /\.(?:c|cc|cpp|cxx|c\+\+|m|mm|def)$/i;

/** Notes the braces that are open at an offset, from where it was read last; those of `extern "C"` do not count. */
function readBraces(text: string, to: number, depths: { at: number; open: boolean[] }): void {
  const pattern = new RegExp(marks, 'gm');
  pattern.lastIndex = depths.at;
  for (let match = pattern.exec(text); match && match.index < to; match = pattern.exec(text)) {
    const [mark] = match;
    // Branches of the preprocessor may open a brace twice: what closes at the begin of a line closes all.
    if (mark === '}') depths.open = isAtLineStart(text, match.index) ? [] : depths.open.slice(0, -1);
    else if (mark.endsWith('{')) depths.open.push(mark === '{');
    depths.at = pattern.lastIndex;
  }
}

/** Comments, strings and braces. */
const marks =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|\bextern\s*"C(?:\+\+)?"\s*\{|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[{}]/;

function isAtLineStart(text: string, offset: number): boolean {
  return offset === 0 || text[offset - 1] === '\n';
}
