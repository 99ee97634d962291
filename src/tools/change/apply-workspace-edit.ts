import { z } from 'zod';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Proposal, ProposedStep } from '../../core/proposal.ts';
import { readWorkspaceEdit } from '../../core/read-workspace-edit.ts';
import { defineTool } from '../run/define-tool.ts';
import type { ToolContext } from '../run/tool.ts';
import { renderSome } from '../show/problem-doubts.ts';
import { previewOrApply, previewOrApplyPlan } from './change.ts';
import { change, changeFields } from './change-data.ts';
import { renderChange, shortenChange } from './render-change.ts';
import { readReplacements, replacement } from './replacements.ts';

const input = z.strictObject({
  plan_id: z.string().min(1).max(limits.input.id).optional().describe('Applies that preview'),
  edits: z
    .array(replacement)
    .min(1)
    .max(limits.input.edits)
    .optional()
    .describe('old_text must occur once; empty for a new file'),
  edit: z.record(z.string(), z.unknown()).optional().describe('An LSP WorkspaceEdit, 0-based'),
  ...changeFields,
  dry_run: z.boolean().optional().describe('Default true, with plan_id false'),
  allow_incomplete: z.boolean().optional(),
});

/** Applies a plan, or an edit that the caller made. */
export const applyWorkspaceEdit = defineTool({
  name: 'apply_workspace_edit',
  title: 'Apply an edit',
  toolset: 'refactor',
  listed: true,
  description:
    'Applies the plan of a preview, or changes several files at once, all or nothing. Give one of plan_id, edits and edit.',
  input,
  output: change,
  effects: 'files',
  async answer(context, given, call) {
    const { plan_id, check, allow_incomplete, allow_protected } = given;
    const forms = [plan_id, given.edits, given.edit].filter((form) => form !== undefined);
    if (forms.length !== 1) throw notOne(forms.length);
    if (plan_id !== undefined) {
      const options = { dry_run: given.dry_run ?? false, check, allow_incomplete };
      return previewOrApplyPlan(context, context.edits.find(plan_id), options, call);
    }
    const proposal = await read(context, given);
    const title = `edit ${renderSome(filesOf(context, proposal))}`;
    const request = { title, dry_run: given.dry_run ?? true, check, allow_protected };
    return previewOrApply(context, proposal, request, call);
  },
  render: renderChange,
  shorten: shortenChange,
});

async function read(context: ToolContext, { edits, edit }: z.output<typeof input>): Promise<Proposal> {
  if (edits) return readReplacements(context, edits);
  if (edit?.changes === undefined && edit?.documentChanges === undefined)
    throw invalidEdit('has neither `changes` nor `documentChanges`');
  const { steps, confirm } = readWorkspaceEdit(edit, 'utf-16', invalidEdit);
  return { steps: steps.map((step) => withUris(context, step)), confirm };
}

/** Agents also write paths where the protocol has URIs. */
function withUris({ workspace }: ToolContext, step: ProposedStep): ProposedStep {
  const uri = (given: string) =>
    /^[a-z][\w+.-]+:/i.test(given) ? given : workspace.uri(workspace.entry(given).path);
  return step.kind === 'rename'
    ? { ...step, from: uri(step.from), to: uri(step.to) }
    : { ...step, uri: uri(step.uri) };
}

function filesOf({ workspace }: ToolContext, { steps }: Proposal): string[] {
  const uris = steps.map((step) => (step.kind === 'rename' ? step.from : step.uri));
  return [...new Set(uris.map((uri) => workspace.show(workspace.entryFromUri(uri).path)))];
}

function invalidEdit(what: string): LspanError {
  return new LspanError('invalid_input', `The edit ${what}; nothing was changed.`, {
    nextStep: 'Correct it, or give `edits` with the old and the new text.',
  });
}

function notOne(count: number): LspanError {
  return new LspanError(
    'invalid_input',
    `${count === 0 ? 'None' : 'More than one'} of \`plan_id\`, \`edits\` and \`edit\` is given.`,
    {
      nextStep: 'Give exactly one of them.',
    },
  );
}
