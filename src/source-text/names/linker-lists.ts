import { limits } from '../../core/limits.ts';

/** True for a file in which a linker is told of symbols: a script of it, versions of a library, or a list of exports. */
export function isLinkerList(file: string): boolean {
  return lists.test(file) && !sourceMaps.test(file);
}

const lists = /\.(?:map|ver|vers|version|ld|lds|sym|syms|exp|symbols)(?:\.in)?$/i;
const sourceMaps = /\.(?:[cm]?[jt]sx?|css|scss|less|vue|wasm|d)\.map$/i;

/** Tells whether the word between two offsets of a text is a symbol of the linker. */
type NamingTest = (text: string, start: number, end: number) => boolean;

/** Returns what tells whether a word of such a file names a symbol; `undefined` if the text is something else. */
export function linkerTestOf(file: string, text: string): NamingTest | undefined {
  if (!isLinkerList(file)) return undefined;
  if (/\.lds?(?:\.in)?$/i.test(file)) return isInScript;
  const head = text.slice(0, limits.mentions.list);
  if (/^\s*[{[]\s*["}\]]\w*"?\s*[:,}\]]/.test(head)) return undefined;
  return versions.test(head) ? isInScript : isAlone;
}

const versions =
  /\b(?:global|local)[ \t]{0,9}:|^\$mapfile_version\b|^[ \t]{0,99}(?:[\w.]{1,200}\s{0,99})?\{[\s\w*;?]{0,200};/m;

/** Sections, files and the names of versions are no symbols. */
function isInScript(text: string, start: number, end: number): boolean {
  if (/[./*]/.test(text[start - 1] ?? '')) return false;
  return !/^(?:\.\w|\s{0,99}\{)/.test(text.slice(end, end + limits.mentions.ahead));
}

/** In a list, each symbol has a line, which may give it a version or a place too. */
function isAlone(text: string, start: number, end: number): boolean {
  const line = text.slice(Math.max(0, start - limits.mentions.ahead), start);
  const after = text.slice(end, end + limits.mentions.ahead);
  return /^[ \t"]*$/.test(line.slice(line.lastIndexOf('\n') + 1)) && /^"?[ \t]*(?:[@;\r\n]|$)/.test(after);
}
