import type { Answering } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';
import { contains, decodeColumn, type Position } from '../../core/position.ts';
import type { Proposal } from '../../core/proposal.ts';
import type { Place, Rename, Span } from '../../core/question.ts';
import { nameSome } from '../../core/wording/name-some.ts';
import { areOfOneFamily, oneOfEachKind } from '../../source-text/language-families.ts';
import { toKebab } from '../../source-text/names/vue-events.ts';
import { occurrences } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { plural } from '../show/render-location.ts';

/** The old and the new name. */
export interface Renaming {
  readonly from: string;
  readonly to: string;
}

/** Returns doubts if what a server renames may not be what was asked for. */
export async function renameDoubts(
  context: ToolContext,
  { proposal, spans, missed }: Rename,
  definitions: readonly Span[],
  renaming: Renaming,
): Promise<Doubt[]> {
  const unrelated = await unrelatedSpans(context, spans, renaming.from);
  const foreign = proposal.steps
    .flatMap((step) => (step.kind === 'edit' ? step.edits : []))
    .filter(({ newText }) => !newText.includes(renaming.to) && !newText.includes(renaming.from));
  const own = definitions.filter(({ standing }) => standing === 'inside');
  const kept = await unchangedDefinitions(context, own, spans, renaming.from);
  return [
    ...doubtAt(missed, (places) => `The server does not rename ${renaming.from} at ${places}.`, context),
    ...doubtAt(
      unrelated,
      (places) => `The server changes names other than ${renaming.from}: ${places}.`,
      context,
    ),
    ...doubtAt(kept, (places) => `The definition keeps the old name: ${places}.`, context),
    ...(foreign.length === 0
      ? []
      : [{ kind: 'unexpected_edit', detail: foreignText(foreign.length) } as const]),
  ];
}

/** Refuses to rename what a library defines, since only its uses here would change. */
export function checkOwnership({ workspace }: ToolContext, name: string, definitions: readonly Span[]): void {
  const [first] = definitions;
  if (!first || definitions.some(({ standing }) => standing === 'inside')) return;
  throw new LspanError(
    'refused',
    `${name} is defined outside the workspace, in ${workspace.show(first.path)}: it cannot be renamed here.`,
    { nextStep: 'Rename only what this workspace defines.' },
  );
}

function foreignText(count: number): string {
  return `${plural('edit', count)} of the server ${count === 1 ? 'is' : 'are'} unrelated to the new name.`;
}

/** Returns a doubt about some places, if there are any. */
function doubtAt(
  spans: readonly Span[],
  render: (places: string) => string,
  { workspace }: ToolContext,
): Doubt[] {
  if (spans.length === 0) return [];
  const places = spans.map(
    ({ path, range }) => `${workspace.show(path)}:${range.start.line + 1}:${range.start.character + 1}`,
  );
  return [{ kind: 'unexpected_edit', detail: render(nameSome(places)) }];
}

/** Returns the spans that do not contain the old name; an empty one is an insertion next to it. */
async function unrelatedSpans(context: ToolContext, spans: readonly Span[], name: string): Promise<Span[]> {
  return filterAsync(spans, async (span) => {
    if (span.standing !== 'inside' || span.clamped) return true;
    const document = await documentAt(context, span.path);
    const replaced = document && textAt(document, span);
    if (replaced === undefined || replaced === '' || replaced.includes(name)) return false;
    // A template of Vue may write `itemCount` as `item-count`.
    return !(span.path.endsWith('.vue') && replaced === toKebab(name));
  });
}

/** Returns definitions that keep the old name, if none is renamed; an alias of another name is renamed alone. */
async function unchangedDefinitions(
  context: ToolContext,
  definitions: readonly Span[],
  spans: readonly Span[],
  name: string,
): Promise<Span[]> {
  const isRenamed = ({ path, range }: Span) =>
    spans.some((span) => span.path === path && overlaps(span.range, range));
  if (definitions.some(isRenamed)) return [];
  return filterAsync(definitions, async (span) => {
    const document = await documentAt(context, span.path);
    return document !== undefined && occurrences(document.line(span.range.start.line), name).length > 0;
  });
}

function overlaps(a: Span['range'], b: Span['range']): boolean {
  return contains(a, b.start) || contains(b, a.start);
}

async function filterAsync(
  spans: readonly Span[],
  isMeant: (span: Span) => Promise<boolean>,
): Promise<Span[]> {
  const results = await Promise.all(spans.map(isMeant));
  return spans.filter((_, index) => results[index]);
}

function textAt(document: Document, { range: { start, end } }: Span): string | undefined {
  if (start.line !== end.line) return undefined;
  return document.line(start.line).slice(start.character, end.character);
}

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
  const changed = oneOfEachKind(spans.map(({ path }) => path));
  const files = (await workspace.mentioning(name, call)) ?? [];
  return files.some((file) => changed.some((one) => areOfOneFamily(file, one)));
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
  const others = lost.length > 0 ? [`${nameSome(lost)} would change meaning`] : [];
  const joined = captured.length > 0 ? [`${nameSome(captured)} would refer to it`] : [];
  return `${name} already names something else: ${[...others, ...joined].join(', and ')}.`;
}
