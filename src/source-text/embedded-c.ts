import { basename, sep } from 'node:path';
import { limits } from '../core/limits.ts';
import { cDeclarationAt } from './c-declarations.ts';
import { isC } from './c-files.ts';
import { cgoPreambles } from './enclosing/cgo-preambles.ts';
import { lexicalAt } from './lexical.ts';
import { isAttributePath } from './macros.ts';
import { isLinkerList, linkerTestOf } from './names/linker-lists.ts';
import { occurrences } from './words.ts';

/** True for a file that may hold C but is no file of C: a grammar, a template, a list, assembler, a binding, or what a linker reads. */
export function mayEmbedC(file: string): boolean {
  return grammars.test(file) || bindings.test(file) || isAssembler(file) || isLinkerList(file);
}

/** Sources of generators, parts that are only included, and templates of any of them. */
const grammars =
  /\.(?:y|yy|ypp|yxx|y\+\+|l|ll|lex|lpp|lxx|l\+\+|re|rl|ragel|gperf|inc|def|tcc|txx|ixx|x|i|swg|xs|xsi|cl|metal|ino|pc|ec|pgc)$|\.(?:c|h|cc|cpp|cxx|hh|hpp|hxx|inc|def|y|l|m|mm)\.(?:in|inc|tmpl|template|tpl|j2|jinja2?|mako|erb|m4)$|\.[ch]in$/i;

/** Files of other languages that take names from headers. */
const bindings = /\.(?:pyx|pxd|pxi|go|rs)$/;
const cython = /\.p(?:yx|xd|xi)$/;

function isAssembler(file: string): boolean {
  return /\.(?:s|sx|asm|nasm)$/i.test(file);
}

/** A file that a text includes. */
interface Included {
  readonly path: string;
  /** True in quotes: it is one of the project, even if it is generated and not there. */
  readonly isQuoted: boolean;
}

/** Yields the files of C that a text includes. */
export function* includedIn(file: string, text: string): Iterable<Included> {
  // In Go and Rust, only a name that is written as one of C is of interest.
  if (/\.(?:go|rs)$/.test(file)) return;
  const pattern = cython.test(file) ? externs : includes;
  for (const { groups: { quoted, angled = '' } = {} } of text.matchAll(pattern))
    yield { path: quoted ?? angled, isQuoted: quoted !== undefined };
}

/** With the `%include` of SWIG. */
const includes =
  /^[ \t]*[#%]{1,2}[ \t]*(?:include|import)[ \t]*(?:"(?<quoted>[^"\n]{1,500})"|<(?<angled>[^>\n]{1,500})>)/gm;
const externs =
  /\bcdef\s+extern\s+from\s+(?:"<(?<angled>[^">\n]{1,500})>"|(?<quote>["'])(?<quoted>[^"'\n]{1,500})\k<quote>)/g;

/** Returns the end of the paths of the files that a text may include by a path. */
export function endOfPath(included: string): string {
  return `${sep}${included.replace(/^(?:\.{1,2}\/)+/, '').replaceAll('/', sep)}`;
}

/** True if a text of C includes what a macro names: it may be any file. */
export function hasUnknownInclude(text: string): boolean {
  return /^[ \t]*#[ \t]*include[ \t]+[A-Za-z_]/m.test(text);
}

/** True if a text of C says that lines of it come from a file of a name: a generator has copied them. */
export function isMadeFrom(text: string, name: string): boolean {
  for (const { 1: origin = '' } of text.matchAll(origins)) if (basename(origin) === name) return true;
  return false;
}

const origins = /^[ \t]*#[ \t]*(?:line[ \t]+)?\d+[ \t]+"([^"\n]{1,500})"/gm;

/** Returns the names by which others include what a file is, or what is made of it. */
export function namesWhenIncluded(file: string): readonly string[] {
  const name = basename(file);
  const made = name.replace(/\.(?:in|tmpl|template|tpl|j2|jinja2?|mako|erb|m4)$/i, '');
  return [...new Set([name, made])];
}

/** Which symbols of C a text names without any header: those of the linker, all others, or any. */
type Naming = 'linked' | 'unlinked' | 'any';

/** Returns which symbols of C, if they have a name, a text names in a way that needs no header. */
export function namingWithoutHeader(file: string, text: string, name: string): Naming | undefined {
  if (/\.go$/.test(file)) return namingByCgo(file, text, name);
  return namesForLinker(file, text, name) ? 'linked' : undefined;
}

/** Members of what is of C are accessed in Go as those of Go. */
function namingByCgo(file: string, text: string, name: string): Naming | undefined {
  const preambles = cgoPreambles(text);
  if (preambles.length === 0) return undefined;
  const inCode = inCodeOf(file, text, name);
  const isInPreamble = (offset: number) =>
    preambles.some(({ start, end }) => start <= offset && offset < end);
  if (inCode.length > limits.mentions.namings) return 'any';
  if (inCode.some((offset) => text.startsWith('C.', offset - 2) || isInPreamble(offset))) return 'any';
  return inCode.some((offset) => isMemberOfGo(text, offset, offset + name.length)) ? 'unlinked' : undefined;
}

function isMemberOfGo(text: string, start: number, end: number): boolean {
  return !isNoMember(text, start) || /^[ \t]*:(?!=)/.test(text.slice(end, end + limits.mentions.quoted));
}

function namesForLinker(file: string, text: string, name: string): boolean {
  if (/\.def$/i.test(file) && /^[ \t]*EXPORTS\b/m.test(text)) return true;
  const isNamed = namingTestOf(file, text);
  if (!isNamed) return false;
  const offsets = inCodeOf(file, text, name);
  return (
    offsets.length > limits.mentions.namings || offsets.some((at) => isNamed(text, at, at + name.length))
  );
}

/** Tells whether the word between two offsets of a text names a symbol for the linker. */
type NamingTest = (text: string, start: number, end: number) => boolean;

function namingTestOf(file: string, text: string): NamingTest | undefined {
  if (isAssembler(file)) return isNamedInAssembler;
  if (isLinkerList(file)) return linkerTestOf(file, text);
  if (file.endsWith('.rs')) return foreignOfRust.test(text) ? isNoMember : undefined;
  if (cython.test(file)) return foreignOfCython.test(text) ? isNoMember : undefined;
  return isDeclared;
}

const foreignOfRust = /\bextern\b(?![ \t]{1,9}crate\b)|\bno_mangle\b|\bexport_name\b/;
/** Declares what is in no header, or in one that is not named. */
const foreignOfCython = /\bcdef[ \t]{1,9}extern\b(?![ \t]{1,9}from[ \t]{1,9}["'])/;

/** Returns where a text has a name in code, or in a string that an attribute of Rust gives to the compiler. */
function inCodeOf(file: string, text: string, name: string): readonly number[] {
  const offsets = occurrences(text, name);
  const kinds = lexicalAt(file, text, offsets);
  return offsets.filter(
    (start, index) =>
      kinds[index] === 'code' || isAttributePath(file, text, { start, end: start + name.length }),
  );
}

function isNoMember(text: string, start: number): boolean {
  return text[start - 1] !== '.' || text[start - 2] === '.';
}

/** A directive, a register or a parameter of a macro has a mark, and an instruction or a macro begins its statement. */
function isNamedInAssembler(text: string, start: number, end: number): boolean {
  if ('.%@\\'.includes(text[start - 1] ?? ' ')) return false;
  const before = lineBefore(text, start);
  if (before === '') return true;
  const isFirst = /^[ \t]*(?:[\w.$]+:[ \t]*)*$/.test(before.slice(before.lastIndexOf(';') + 1));
  const after = text.slice(end, end + limits.mentions.quoted);
  return isFirst ? labelled.test(after) : !inFrameOfGo.test(after);
}

/** What follows the name of an argument in the assembler of Go. */
const inFrameOfGo = /^[+-]\d{1,9}\((?:FP|SP)\)/;
/** What follows a label. */
const labelled = /^[ \t]*(?:[:=]|(?:PROC|FUNCTION|LABEL|EQU|DC[BWDQ]|D[BWDQ])\b)/i;

/** Returns whether a text of C declares what it names: with `extern`, or by a prototype. */
function isDeclared(text: string, start: number, end: number): boolean {
  const before = statementBefore(text, start);
  if (/\bextern\b/.test(before)) return true;
  const isAfterType = /^\s*[A-Za-z_]\w*[\s*][\w\s*,()]*$/.test(before) && !statement.test(before);
  return isAfterType && /^\s*\([^;{}]*;/.test(text.slice(end, end + limits.mentions.quoted));
}

const statement = /^\s*(?:return|else|do|goto|case|typedef)\b/;

/** Returns what stands between the statement, comment or directive before and an offset, as far as it may be a type. */
function statementBefore(text: string, offset: number): string {
  const before = text.slice(Math.max(0, offset - limits.mentions.quoted), offset);
  const lines = before.replace(/^[\s\S]*(?:[;{}]|\*\/)/, '').split('\n');
  return lines.slice(lines.findLastIndex((line) => /^\s*(?:[#%]|\/\/)/.test(line)) + 1).join('\n');
}

function lineBefore(text: string, offset: number): string {
  const line = text.lastIndexOf('\n', offset - 1) + 1;
  return text.slice(Math.max(line, offset - limits.mentions.quoted), offset);
}

/** True if no other source can name what is declared at an offset: it is static, or a macro, and in no header. */
export function isPrivateAt(file: string, text: string, offset: number): boolean {
  if (!isC(file) || headers.test(file)) return false;
  return (
    /^\s*#\s*define\s+$/.test(lineBefore(text, offset)) ||
    /(?:^|\n)static\b[^=(]*$/.test(statementBefore(text, offset).replace(bracketed, ''))
  );
}

/**
 * True if a source makes a name static, or a macro, wherever it declares it at the begin of a line: no condition of the
 * preprocessor lets another source have it then. The name of a type is private to nobody.
 */
export function isAlwaysPrivate(file: string, text: string, name: string): boolean {
  const offsets = occurrences(text, name);
  const kinds = lexicalAt(file, text, offsets);
  let isDeclared = false;
  for (const [index, offset] of offsets.entries()) {
    const line = lineBefore(text, offset);
    if (/^[ \t]*#[ \t]*define[ \t]+$/.test(line)) isDeclared = true;
    if (kinds[index] !== 'code' || !atBeginOfLine.test(line)) continue;
    const statement = statementBefore(text, offset).replace(bracketed, '');
    const isStatic = /(?:^|\n)static\b[^=(]*$/.test(statement) && /\w/.test(statement.replace(storage, ''));
    if (!isStatic || tag.test(statement) || cDeclarationAt(file, text, offset) === undefined) return false;
    isDeclared = true;
  }
  return isDeclared;
}

const atBeginOfLine = /^(?:[A-Za-z_][\w \t*,]*)?$/;
const storage = /\b(?:static|(?:__)?inline(?:__)?|const|volatile|extern|register)\b/g;
const tag = /\b(?:struct|union|enum|class)\s+$/;

/** With one more pair inside, as attributes have it. */
const bracketed = /\((?:[^()]|\([^()]*\))*\)/g;

const headers = /\.(?:h|hh|hpp|hxx|h\+\+|ipp|inl|tpp|cuh)$/i;

/** True if the name at an offset is a variable or a parameter of a function, whose own name ends at another. */
export function isLocalAt(file: string, text: string, offset: number, nameEnd: number): boolean {
  if (!text.slice(nameEnd, offset).includes('{'))
    return /[\w*&>]\s*$/.test(text.slice(nameEnd, offset)) && /^\w+\s*[,)[=]/.test(text.slice(offset));
  return cDeclarationAt(file, text, offset) === 'definition';
}
