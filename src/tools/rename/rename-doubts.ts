import type { Doubt } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { contains } from '../../core/positions.ts';
import type { Rename, Span } from '../../core/questions.ts';
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
    ...doubtAt(missed, (places) => `The server leaves ${renaming.from} as it is at ${places}.`, context),
    ...doubtAt(
      unrelated,
      (places) => `The server changes what is not called ${renaming.from}: ${places}.`,
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
  return `${plural('edit', count)} of the server ${count === 1 ? 'has' : 'have'} nothing to do with the new name.`;
}

/** Returns a doubt about some places, if there are any. */
export function doubtAt(
  spans: readonly Span[],
  render: (places: string) => string,
  { workspace }: ToolContext,
): Doubt[] {
  if (spans.length === 0) return [];
  const shown = spans
    .slice(0, limits.rename.shown)
    .map(({ path, range }) => `${workspace.show(path)}:${range.start.line + 1}:${range.start.character + 1}`);
  const more = spans.length - shown.length;
  const places = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return [{ kind: 'unexpected_edit', detail: render(places) }];
}

/** Returns the spans that do not contain the old name; an empty one is an insertion next to it. */
async function unrelatedSpans(context: ToolContext, spans: readonly Span[], name: string): Promise<Span[]> {
  return filterAsync(spans, async (span) => {
    if (span.standing !== 'inside' || span.clamped) return true;
    const document = await documentAt(context, span.path);
    const replaced = document && textAt(document, span);
    return replaced !== undefined && replaced !== '' && !replaced.includes(name);
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
