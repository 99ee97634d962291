import { limits } from '../../core/limits.ts';
import type { PathMention } from './path-mention.ts';

/** Returns the mention that a word is around an offset, or `undefined` if the word need not name a file or folder. */
type ListReader = (word: PathMention, at: number) => PathMention | undefined;

/** Returns a reader of the words of a file that lists others without quotes, such as `core.c` in `CMakeLists.txt`. */
export function listReader(file: string, text: string): ListReader {
  if (!listing.test(file)) return () => undefined;
  const foldersOf = foldersByVariable(text);
  let searched: readonly string[] | undefined;
  return (word, at) => {
    if (word.form !== 'path' && word.form !== 'quoted') return undefined;
    const before = text.slice(Math.max(0, word.offset - limits.mentions.attribute), word.offset);
    const line = before.slice(before.lastIndexOf('\n') + 1);
    if (/(?:^|\s)#/.test(line)) return undefined;
    const labelled = bazel.test(file) ? labelOf(word) : undefined;
    if (labelled) return labelled;
    const part = partAround(word, at);
    if (part.path.includes('/')) return inFolder(part, line, foldersOf);
    if (docker.test(file)) return inDocker(text, part);
    // A string that is a name is found anyway, unless it is that of a folder.
    const isString = word.form === 'quoted' && part.path === word.path;
    if ((isString || !/.\.\w/.test(part.path)) && !isFolderNamed(text, part.offset)) return undefined;
    searched ??= ['', ...searchedFolders(text)];
    return { ...part, form: 'listed', folders: searched };
  };
}

const listing =
  /(?:^|\/)(?:CMakeLists\.txt|(?:GNU|BSD)?[Mm]akefile(?:\.\w{1,20})?|Kbuild|BUILD(?:\.bazel)?|BUCK|meson\.build|SCons(?:truct|cript)|wscript|Procfile|package\.json|(?:Docker|Container)file[^/]*|[^/]+\.(?:cmake|mk|mak|am|gypi?|pr[oi]|cabal|[Dd]ockerfile)(?:\.in)?)$/;

const bazel = /\/(?:BUILD(?:\.bazel)?|BUCK)$/;
const docker = /\/(?:Docker|Container)file[^/]*$|\.dockerfile$/i;

/** Reads a label of Bazel, such as `//lib:core.c`, which begins at the root. */
function labelOf(token: PathMention): PathMention | undefined {
  const [, folder = '', name = ''] = /^\/\/([^:]*):?([^:]*)$/.exec(token.path) ?? [];
  if (`${folder}${name}` === '') return undefined;
  return { ...token, form: 'listed', path: [folder, name].filter(Boolean).join('/'), folders: ['/'] };
}

/** Returns the part of a word between its colons: `gen.c` of `gen.o:gen.c`. */
function partAround(token: PathMention, at: number): PathMention {
  const inside = at - token.offset;
  const start = token.path.lastIndexOf(':', inside) + 1;
  const next = token.path.indexOf(':', inside);
  const path = token.path.slice(start, next < 0 ? undefined : next);
  const offset = token.offset + start;
  return { ...token, offset, length: path.length, path, ask: offset };
}

function inFolder(
  part: PathMention,
  line: string,
  foldersOf: (variable: string) => readonly string[] | undefined,
): PathMention | undefined {
  const variable = part.path.startsWith('/') ? /\$[({](\w{1,99})[)}]$/.exec(line)?.[1] : undefined;
  const folders = variable === undefined ? undefined : foldersOf(variable);
  if (folders) return { ...part, form: 'listed', path: part.path.slice(1), folders };
  return /\.(?:l?o|obj)$/.test(part.path) ? { ...part, form: 'listed', folders: [''] } : undefined;
}

/** Returns a function that returns the folders that a variable stands for, if the text says so or everybody knows. */
function foldersByVariable(text: string) {
  let assigned: ReadonlyMap<string, readonly string[]> | undefined;
  return (name: string) => {
    if (/^(?:top_|abs_){0,2}srcdir$|^CURDIR$|_(?:SOURCE|LIST)_DIR$/.test(name)) return ['', '/'];
    assigned ??= new Map(
      [...text.matchAll(assignment)].map(({ 1: inMake, 2: inCmake, 3: folder = '' }) => [
        inMake ?? inCmake ?? '',
        [folder],
      ]),
    );
    return assigned.get(name);
  };
}

const assignment =
  /^[ \t]{0,99}(?:(\w{1,99})[ \t]{0,99}[:?]{0,2}=|set[ \t]{0,9}\([ \t]{0,9}(\w{1,99})[ \t])[ \t]{0,99}([\w./-]{1,200})/gim;

/** Returns the folders in which the file says that the names in it are looked for. */
function searchedFolders(text: string): string[] {
  return [...text.matchAll(searching)]
    .flatMap(({ groups = {} }) => (groups.make ?? groups.cabal ?? '').split(/[\s:,]+/))
    .filter((folder) => /^[\w./-]+$/.test(folder));
}

const searching =
  /^[ \t]{0,99}(?:(?:VPATH[ \t]{0,9}[:?+]{0,2}=|vpath[ \t]{1,9}\S{1,99})(?<make>[^\n#]{1,999})|hs-source-dirs[ \t]{0,9}:(?<cabal>[^\n]{1,999}))/gim;

/** Returns whether a word without an ending names a folder or a file, and not a target or a program. */
function isFolderNamed(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - limits.mentions.statement), offset);
  const line = logicalLine(before);
  return calls.some((one) => one.test(before)) || inLine.some((one) => one.test(line));
}

const calls: readonly RegExp[] = [
  /\b(?:add_subdirectory|(?:include|link)_directories|subdirs?|install_subdir|aux_source_directory|SConscript)\s{0,99}\([^()]*$/i,
  /\btarget_(?:include|link)_directories\s{0,99}\(\s{0,99}[^\s()]{1,200}\s[^()]*$/i,
  /\binstall\s{0,99}\(\s{0,99}(?:DIRECTORY|FILES|PROGRAMS)\b(?:(?!\bDESTINATION\b)[^()])*$/i,
];

const inLine: readonly RegExp[] = [
  /^[ \t]{0,99}[\w.-]{0,80}(?:DIRS?|VPATH|EXTRA_DIST|_SCRIPTS|_DATA)[ \t]{0,99}[:+?]{0,2}=/i,
  /^[ \t]{0,99}set[ \t]{0,9}\([ \t]{0,9}\w{0,80}_DIR[ \t]{1,99}$/i,
  /^[ \t]{0,99}hs-source-dirs[ \t]{0,9}:/i,
  /(?:\s-[CIL]|\bcd)[ \t]{1,99}$/,
];

/** Returns the end of a text from where its last line begins; a backslash continues one. */
function logicalLine(before: string): string {
  let at = before.lastIndexOf('\n');
  while (at > 0 && /\\\r?$/.test(before.slice(Math.max(0, at - 2), at)))
    at = before.lastIndexOf('\n', at - 1);
  return before.slice(at + 1);
}

/** What is copied into an image is in the folder of the file, or at the root; the last name is one in the image. */
function inDocker(text: string, part: PathMention): PathMention | undefined {
  const line = logicalLine(text.slice(Math.max(0, part.offset - limits.mentions.statement), part.offset));
  if (/^[ \t]{0,99}(?:COPY|ADD)\s/i.test(line)) {
    const end = part.offset + part.length;
    const after = text.slice(end, end + limits.mentions.quoted);
    const isSource = /^["',]{0,9}(?:[ \t]|\\\r?\n){0,99}["']?[^\s\\"'\]]/.test(after);
    if (!isSource || /\s--from=/.test(line)) return undefined;
  } else if (part.form !== 'path' || !/.\.\w/.test(part.path)) return undefined;
  return { ...part, form: 'listed', folders: ['', '/'] };
}
