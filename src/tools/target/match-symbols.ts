import { comparePositions } from '../../core/positions.ts';
import type { FoundSymbol, OutlineSymbol, Span } from '../../core/questions.ts';
import type { SymbolKind } from '../../core/symbol-kinds.ts';
import { partsOfHolder, partsOfName, type SymbolPath } from './symbol-path.ts';

/** A symbol that has the name that is looked for. */
export interface Match {
  readonly span: Span;
  readonly name: string;
  readonly kind: SymbolKind;
  readonly holders: readonly string[];
  /** More belongs to it than begins with its name. */
  readonly hasBody?: boolean;
}

/** What is looked for. */
export interface WantedSymbol extends SymbolPath {
  readonly kind?: SymbolKind | undefined;
}

/** What is mostly a part of something else. */
export const lesser: ReadonlySet<string> = new Set([
  ...[
    'property',
    'field',
    'variable',
    'constant',
    'key',
    'object',
    'string',
    'number',
    'boolean',
    'array',
    'null',
  ],
]);

/** Whether only a name is said. Holders, kinds and overloads are known of declarations alone, not of uses. */
export function isBare({ holders, kind, overload }: WantedSymbol): boolean {
  return holders.length === 0 && kind === undefined && overload === undefined;
}

/** The symbols of an outline that a path means; declarations of one name side by side are one symbol, or its n-th. */
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
  return pick(
    levels(outline, []).map((level) => level.filter((one) => isOfKind(one, wanted))),
    wanted,
  );
}

/** The symbols that were found all over the workspace and that a path means, overloads apart. */
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

/** A symbol that is called just as was said counts more than one whose parts are. */
function pick(levels: readonly (readonly Match[])[], wanted: WantedSymbol): Match[] {
  const literal = levels.flat().filter(({ name }) => name === wanted.given && name !== wanted.name);
  if (literal.length > 0) return literal;
  return levels.flatMap((level) => {
    const called = ({ name }: Match) => partsOfName(name).join('\0');
    const names = new Set(level.map(called));
    return [...names].flatMap((name) =>
      ofGroup(
        level.filter((match) => called(match) === name),
        wanted.overload,
      ),
    );
  });
}

/** Functions of one name in one holder are overloads, or a getter with its setter: a mere property has no body. */
function ofGroup(group: readonly Match[], overload: number | undefined): readonly Match[] {
  if (overload !== undefined) return group.slice(overload, overload + 1);
  return group.every(({ kind, hasBody }) => hasBody && (callable.has(kind) || kind === 'property'))
    ? group.slice(0, 1)
    : group;
}

const callable: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);

/** Whether the name and its innermost holders are the ones that were said; the file counts as the outermost. */
function fits({ name, holders }: Match, wanted: WantedSymbol, shown: string): boolean {
  if (name === wanted.given) return true;
  const own = [...holders, ...partsOfName(name)];
  const said = [...wanted.holders, wanted.name];
  if (own.at(-1) !== wanted.name) return false;
  if (endsWith([...partsOfFile(shown), ...own], said)) return true;
  // As far as the server tells holders.
  return own.length > 1 && own.length < said.length && endsWith(said, own);
}

function endsWith(whole: readonly string[], end: readonly string[]): boolean {
  return end.length <= whole.length && end.every((part, index) => whole.at(index - end.length) === part);
}

/** `app/cart.py` is what Python calls `app.cart`. */
function partsOfFile(shown: string): string[] {
  const parts = shown.replace(/\.[^./]*$/, '').split('/');
  return /^(index|__init__|mod|lib|main)$/.test(parts.at(-1) ?? '') ? parts.slice(0, -1) : parts;
}
