import { z } from 'zod';
import { shortenChange } from '../change/render-change.ts';
import { defineTool } from '../run/define-tool.ts';
import { target } from '../target/target-fields.ts';
import { previewOrApplyRename, renamed, renameFields, renderRenamed } from './preview-rename.ts';

/** Renames a symbol everywhere. */
export const renameSymbol = defineTool({
  name: 'rename_symbol',
  title: 'Rename a symbol',
  toolset: 'refactor',
  listed: true,
  description:
    'Renames a symbol with all its uses. Previews the diff, the resulting problems, and a plan_id to apply; `dry_run: false` applies at once.',
  input: z.strictObject({ ...target, ...renameFields }),
  output: renamed,
  effects: 'files',
  answer: previewOrApplyRename,
  render: renderRenamed,
  shorten: shortenChange,
});
