import { extname } from 'node:path';
import { comparePositions } from '../../core/position.ts';
import type { FoundSymbol, OutlineSymbol, Span } from '../../core/question.ts';
import type { SymbolKind } from '../../core/symbol-kinds.ts';
import { partsOfHolder, partsOfName, type SymbolPath } from './symbol-path.ts';

/** A symbol with the name that is looked for. */
export interface Match {
  readonly span: Span;
  readonly name: string;
  readonly kind: SymbolKind;
  readonly holders: readonly string[];
  /** True if it is callable, or its declaration begins before its name, as that of a getter. */
  readonly hasBody?: boolean;
}

/** The symbol that is looked for. */
export interface WantedSymbol extends SymbolPath {
  readonly kind?: SymbolKind | undefined;
}

/** Kinds of symbols that are mostly parts of others. */
export const minorKinds: ReadonlySet<string> = new Set(
  'property field variable constant key object string number boolean array null'.split(' '),
);

/** Returns whether only a name is given. Holders, kinds and overloads are known for declarations only, not for uses. */
export function isNameOnly({ holders, kind, overload }: WantedSymbol): boolean {
  return holders.length === 0 && kind === undefined && overload === undefined;
}

/** Returns the symbols of an outline that match; adjacent declarations of one name are one symbol, or its n-th. */
export function matchOutline(
  outline: readonly OutlineSymbol[],
  wanted: WantedSymbol,
  file: { readonly path: string; readonly shown: string },
): Match[] {
  const levels = (level: readonly OutlineSymbol[], holders: readonly string[]): Match[][] => {
    const own = level.map(({ name, kind, selection, range }) => {
      const span: Span = { path: file.path, range: selection, standing: 'inside' };
      const hasBody = callable.has(kind) || comparePositions(range.start, selection.start) < 0;
      return { span, name, kind, holders, hasBody };
    });
    const below = level.flatMap(({ name, children }) =>
      children.length === 0 ? [] : levels(children, [...holders, ...partsOfName(name)]),
    );
    return [own.filter((match) => fits(match, wanted, file.shown)), ...below];
  };
  return selectMatches(
    levels(outline, []).map((level) => level.filter((one) => isOfKind(one, wanted))),
    wanted,
  );
}

/** Returns the symbols that a workspace search found and that match, whatever their overloads. */
export function matchFound(
  found: readonly FoundSymbol[],
  wanted: WantedSymbol,
  show: (path: string) => string,
): Match[] {
  return found
    .filter(({ span }) => span.standing === 'inside')
    .map(({ name, kind, container = '', span }) => ({ span, name, kind, holders: partsOfHolder(container) }))
    .filter((match) => isOfKind(match, wanted) && fits(match, wanted, show(match.span.path)));
}

function isOfKind({ kind }: Match, wanted: WantedSymbol): boolean {
  return wanted.kind === undefined || kind === wanted.kind;
}

/** Prefers symbols that are called exactly as given to those of which only the parts match. */
function selectMatches(levels: readonly (readonly Match[])[], wanted: WantedSymbol): Match[] {
  const literal = levels.flat().filter(({ name }) => name === wanted.given && name !== wanted.name);
  if (literal.length > 0) return literal;
  return levels.flatMap((level) => {
    const called = ({ name }: Match) => partsOfName(name).join('\0');
    const names = new Set(level.map(called));
    return [...names].flatMap((name) =>
      selectOverload(
        level.filter((match) => called(match) === name),
        wanted.overload,
      ),
    );
  });
}

/** Functions of one name in one holder are overloads, or a getter and its setter; a plain property has no body. */
function selectOverload(group: readonly Match[], overload: number | undefined): readonly Match[] {
  if (overload !== undefined) return group.slice(overload, overload + 1);
  return group.every(({ kind, hasBody }) => hasBody && (callable.has(kind) || kind === 'property')) &&
    !group.every(isOwnSymbol)
    ? group.slice(0, 1)
    : group;
}

/** True for a function that is another symbol than its overloads; what declares the same is merged by its definition. */
function isOwnSymbol({ kind, span }: Match): boolean {
  return callable.has(kind) && overloading.has(extname(span.path).slice(1).toLowerCase());
}

/** Files of languages in which overloads are different symbols: C has none, and in TypeScript they are one symbol. */
const overloading: ReadonlySet<string> = new Set(
  'h cc cpp cxx c++ hh hpp hxx h++ ipp inl tpp cu cuh mm java cs kt kts swift'.split(' '),
);

const callable: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);

/** Returns whether the name and its innermost holders are as given; the file counts as the outermost holder. */
function fits({ name, holders }: Match, wanted: WantedSymbol, shown: string): boolean {
  if (name === wanted.given) return true;
  if (argument.test(name)) return false;
  const own = [...holders, ...partsOfName(name)];
  const given = [...wanted.holders, wanted.name];
  if (own.at(-1) !== wanted.name) return false;
  if (endsWith([...partsOfFile(shown), ...own], given)) return true;
  if (shown.endsWith('.rs') && isInCrate(partsOfFile(shown), own, given)) return true;
  // The server may not report all holders.
  return own.length > 1 && own.length < given.length && endsWith(given, own);
}

/** Some servers name a function that is an argument after the call, as in `describe('cart') callback`. */
const argument = /\) callback$/;

/** Returns whether the last parts of a list are those of another. */
export function endsWith(whole: readonly string[], end: readonly string[]): boolean {
  return end.length <= whole.length && end.every((part, index) => whole.at(index - end.length) === part);
}

/**
 * Returns whether a path of Rust begins with the crate that a file is of: `ignore::walk::Entry` for `ignore/src/walk.rs`. What
 * a crate passes on, others name without the modules that it is in.
 */
function isInCrate(file: readonly string[], own: readonly string[], given: readonly string[]): boolean {
  const source = file.lastIndexOf('src');
  const [head, ...rest] = given;
  const isOwn = head === 'crate' || head === file[source - 1]?.replaceAll('-', '_');
  if (source < 0 || !isOwn) return false;
  const whole = [...file.slice(source + 1), ...own];
  let from = 0;
  for (const part of rest) {
    from = whole.indexOf(part, from) + 1;
    if (from === 0) return false;
  }
  return true;
}

/** `app/cart.py` is the Python module `app.cart`. */
function partsOfFile(shown: string): string[] {
  const parts = shown.replace(/\.[^./]*$/, '').split('/');
  return /^(index|__init__|mod|lib|main)$/.test(parts.at(-1) ?? '') ? parts.slice(0, -1) : parts;
}
