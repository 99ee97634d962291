import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { defineTool } from '../run/define-tool.ts';
import { previewOrApplyPlan } from './change.ts';
import { change, changeFields } from './change-data.ts';
import { renderChange, shortenChange } from './render-change.ts';

/** Undoes an edit. */
export const undoEdit = defineTool({
  name: 'undo_edit',
  title: 'Undo an edit',
  toolset: 'refactor',
  listed: true,
  description:
    'Undoes an edit of lspan: the last one, or that of edit_id. Refused if a file has changed since.',
  input: z.strictObject({
    edit_id: z.string().min(1).max(limits.input.id).optional(),
    dry_run: z.boolean().default(false),
    check: changeFields.check,
    max_tokens: changeFields.max_tokens,
  }),
  output: change,
  effects: 'files',
  async answer(context, { edit_id, dry_run, check }, call) {
    return previewOrApplyPlan(context, context.edits.planUndo(edit_id), { dry_run, check }, call);
  },
  render: renderChange,
  shorten: shortenChange,
});
