/**
 * One glob of a server's watchers, split at slashes: `*`, `?`, `[…]` within a name, `**` for any folders.
 * Matching goes from left to right and backtracks to the latest star only: for any glob of a server and any
 * path of a repository, a match takes at most as many steps as the product of their lengths.
 */
export type Glob = readonly Part<string>[];

/** Expands a pattern to globs without braces; `undefined` if it is invalid or they are more than `most`. */
export function readGlobs(pattern: string, most: number): readonly Glob[] | undefined {
  const globs = withoutBraces(pattern, most);
  if (!globs?.every(isReadable)) return undefined;
  return globs.map((glob) => glob.split('/').map(readName));
}

/** Reads a pattern in which only `*`, `?` and `**` are special. */
export function readWildcards(pattern: string): Glob {
  return pattern.split('/').map((name) => (name === '**' ? undefined : readWildcardName(name)));
}

/** Returns whether a glob matches a path, given as its names; `**` stands only for names that pass a test. */
export function matchesGlob(
  glob: Glob,
  names: readonly string[],
  passes: (name: string) => boolean = () => true,
): boolean {
  // Thousands of files may be compared with hundreds of globs, and few have the right name.
  const [last, name] = [glob.at(-1), names.at(-1)];
  if (last !== undefined && (name === undefined || !last(name))) return false;
  return matches(glob, names, passes);
}

/** Tests one item; `undefined` matches any number of items. */
type Part<T> = ((item: T) => boolean) | undefined;

/** Returns whether parts match items. Once a later star is reached, the match of an earlier one is final. */
function matches<T>(
  parts: readonly Part<T>[],
  items: ArrayLike<T>,
  passes: (item: T) => boolean = () => true,
): boolean {
  let part = 0;
  let resume: { readonly part: number; item: number } | undefined;
  for (let at = 0; at < items.length; ) {
    const item = items[at];
    if (part < parts.length && parts[part] === undefined) resume = { part: ++part, item: at };
    else if (item !== undefined && parts[part]?.(item)) [part, at] = [part + 1, at + 1];
    else if (resume && isPassed(items[resume.item], passes)) [part, at] = [resume.part, ++resume.item];
    else return false;
  }
  return parts.slice(part).every((rest) => rest === undefined);
}

function isPassed<T>(item: T | undefined, passes: (item: T) => boolean): boolean {
  return item !== undefined && passes(item);
}

function readName(name: string): Part<string> {
  if (name === '**') return undefined;
  if (!/[*?[]/.test(name)) return (text) => text === name;
  const parts = (name.match(tokens) ?? []).map(readCharacter);
  return (text) => matches(parts, text);
}

/** Like `readWildcards`, but for a single name. */
export function readWildcardName(name: string): (text: string) => boolean {
  if (!/[*?]/.test(name)) return (text) => text === name;
  const parts = (name.match(/\*+|[^*]/g) ?? []).map((token) =>
    token.startsWith('*') ? undefined : readCharacter(token),
  );
  return (text) => matches(parts, text);
}

const tokens = /\*+|\[[!^]?[^\]]+\]|[^*]/g;

function readCharacter(token: string): Part<string> {
  if (token.startsWith('*')) return undefined;
  if (token === '?') return () => true;
  if (token.length === 1) return (character) => character === token;
  const negated = /^\[[!^]/.test(token);
  const ranges = token.slice(negated ? 2 : 1, -1).match(/.-.|./gsu) ?? [];
  const isOneOf = (character: string) =>
    ranges.some((range) => range.charAt(0) <= character && character <= range.charAt(range.length - 1));
  return (character) => isOneOf(character) !== negated;
}

/** Rejects escapes, which LSP does not have, and brackets that are not closed. */
function isReadable(glob: string): boolean {
  return !/[[\\]/.test(glob.replace(/\[[!^]?[^\]/]+\]/g, ''));
}

interface Group {
  readonly done: string[];
  /** Expansions of the current alternative so far. */
  current: readonly string[];
}

/** Returns every expansion of a pattern with braces, which may be nested. */
function withoutBraces(pattern: string, most: number): readonly string[] | undefined {
  const outer: Group[] = [];
  let group: Group = { done: [], current: [''] };
  for (const token of pattern.match(/[{},]|[^{},]+/g) ?? []) {
    let more: readonly string[] = [token];
    if (token === '{') {
      outer.push(group);
      group = { done: [], current: [''] };
      continue;
    }
    if (token === ',' && outer.length > 0) {
      group.done.push(...group.current);
      group.current = [''];
      continue;
    }
    if (token === '}') {
      const holder = outer.pop();
      if (!holder) return undefined;
      more = [...group.done, ...group.current];
      group = holder;
    }
    if (group.done.length + group.current.length * more.length > most) return undefined;
    group.current = group.current.flatMap((start) => more.map((end) => start + end));
  }
  return outer.length === 0 ? group.current : undefined;
}
