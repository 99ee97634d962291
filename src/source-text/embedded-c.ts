import { basename, sep } from 'node:path';
import { cDeclarationAt } from './c-declarations.ts';
import { isC } from './c-files.ts';

/** True for a file that may hold C but is no file of C: a grammar, a template, a list, assembler, a binding. */
export function mayEmbedC(file: string): boolean {
  return grammars.test(file) || bindings.test(file) || isAssembler(file);
}

/** Sources of generators, parts that are only included, and templates of any of them. */
const grammars =
  /\.(?:y|yy|ypp|yxx|y\+\+|l|ll|lex|lpp|lxx|l\+\+|re|rl|ragel|gperf|inc|def|tcc|txx|ixx|x|i|swg|xs|xsi|cl|metal|ino|pc|ec|pgc)$|\.(?:c|h|cc|cpp|cxx|hh|hpp|hxx|inc|def|y|l|m|mm)\.(?:in|inc|tmpl|template|tpl|j2|jinja2?|mako|erb|m4)$|\.[ch]in$/i;

/** Files of other languages that take names from headers. */
const bindings = /\.(?:pyx|pxd|pxi|go|rs)$/;

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
  const pattern = /\.p(?:yx|xd|xi)$/.test(file) ? externs : includes;
  for (const { groups: { quoted, angled = '' } = {} } of text.matchAll(pattern))
    yield { path: quoted ?? angled, isQuoted: quoted !== undefined };
}

/** With the `%include` of SWIG. */
const includes =
  /^[ \t]*[#%]{1,2}[ \t]*(?:include|import)[ \t]*(?:"(?<quoted>[^"\n]{1,500})"|<(?<angled>[^>\n]{1,500})>)/gm;
const externs =
  /\bcdef\s+extern\s+from\s+(?:"<(?<angled>[^">\n]{1,500})>"|(?<quote>["'])(?<quoted>[^"'\n]{1,500})\k<quote>)/g;

/** True if a file has the path by which another includes it, below any folder. */
export function isCalledBy(file: string, included: string): boolean {
  const below = included.replace(/^(?:\.{1,2}\/)+/, '').replaceAll('/', sep);
  return file.endsWith(`${sep}${below}`);
}

/** Returns the names by which others include what a file is, or what is made of it. */
export function namesWhenIncluded(file: string): readonly string[] {
  const name = basename(file);
  const made = name.replace(/\.(?:in|tmpl|template|tpl|j2|jinja2?|mako|erb|m4)$/i, '');
  return [...new Set([name, made])];
}

/** True if a text names a symbol of C in a way that is one without any header. */
export function namesForLinker(file: string, text: string, name: string): boolean {
  const word = name.replace(/[^\w]/g, '\\$&');
  if (/\.go$/.test(file))
    return /^import\s+"C"|^\s+"C"\s*$/m.test(text) && new RegExp(`\\bC\\.${word}\\b`).test(text);
  if (/\.rs$/.test(file))
    return new RegExp(`\\bextern\\s*"C[^"]*"\\s*\\{[^}]*\\b(?:fn|static|type|mut)\\s+${word}\\b`).test(text);
  if (/\.def$/i.test(file)) return /^\s*EXPORTS\b/m.test(text);
  return isAssembler(file) && new RegExp(`${linked}[^\\n]*\\b${word}\\b|^${word}:`, 'm').test(text);
}

/** Directives and instructions of assembler that name a symbol of another file. */
const linked =
  '^[^\\n/#;]*\\b(?:globa?l|extern|extrn|public|type|weak|hidden|set|call[ql]?|jmp[ql]?|bl?|lea[ql]?|la|adrp?|ENTRY|SYM_\\w+)\\b';

/** True if no other source can name what is declared at an offset: it is static, or a macro, and in no header. */
export function isPrivateAt(file: string, text: string, offset: number): boolean {
  if (!isC(file) || headers.test(file)) return false;
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^\s*#\s*define\s+$|^static\b[^=;{(]*$/.test(before);
}

const headers = /\.(?:h|hh|hpp|hxx|h\+\+|ipp|inl|tpp|cuh)$/i;

/** True if the name at an offset is a variable or a parameter of a function, whose own name ends at another. */
export function isLocalAt(file: string, text: string, offset: number, nameEnd: number): boolean {
  if (!text.slice(nameEnd, offset).includes('{'))
    return /[\w*&>]\s*$/.test(text.slice(nameEnd, offset)) && /^\w+\s*[,)[=]/.test(text.slice(offset));
  return cDeclarationAt(file, text, offset) === 'definition';
}
