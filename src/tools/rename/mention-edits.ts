import { encodeColumn, type Position, type PositionEncoding } from '../../core/positions.ts';
import type { Proposal, ProposedEdit, ProposedStep } from '../../core/proposal.ts';
import { isProtected } from '../../core/protected-paths.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { isSecret } from '../show/location.ts';
import type { Mention } from '../show/mentions.ts';

/** Adds edits to a proposal that rename mentions in comments, strings and files of other languages. */
export async function addMentionEdits(
  context: ToolContext,
  proposal: Proposal,
  mentions: readonly Mention[],
  newName: string,
): Promise<Proposal> {
  const steps = [...proposal.steps];
  const moved = new Set(steps.flatMap((step) => pathsMoved(context, step)));
  const wanted = mentions.filter((one) => isRenamed(context, one) && !moved.has(one.path));
  for (const [path, own] of groupBy(wanted, (one) => one.path)) {
    const document = await context.workspace.read(path);
    const at = steps.findIndex((step) => step.kind === 'edit' && pathOf(context, step.uri) === path);
    const step = steps[at];
    const base = step?.kind === 'edit' ? step : newStep(context, document);
    const edits = own.map((one) => toEdit(document, one, newName, base.encoding));
    const joined = { ...base, edits: [...base.edits, ...edits] };
    // Positions of a step all refer to the text before it, so the edits of a file belong together.
    if (step) steps[at] = joined;
    else steps.unshift(joined);
  }
  return { ...proposal, steps };
}

const reasons: ReadonlySet<Mention['reason']> = new Set(['comment', 'string', 'other_language']);

/** A search for a word must not touch files that decide what is run, or that may contain secrets. */
export function isRenamed(context: ToolContext, mention: Mention): boolean {
  const root = context.workspace.rootOf(mention.path) ?? '';
  return (
    reasons.has(mention.reason) &&
    !isProtected(mention.path.slice(root.length + 1)) &&
    !isSecret(context, mention)
  );
}

type TextStep = Extract<ProposedStep, { readonly kind: 'edit' }>;

function newStep({ workspace }: ToolContext, { path, hash }: Document): TextStep {
  return { kind: 'edit', uri: workspace.uri(path), encoding: 'utf-16', edits: [], seen: hash };
}

function toEdit(
  document: Document,
  { range: { start, end } }: Mention,
  newText: string,
  encoding: PositionEncoding,
): ProposedEdit {
  const encode = ({ line, character }: Position) => ({
    line,
    character: encodeColumn(document.line(line), character, encoding),
  });
  return { range: { start: encode(start), end: encode(end) }, newText };
}

function pathsMoved(context: ToolContext, step: ProposedStep): string[] {
  if (step.kind === 'rename') return [pathOf(context, step.from), pathOf(context, step.to)];
  return step.kind === 'edit' ? [] : [pathOf(context, step.uri)];
}

function pathOf({ workspace }: ToolContext, uri: string): string {
  return workspace.fromUri(uri).path;
}
