import { z } from 'zod';
import type { Proposal, ProposedStep } from '../../core/proposal.ts';
import { previewOrApply } from '../change/change.ts';
import { change, changeFields } from '../change/change-data.ts';
import { renderChangeWith, shortenChange } from '../change/render-change.ts';
import { defineTool } from '../run/define-tool.ts';
import { filePath } from '../target/target-fields.ts';
import { readMove } from './read-move.ts';
import { renderStalePaths, stalePaths, stalePathsOf } from './stale-paths.ts';

/** Moves a file or a folder, and changes what refers to it. */
export const renameFile = defineTool({
  name: 'rename_file',
  title: 'Rename a file',
  toolset: 'files',
  listed: true,
  description:
    'Rename or move a file or folder, and update imports. Paths that no server changes are listed as uncovered.',
  input: z.strictObject({
    old_path: filePath,
    new_path: filePath.describe('If a folder, or ending in `/`: moves into it'),
    allow_incomplete: z.boolean().optional(),
    ...changeFields,
  }),
  output: change.extend(stalePaths.shape),
  effects: 'files',
  async answer(context, input, call) {
    const { move, adjusted, doubts: misled } = await readMove(context, input.old_path, input.new_path);
    const { workspace, backend, edits } = context;
    const { answer, doubts: unsure } = await backend.ask({ kind: 'moves', moves: [move] }, call);
    const doubts = [...misled, ...unsure];
    const [from, to] = [workspace.uri(move.from), workspace.uri(move.to)];
    const step: ProposedStep = { kind: 'rename', from, to, ifThere: 'refuse' };
    // The servers' positions are in the files at their old paths, so the move comes last.
    const proposal: Proposal = { ...answer.proposal, steps: [...answer.proposal.steps, step] };
    const title = `move ${workspace.show(move.from)} to ${workspace.show(move.to)}`;
    const allowProtected = input.allow_protected ?? [];
    const draft = edits.plan(proposal, { title, allowProtected, passing: true });
    const stale = await stalePathsOf(context, move, draft, call);
    const request = { ...input, title, doubts, moves: [move], dependents: stale.dependents };
    const result = await previewOrApply(context, proposal, request, call);
    return { data: { ...result.data, ...stale.data }, doubts: [...result.doubts, ...stale.doubts], adjusted };
  },
  render: (done) => renderChangeWith(done, renderStalePaths(done)),
  shorten: shortenChange,
});
