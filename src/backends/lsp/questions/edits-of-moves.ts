import type { Proposal, ProposedStep } from '../../../core/proposal.ts';
import type { FileMove } from '../../../core/question.ts';
import type { Json } from '../../../core/runtime/json.ts';
import { isPathWithin } from '../../../platform/files/path-within.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { readProposal } from '../convert/proposal.ts';
import type { Translation } from '../convert/translation.ts';
import { renameParams, wantedMoves } from './file-operations.ts';
import { movesRow } from './moves.ts';

/** Sends requests to the server that made the proposal. */
export interface MoveRequestSender {
  /** Options with which the server announced or registered a capability. */
  optionsOf(method: string, capability: string): readonly Json[];
  send(params: Json, method: string): Promise<unknown>;
}

/** Adds the edits for the moves in a proposal: some servers omit them and expect `willRenameFiles`. */
export async function withMoveEdits(
  proposal: Proposal,
  translation: Translation,
  { optionsOf, send }: MoveRequestSender,
): Promise<Proposal> {
  const { workspace } = translation;
  const { method, capability } = movesRow;
  const moves = wantedMoves(optionsOf(method, capability), movesIn(proposal, workspace), workspace.files());
  if (moves.length === 0) return proposal;
  return joined(proposal, readProposal(await send(renameParams(moves, workspace), method), translation));
}

function movesIn({ steps }: Proposal, workspace: Workspace): readonly FileMove[] {
  const files = [...workspace.files()];
  return steps.flatMap((step) => {
    if (step.kind !== 'rename') return [];
    const [from, to] = [workspace.fromUri(step.from), workspace.fromUri(step.to)];
    if (from.standing !== 'inside' || to.standing !== 'inside') return [];
    const isFolder = files.some((file) => file !== from.path && isPathWithin(from.path, file));
    return [{ from: from.path, to: to.path, isFolder }];
  });
}

type EditStep = Extract<ProposedStep, { kind: 'edit' }>;

/** Merges edits without duplicates; added steps come first: their positions are from before the moves. */
function joined(own: Proposal, added: Proposal): Proposal {
  const rest = new Map<ProposedStep, ProposedStep>();
  const fresh: ProposedStep[] = [];
  for (const step of added.steps) {
    const first = own.steps.find((one): one is EditStep => isEditOf(one, step));
    const known = first && rest.get(first);
    if (!first || step.kind !== 'edit') fresh.push(step);
    else
      rest.set(first, {
        ...first,
        edits: distinct([...(known?.kind === 'edit' ? known : first).edits, ...step.edits]),
      });
  }
  const steps = own.steps.map((step) => rest.get(step) ?? step);
  return { steps: [...fresh, ...steps], confirm: [...own.confirm, ...added.confirm] };
}

function isEditOf(one: ProposedStep, other: ProposedStep): boolean {
  return one.kind === 'edit' && other.kind === 'edit' && one.uri === other.uri;
}

function distinct(edits: EditStep['edits']): EditStep['edits'] {
  return [...new Map(edits.map((edit) => [JSON.stringify([edit.range, edit.newText]), edit])).values()];
}
