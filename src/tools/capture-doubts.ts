import type { Answering } from '../core/backend.ts';
import type { Call } from '../core/call.ts';
import type { Doubt } from '../core/doubts.ts';
import { groupBy } from '../core/group-by.ts';
import { contains, type Position } from '../core/positions.ts';
import type { Proposal } from '../core/proposal.ts';
import type { Place, Rename, Span } from '../core/questions.ts';
import { occurrences } from '../core/words.ts';
import { someOf } from './problem-doubts.ts';
import type { Renaming } from './rename-doubts.ts';
import type { World } from './tool.ts';

/**
 * Whether a new name would mean something else at one of its places, or something else would come to mean it. Only
 * asked where the new name stands in a file that changes: else there is nothing that it could meet.
 */
export async function captureDoubts(
  world: World,
  place: Place,
  { proposal, spans }: Rename,
  renaming: Renaming,
  call: Call,
): Promise<Doubt[]> {
  const isPlain = edits(proposal).every(({ newText }) => newText === renaming.to);
  if (!isPlain || !(await isMet(world, spans, renaming.to))) return [];
  const { files } = world.edits.plan(proposal, { title: 'look', passing: true });
  const texts = new Map(
    files.flatMap(({ path, after }) => (after === undefined ? [] : [[path, after] as const])),
  );
  const growth = renaming.to.length - renaming.from.length;
  const moved = placesAfter(spans, growth);
  const old = await usesAt(world.backend, place, call);
  const after = { ...place, position: moved(place.path, startOf(spans, place)) };
  const fresh = await world.backend.overlay(texts, call, (overlaid) => usesAt(overlaid, after, call));
  const expected = old.map(({ path, range }) => spell(world, path, moved(path, range.start)));
  const found = fresh.map(({ path, range }) => spell(world, path, range.start));
  const lost = expected.filter((one) => !found.includes(one));
  const caught = found.filter((one) => !expected.includes(one));
  if (lost.length + caught.length === 0) return [];
  return [{ kind: 'unexpected_edit', detail: collision(renaming.to, lost, caught) }];
}

function edits({ steps }: Proposal) {
  return steps.flatMap((step) => (step.kind === 'edit' ? step.edits : []));
}

async function isMet({ workspace }: World, spans: readonly Span[], name: string): Promise<boolean> {
  for (const path of new Set(spans.map((span) => span.path))) {
    const document = workspace.known(path) ?? (await workspace.read(path));
    if (occurrences(document.text, name).length > 0) return true;
  }
  return false;
}

async function usesAt(answering: Answering, place: Place, call: Call): Promise<readonly Span[]> {
  const { answer } = await answering.ask({ kind: 'references', place }, call);
  return answer.filter(({ standing }) => standing === 'inside');
}

function startOf(spans: readonly Span[], { path, position }: Place): Position {
  return spans.find((span) => span.path === path && contains(span.range, position))?.range.start ?? position;
}

/** Where a position is once all spans have grown by so much; a rename changes no lines. */
function placesAfter(spans: readonly Span[], growth: number): (path: string, position: Position) => Position {
  const byLine = groupBy(spans, ({ path, range }) => `${range.start.line} ${path}`);
  return (path, { line, character }) => {
    const own = byLine.get(`${line} ${path}`) ?? [];
    const before = own.filter(({ range }) => range.start.character < character).length;
    return { line, character: character + before * growth };
  };
}

function spell({ workspace }: World, path: string, { line, character }: Position): string {
  return `${workspace.show(path)}:${line + 1}:${character + 1}`;
}

function collision(name: string, lost: readonly string[], caught: readonly string[]): string {
  const others = lost.length > 0 ? [`${someOf(lost)} would mean something else`] : [];
  const joined = caught.length > 0 ? [`${someOf(caught)} would come to mean it`] : [];
  return `${name} is the name of something else too: after the rename, ${[...others, ...joined].join(', and ')}.`;
}
