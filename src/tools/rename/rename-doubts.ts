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

/** What a rename is from and to. */
export interface Renaming {
  readonly from: string;
  readonly to: string;
}

/** Why what a server wants renamed may not be what was asked for. */
export async function renameDoubts(
  context: ToolContext,
  { proposal, spans, missed }: Rename,
  definitions: readonly Span[],
  renaming: Renaming,
): Promise<Doubt[]> {
  const strange = await strangeSpans(context, spans, renaming.from);
  const foreign = proposal.steps
    .flatMap((step) => (step.kind === 'edit' ? step.edits : []))
    .filter(({ newText }) => !newText.includes(renaming.to) && !newText.includes(renaming.from));
  const own = definitions.filter(({ standing }) => standing === 'inside');
  const kept = await keepingTheName(context, own, spans, renaming.from);
  return [
    ...doubtAt(missed, (places) => `The server leaves ${renaming.from} as it is at ${places}.`, context),
    ...doubtAt(
      strange,
      (places) => `The server changes what is not called ${renaming.from}: ${places}.`,
      context,
    ),
    ...doubtAt(kept, (places) => `The definition keeps the old name: ${places}.`, context),
    ...(foreign.length === 0
      ? []
      : [{ kind: 'unexpected_edit', detail: foreignText(foreign.length) } as const]),
  ];
}

/** Refuses to rename what a library defines: its uses here would be all that changes. */
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

/** A doubt about some places, where there are any. */
export function doubtAt(
  spans: readonly Span[],
  say: (places: string) => string,
  { workspace }: ToolContext,
): Doubt[] {
  if (spans.length === 0) return [];
  const shown = spans
    .slice(0, limits.rename.shown)
    .map(({ path, range }) => `${workspace.show(path)}:${range.start.line + 1}:${range.start.character + 1}`);
  const more = spans.length - shown.length;
  const places = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return [{ kind: 'unexpected_edit', detail: say(places) }];
}

/** What is replaced should hold the old name, or be an insertion beside it. */
async function strangeSpans(context: ToolContext, spans: readonly Span[], name: string): Promise<Span[]> {
  const isStrange = async (span: Span) => {
    if (span.standing !== 'inside' || span.clamped) return true;
    const document = await documentAt(context, span.path);
    const replaced = document && textAt(document, span);
    return replaced !== undefined && replaced !== '' && !replaced.includes(name);
  };
  return filter(spans, isStrange);
}

/** A local alias of another name is renamed alone; what bears the old name itself should not keep it. */
async function keepingTheName(
  context: ToolContext,
  definitions: readonly Span[],
  spans: readonly Span[],
  name: string,
): Promise<Span[]> {
  const isRenamed = ({ path, range }: Span) =>
    spans.some((span) => span.path === path && overlaps(span.range, range));
  if (definitions.some(isRenamed)) return [];
  return filter(definitions, async (span) => {
    const document = await documentAt(context, span.path);
    return document !== undefined && occurrences(document.line(span.range.start.line), name).length > 0;
  });
}

function overlaps(a: Span['range'], b: Span['range']): boolean {
  return contains(a, b.start) || contains(b, a.start);
}

async function filter(spans: readonly Span[], isMeant: (span: Span) => Promise<boolean>): Promise<Span[]> {
  const judged = await Promise.all(spans.map(isMeant));
  return spans.filter((_, index) => judged[index]);
}

function textAt(document: Document, { range: { start, end } }: Span): string | undefined {
  if (start.line !== end.line) return undefined;
  return document.line(start.line).slice(start.character, end.character);
}
