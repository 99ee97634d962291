import type { Call } from '../core/call.ts';
import type { Doubt } from '../core/doubts.ts';
import { groupBy } from '../core/group-by.ts';
import { limits } from '../core/limits.ts';
import { contains } from '../core/positions.ts';
import type { OutlineSymbol, Place, Span } from '../core/questions.ts';
import { filterInSlices, groupInSlices, joined } from '../core/slices.ts';
import type { Grown } from './grow-trees.ts';
import { orderManySpans } from './location.ts';
import { plural } from './render-locations.ts';
import type { World } from './tool.ts';

/**
 * Asks for all uses of a function beside its callers: servers that miss calls, as by another name, are known by uses that
 * look like calls and are none of those that they tell. Gives a way to compare them with the trees.
 */
export async function missedCalls(
  world: World,
  places: readonly Place[],
  call: Call,
): Promise<(grown: readonly Grown[]) => Promise<readonly Doubt[]>> {
  const asked = places.map((place) => world.backend.ask({ kind: 'references', place }, call));
  const replies = await Promise.all(
    // Who cannot tell uses is not compared.
    asked.map((reply) => reply.catch(() => undefined)),
  );
  call.signal.throwIfAborted();
  const uses = await orderManySpans(joined(replies.map((reply) => reply?.answer ?? [])));
  return async (grown) => {
    const told = groupBy(knownIn(grown), ({ path }) => path);
    const isTold = ({ path, range: { start } }: Span) =>
      told.get(path)?.some(({ range }) => contains(range, start)) === true;
    const left = await filterInSlices(uses, (use) => use.standing === 'inside' && !isTold(use));
    const count = await countCalls(world, left, call);
    if (count === 0) return [];
    const detail = `The server does not tell ${plural('more use', count)} as calls that look like such: find_references lists all.`;
    return [{ kind: 'server_unavailable', detail }];
  };
}

/** The roots themselves, and the calls of those directly below. */
function knownIn(grown: readonly Grown[]): readonly Span[] {
  const incoming = grown.filter(({ direction }) => direction === 'incoming').flatMap(({ roots }) => roots);
  return incoming.flatMap(({ span, children }) => [span, ...children.flatMap(({ sites }) => sites)]);
}

/** How many of some uses are followed by what makes a call of a name, and are not the names of declarations. */
async function countCalls(world: World, uses: readonly Span[], call: Call): Promise<number> {
  let count = 0;
  const byFile = await groupInSlices(uses, ({ path }) => path);
  for (const [path, own] of [...byFile].slice(0, limits.candidates.outlines)) {
    const document = await world.workspace.read(path).catch(() => undefined);
    const calls = own.filter(({ range: { end } }) =>
      opensCall.test(document?.line(end.line).slice(end.character) ?? ''),
    );
    if (calls.length === 0) continue;
    const outline = await world.outlines.of(world, path, call).catch(() => undefined);
    const declared = new Set(namesIn(outline?.answer ?? []));
    count += calls.filter(({ range: { start } }) => !declared.has(`${start.line}:${start.character}`)).length;
  }
  return count;
}

/** Behind a name: its type arguments, if it has any, and a bracket. */
const opensCall = /^(?:::)?(?:<[^<>()]*>)?\(/;

function namesIn(symbols: readonly OutlineSymbol[]): string[] {
  return symbols.flatMap(({ selection: { start }, children }) => [
    `${start.line}:${start.character}`,
    ...namesIn(children),
  ]);
}
