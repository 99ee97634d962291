import { limits } from '../../core/limits.ts';
import { isC } from '../c-files.ts';

/**
 * Returns whether a word in a string of C names a function or a variable for the compiler, the assembler or the linker: in
 * `alias("f")`, `ifunc("f")`, `weakref("f")`, `asm("call f")`, `asm("f")` after a declaration, and `_Pragma("weak f")`.
 */
export function isNamedToLinker(
  file: string,
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  if (!isC(file)) return false;
  const near = text.slice(Math.max(0, start - limits.mentions.ahead), start);
  const after = text.slice(end, end + limits.mentions.ahead);
  if (attributes.test(near)) return /^["@]/.test(after);
  if (pragmas.test(near.slice(near.lastIndexOf('\n') + 1))) return true;
  const assembler = assemblerBefore(text, start);
  return assembler !== undefined && isNamedIn(assembler, after);
}

/** With the names of these attributes between underscores, and a version after the name of a symbol. */
const attributes = /\b(?:__)?(?:alias|ifunc|weakref|symver|export_name)(?:__)?\s{0,9}\(\s{0,9}"$/;

/** Also what tells the linker of Windows what to export. */
const pragmas =
  /\b_Pragma\s{0,9}\(\s{0,9}"\s{0,9}(?:weak|redefine_extname)\b[^"]{0,200}$|^[ \t]*#[ \t]*pragma[ \t]+comment\s{0,9}\(\s{0,9}linker\b[^)]{0,200}[/:=,]$/;

/** Text of assembler up to a word, and what begins the statement that has it. */
interface Assembler {
  readonly code: string;
  readonly statement: string;
  readonly isVolatile: boolean;
}

/** Returns the assembler in the strings before an offset; `undefined` if there is none, or it stands among operands. */
function assemblerBefore(text: string, offset: number): Assembler | undefined {
  const least = Math.max(0, offset - limits.mentions.list);
  let left: number = limits.mentions.assemblers;
  // The assembler may have the word too.
  for (let at = text.lastIndexOf('asm', offset); at >= least && left > 0; left -= 1) {
    const lead = /_{0,2}$/.exec(text.slice(Math.max(0, at - 2), at))?.[0].length ?? 0;
    begin.lastIndex = at - lead;
    const [opening] = begin.exec(text) ?? [];
    const from = at - lead + (opening?.length ?? 0);
    const code = opening === undefined ? undefined : joinedStrings(text.slice(from, offset));
    if (opening !== undefined && code !== undefined) {
      const before = text.slice(Math.max(0, at - lead - limits.mentions.ahead), at - lead);
      const isVolatile = /volatile|goto/.test(opening);
      return { code, statement: before.replace(/^[\s\S]*[;{}]/, ''), isVolatile };
    }
    at = at === 0 ? -1 : text.lastIndexOf('asm', at - 1);
  }
  return undefined;
}

/** Returns the content of strings that follow each other up to the end of a text, where the last is not closed. */
function joinedStrings(text: string): string | undefined {
  const parts: string[] = [];
  let at = 0;
  for (const { 0: part, index } of text.matchAll(pieces)) {
    if (index !== at) return undefined;
    at += part.length;
    if (!part.startsWith('"')) continue;
    if (at === text.length) return [...parts, part.slice(1)].join('');
    parts.push(part.slice(1, -1));
  }
  return undefined;
}

const begin = /\b(?:asm|__asm|__asm__)\b(?:\s{1,9}(?:__)?(?:volatile|goto|inline)(?:__)?\b){0,3}\s{0,9}\(/y;
/** Strings, and what may stand between them: blanks, comments and the names of macros. */
const pieces = /"(?:\\[\s\S]|[^"\\])*"?|\s+|\/\*[^*]*\*\/|\/\/[^\n]*|[A-Za-z_]\w*/g;

/** A directive, a register or an operand has a mark, and an instruction begins its statement. */
function isNamedIn({ code, statement, isVolatile }: Assembler, after: string): boolean {
  const last = code.slice(-limits.mentions.ahead);
  if (/[.%@[]$/.test(last)) return false;
  const isFirst = /(?:^|\\[nrt]|[\n;])\s*$/.test(last);
  if (!isFirst || /^\s*[:=]/.test(after)) return true;
  // The whole string after a declaration is the name of what is declared, but for a register.
  const isLabel = last.trim() === '' && after.startsWith('"') && !isVolatile;
  return isLabel && /[\w)\]]\s*$/.test(statement) && !/\b(?:register|else|do)\b/.test(statement);
}
