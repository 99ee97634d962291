import { basename } from 'node:path';

/** The arguments of a compiler that only decide how a text is read, and the names of those left out. */
export interface SafeFlags {
  readonly kept: readonly string[];
  /** Options that would write or load a file, and unknown ones, without their values. */
  readonly leftOut: readonly string[];
}

/**
 * Keeps the options of a compiler that are known to write and load nothing. The list is of what is allowed:
 * every version of a compiler adds options, and some of them name a file to write or a program to load.
 */
export function safeFlags(words: readonly string[]): SafeFlags {
  const kept: string[] = [];
  const leftOut = new Set<string>();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const next = words[at + 1];
    if (word === '--') break;
    if (hasSafeValue(word, next)) kept.push(word, next ?? '');
    else if (isSafe(word)) kept.push(word);
    else if (withValue.has(word) || word.startsWith('@') || (word.startsWith('-') && !silent.test(word)))
      leftOut.add(nameOf(word));
    if (withValue.has(word) || droppedWithValue.test(word)) at += 1;
  }
  return { kept, leftOut: [...leftOut] };
}

/** A value that begins with `@` is a file with more options. */
function hasSafeValue(word: string, value: string | undefined): boolean {
  return withValue.has(word) && value?.startsWith('@') === false;
}

/** Options whose value is the next argument. */
const withValue: ReadonlySet<string> = new Set([
  ...['-D', '-U', '-I', '-F', '-x', '-isystem', '-iquote', '-idirafter', '-iprefix', '-iwithprefix'],
  ...['-iwithprefixbefore', '-iframework', '-isystem-after', '-cxx-isystem', '-include', '-imacros'],
  ...['-isysroot', '--sysroot', '-target', '--target', '-arch', '-std', '-stdlib', '-resource-dir'],
]);

/** Options that are left out together with the next argument. */
const droppedWithValue =
  /^-(o|MF|MT|MQ|MJ|Xclang|Xpreprocessor|Xassembler|Xlinker|Xanalyzer|Xarch_\w+|mllvm|load|plugin|add-plugin|include-pch|ivfsoverlay|working-directory|dependency-file|z|T|u|-serialize-diagnostics|serialize-diagnostics|serialize-diagnostic-file|diagnostic-log-file|-param|gcc-toolchain|fmodules-user-build-path|index-store-path|MMD|module-file-info)$/;

/** Options that concern only the output, which language servers do not make: leaving them out changes nothing. */
const silent = /^-(o.*|c|S|E|pipe|M[DMGPFTQVJ]*D?|save-temps.*|shared|static.*|s|r|v|l.*|L.*|Wl,.*|Wa,.*)$/;

function isSafe(word: string): boolean {
  return safe.test(word) && !unsafe.test(word);
}

const safe = new RegExp(
  [
    '^-[DUIF].+',
    '^-i(system|quote|dirafter|framework|sysroot).+',
    '^(-x|--?std=|-stdlib=|--sysroot=|--?target=).+',
    '^-(O\\w*|g\\w*|w|ansi|pedantic(-errors)?|pthread|undef|trigraphs|traditional(-cpp)?|m(32|64))$',
    '^-nostd(inc|libinc|inc\\+\\+|lib)$',
    // Names without a path: a value with a separator would name a file.
    '^-W[^,/\\\\]*$',
    '^-[fm][^/\\\\]*$',
  ].join('|'),
);

/** Options of these families that write, load or run something although they look harmless. */
const unsafe =
  /^-(W[pal],|mllvm|mlink|gsplit|gz|f(no-)?((cxx-|implicit-|prebuilt-)?module|plugin|pass-plugin|profile|cs-profile|memory-profile|auto-profile|coverage-data|test-coverage|crash-diag|time-trace|time-report=|proc-stat|save-optimization|optimization-record|stack-usage|dump|build-session|embed|emit|thinlto|sanitize-(ignore|black|coverage-(allow|ignore|black|white))|xray|apinotes|callgraph|diagnostics-.*file|dep|depfile|pch|offload|openmp-targets|debug-prefix-map|index|experimental-library-path))/;

/** The name of an option as it may be shown: it comes from the repository. */
function nameOf(word: string): string {
  return /^(?:@|--?[A-Za-z][\w-]{0,40})/.exec(word)?.[0] ?? '-';
}

/**
 * Returns the name of a compiler that means the same to a language server, which derives language and target
 * from it. Any other program is called `cc`; a compiler with the options of Microsoft's is too.
 */
export function safeCompiler(words: readonly string[]): { compiler: string; rest: readonly string[] } {
  const [first = 'cc', ...rest] = words;
  const name = basename(first.replaceAll('\\', '/')).replace(/\.exe$/i, '');
  if (wrapper.test(name) && rest[0] !== undefined && !rest[0].startsWith('-')) return safeCompiler(rest);
  return { compiler: compiler.test(name) ? name : 'cc', rest };
}

const wrapper = /^(ccache|sccache|distcc|icecc|gomacc)$/;
const compiler = /^([a-z0-9_]+-){0,4}(cc|c\+\+|gcc|g\+\+|clang|clang\+\+|nvcc)(-\d+(\.\d+)*)?$/;

/** Splits a command as a shell would, without running or expanding anything. */
export function splitCommand(command: string): string[] {
  const words: string[] = [];
  for (const [, word = ''] of command.matchAll(/((?:[^\s"'\\]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*')+)/g))
    words.push(unquote(word));
  return words;
}

function unquote(word: string): string {
  return word.replace(
    /"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\([\s\S])/g,
    (_whole, double: string | undefined, single: string | undefined, escaped: string | undefined) =>
      double?.replace(/\\(["\\$`])/g, '$1') ?? single ?? escaped ?? '',
  );
}
