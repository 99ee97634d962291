import { limits } from '../../core/limits.ts';

/**
 * Returns whether a word in a comment of Go names something for the compiler or a generator: in `//export Name` of cgo, in
 * `//go:linkname local path/of/package.name`, or as an argument of `//go:generate`.
 */
export function isInDirective(
  file: string,
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  if (!file.endsWith('.go')) return false;
  const before = text.slice(Math.max(0, start - limits.mentions.attribute), start);
  const [, directive = '', rest = ''] = begun.exec(before.slice(before.lastIndexOf('\n') + 1)) ?? [];
  const after = text.slice(end, end + limits.mentions.ahead);
  return naming[directive]?.(rest, text.slice(start, end), after) === true;
}

const begun = /^[ \t]*\/\/(export|go:linkname|go:generate)[ \t]+(.*)$/s;

/** Returns whether a word is a name, by what comes before it in the directive and after it in the text. */
type Naming = (before: string, word: string, after: string) => boolean;

const ended = /^(?:\s|$)/;

const naming: Readonly<Record<string, Naming>> = {
  export: (before, _word, after) => before === '' && ended.test(after),
  // The second name is that of another package, and may be a method: `path/of/package.(*Type).Name`.
  'go:linkname': (before, _word, after) =>
    before === '' ? ended.test(after) : /[ \t]\S*[.*]$/.test(before) && !/^\S*\//.test(after),
  // A word in lower case is more likely a command, a file or a package.
  'go:generate': (before, word, after) =>
    /[ \t=,]$/.test(before) &&
    /^[\s,;]|^$/.test(after) &&
    (/^\p{Lu}/u.test(word) || /-\w{0,80}type\w{0,80}[ \t=]\S*$/i.test(before)),
};
