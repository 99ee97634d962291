import { extname } from 'node:path';
import type { Answering } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { contains, decodeColumn, type Position } from '../../core/positions.ts';
import type { Proposal } from '../../core/proposal.ts';
import type { Place, Rename, Span } from '../../core/questions.ts';
import type { ToolContext } from '../run/tool.ts';
import { renderSome } from '../show/problem-doubts.ts';
import type { Renaming } from './rename-doubts.ts';

/**
 * Returns a doubt if a new name would mean something else at one of its places, or something else would come to mean
 * it. Only asks if a file of the same kind contains the new name: otherwise nothing can collide with it. Such a file need
 * not change: its class may come to override what it inherits.
 */
export async function captureDoubts(
  context: ToolContext,
  place: Place,
  { proposal, spans }: Rename,
  renaming: Renaming,
  call: Call,
): Promise<Doubt[]> {
  if (!(await canCollide(context, spans, renaming.to, call))) return [];
  const { files } = context.edits.plan(proposal, { title: 'look', passing: true });
  const texts = new Map(
    files.flatMap(({ path, after }) => (after === undefined ? [] : [[path, after] as const])),
  );
  const moved = await placesAfter(context, proposal, renaming.to);
  const old = await usesAt(context.backend, place, call);
  const after = { ...place, position: moved(place.path, startOf(spans, place)) };
  const fresh = await context.backend.overlay(texts, call, (overlaid) => usesAt(overlaid, after, call));
  const expected = old.map(({ path, range }) => renderPlace(context, path, moved(path, range.start)));
  const found = fresh.map(({ path, range }) => renderPlace(context, path, range.start));
  const lost = expected.filter((one) => !found.includes(one));
  const captured = found.filter((one) => !expected.includes(one));
  if (lost.length + captured.length === 0) return [];
  return [{ kind: 'unexpected_edit', detail: renderCollision(renaming.to, lost, captured) }];
}

async function canCollide(
  { workspace }: ToolContext,
  spans: readonly Span[],
  name: string,
  call: Call,
): Promise<boolean> {
  const kinds = new Set(spans.map(({ path }) => extname(path)));
  const files = (await workspace.mentioning(name, call)) ?? [];
  return files.some((path) => kinds.has(extname(path)));
}

async function usesAt(answering: Answering, place: Place, call: Call): Promise<readonly Span[]> {
  const { answer } = await answering.ask({ kind: 'references', place }, call);
  return answer.filter(({ standing }) => standing === 'inside');
}

function startOf(spans: readonly Span[], { path, position }: Place): Position {
  return spans.find((span) => span.path === path && contains(span.range, position))?.range.start ?? position;
}

/** Returns a function that maps a place to where it is after a proposal; a rename changes no lines. */
async function placesAfter(
  { workspace }: ToolContext,
  { steps }: Proposal,
  name: string,
): Promise<(path: string, position: Position) => Position> {
  const shifts = new Map<
    string,
    { readonly start: number; readonly growth: number; readonly lead: number }[]
  >();
  for (const step of steps) {
    if (step.kind !== 'edit') continue;
    const { path } = workspace.fromUri(step.uri);
    const document = workspace.cached(path) ?? (await workspace.read(path));
    for (const { range, newText } of step.edits) {
      const { line } = range.start;
      const column = ({ character }: Position) => decodeColumn(document.line(line), character, step.encoding);
      const [start, end] = [column(range.start), column(range.end)];
      const own = shifts.get(`${line} ${path}`) ?? [];
      // `total: sum` and `sum as total` contain both names, since other code still uses the old one.
      own.push({ start, growth: newText.length - (end - start), lead: Math.max(0, newText.indexOf(name)) });
      shifts.set(`${line} ${path}`, own);
    }
  }
  return (path, { line, character }) => {
    const own = shifts.get(`${line} ${path}`) ?? [];
    const before = own.filter(({ start }) => start < character);
    const lead = own.find(({ start }) => start === character)?.lead ?? 0;
    return { line, character: before.reduce((sum, { growth }) => sum + growth, character) + lead };
  };
}

function renderPlace({ workspace }: ToolContext, path: string, { line, character }: Position): string {
  return `${workspace.show(path)}:${line + 1}:${character + 1}`;
}

function renderCollision(name: string, lost: readonly string[], captured: readonly string[]): string {
  const others = lost.length > 0 ? [`${renderSome(lost)} would mean something else`] : [];
  const joined = captured.length > 0 ? [`${renderSome(captured)} would come to mean it`] : [];
  return `${name} is the name of something else too: after the rename, ${[...others, ...joined].join(', and ')}.`;
}
