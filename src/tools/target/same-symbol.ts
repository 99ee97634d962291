import { type Call, cancelSignalOf, withinPart } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import { contains, type Position } from '../../core/position.ts';
import type { Place, Span } from '../../core/question.ts';
import { notSwapped } from '../mentions/follow-declarations.ts';
import type { ToolContext } from '../run/tool.ts';
import type { Candidate } from './candidate.ts';

/**
 * Merges candidates that have the same definition into the one that defines it, or else the first: importers,
 * re-exports and merged declarations are one symbol. Only the first of many candidates are asked about.
 */
export async function distinctSymbols(
  context: ToolContext,
  candidates: readonly Candidate[],
  call: Call,
): Promise<readonly Candidate[]> {
  if (candidates.length < 2) return candidates;
  return groupByMeaning(candidates, await definitionsOf(context, candidates, call));
}

/** Like `distinctSymbols`, but for uses of a name; ignores uses that no server knows anything about. */
export async function distinctUses(
  context: ToolContext,
  uses: readonly Candidate[],
  call: Call,
): Promise<readonly Candidate[]> {
  const asked = uses.slice(0, limits.candidates.asked);
  const definitions = await definitionsOf(context, asked, call);
  const answered = asked.flatMap((use, index) => {
    const own = definitions[index] ?? [];
    return own.length > 0 ? [{ use, own }] : [];
  });
  return groupByMeaning(
    answered.map(({ use }) => use),
    answered.map(({ own }) => own),
  );
}

/** Groups candidates by definition; several that define the same (a type and a value of one name) stay together. */
function groupByMeaning(
  candidates: readonly Candidate[],
  definitions: readonly (readonly Span[])[],
): readonly Candidate[] {
  const groups = new Map<string, { readonly all: Candidate[]; readonly defining: Candidate[] }>();
  const meanings = candidates.map(({ place }, index) => meaningOf(place, definitions[index] ?? []));
  const counterparts = counterpartsOf(candidates, meanings);
  for (const [index, candidate] of candidates.entries()) {
    const own = definitions[index] ?? [];
    const meaning = meanings[index] ?? '';
    const meant = counterparts.get(meaning) ?? meaning;
    const group = groups.get(meant) ?? { all: [], defining: [] };
    groups.set(meant, group);
    group.all.push(candidate);
    if (own.some((span) => covers(span, candidate.place))) group.defining.push(candidate);
  }
  return [...groups.values()].flatMap(({ all, defining }) => {
    const [first, ...others] = defining.length > 0 ? defining : all.slice(0, 1);
    return first ? [others.length > 0 ? { ...first, also: others.map(({ place }) => place) } : first] : [];
  });
}

/** Maps what a declaration and its definition mean, which a server may return for each other, to what the first means. */
function counterpartsOf(
  candidates: readonly Candidate[],
  meanings: readonly string[],
): ReadonlyMap<string, string> {
  const places = candidates.map(({ place: { path, position } }) => keyOf(path, position));
  const meant = new Map(places.map((place, index) => [place, meanings[index]]));
  return new Map(
    places.flatMap((place, index) => {
      const meaning = meanings[index] ?? '';
      return places.indexOf(meaning) > index && meant.get(meaning) === place ? [[place, meaning]] : [];
    }),
  );
}

/** Returns no definitions for a candidate beyond the bound, or one that no server can answer for. */
function definitionsOf(
  context: ToolContext,
  candidates: readonly Candidate[],
  call: Call,
): Promise<readonly (readonly Span[])[]> {
  const ask = async (place: Place, part: Call): Promise<readonly Span[]> => {
    const asking = context.backend
      .ask({ kind: 'definition', place }, part)
      .then(({ answer }) => notSwapped(context, 'definition', place, answer));
    return asking.catch((error: unknown) => {
      if (cancelSignalOf(call).aborted) throw error;
      return [];
    });
  };
  const asked = candidates.slice(0, limits.candidates.asked);
  return withinPart(call, { isBeside: asked.length > 1 }, (part) =>
    Promise.all(asked.map(({ place }) => ask(place, part))),
  );
}

/** Returns a key for where a symbol is defined; without definitions, it is its own place. */
function meaningOf({ path, position }: Place, definitions: readonly Span[]): string {
  if (definitions.length === 0) return keyOf(path, position);
  return definitions
    .map((span) => keyOf(span.path, span.range.start))
    .sort()
    .join('\0');
}

function keyOf(path: string, { line, character }: Position): string {
  return `${path}:${line}:${character}`;
}

function covers({ path, range }: Span, place: Place): boolean {
  return path === place.path && range.start.line === place.position.line && contains(range, place.position);
}
