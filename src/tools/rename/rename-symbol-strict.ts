import { z } from 'zod';
import { shortenChange } from '../change/render-change.ts';
import { defineTool } from '../run/define-tool.ts';
import { filePath } from '../target/target-fields.ts';
import { previewOrApplyRename, renamed, renameFields, renderRenamed } from './preview-rename.ts';

/** Renames the symbol at an exact position. */
export const renameSymbolStrict = defineTool({
  name: 'rename_symbol_strict',
  title: 'Rename the symbol at a position',
  toolset: 'refactor',
  listed: false,
  description: 'rename_symbol at an exact position only.',
  input: z.strictObject({
    file_path: filePath,
    line: z.int(),
    character: z.int(),
    ...renameFields,
    new_name: z.string(),
  }),
  output: renamed,
  effects: 'files',
  answer: previewOrApplyRename,
  render: renderRenamed,
  shorten: shortenChange,
});
