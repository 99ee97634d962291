import { z } from 'zod';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { quotePath } from '../../core/wording/quote-path.ts';
import { previewOrApply } from '../change/change.ts';
import { change, changeFields } from '../change/change-data.ts';
import { renderChange, shortenChange } from '../change/render-change.ts';
import { defineTool } from '../run/define-tool.ts';
import { filePath } from '../target/target-fields.ts';

/** Creates a file. */
export const createFile = defineTool({
  name: 'create_file',
  title: 'Create a file',
  toolset: 'files',
  listed: false,
  description: 'Create a file with its folders. An existing file is refused unless `overwrite`.',
  input: z.strictObject({
    file_path: filePath,
    content: z.string().max(limits.input.content),
    overwrite: z.boolean().default(false),
    ...changeFields,
  }),
  output: change,
  effects: 'files',
  async answer(context, input, call) {
    const { file_path, content, overwrite } = input;
    const { workspace } = context;
    if (/[/\\]$/.test(file_path)) throw onlyFolder(file_path);
    const { path, kind } = workspace.entry(file_path);
    if (kind === 'folder' || kind === 'other') throw notAFile(file_path);
    if (kind !== 'missing' && !overwrite) throw exists(file_path);
    const step = {
      kind: 'create' as const,
      uri: workspace.uri(path),
      text: content,
      ifThere: overwrite ? ('overwrite' as const) : ('refuse' as const),
    };
    const title = `${kind === 'missing' ? 'create' : 'overwrite'} ${workspace.show(path)}`;
    return previewOrApply(context, { steps: [step], confirm: [] }, { ...input, title }, call);
  },
  render: renderChange,
  shorten: shortenChange,
});

function onlyFolder(given: string): LspanError {
  return new LspanError('invalid_input', `${quotePath(given)} is the path of a folder.`, {
    nextStep: 'Give the path of a file: its folders are created with it.',
  });
}

function notAFile(given: string): LspanError {
  return new LspanError('invalid_input', `${quotePath(given)} exists and is not a file.`, {
    nextStep: 'Give the path of a new file.',
  });
}

function exists(given: string): LspanError {
  return new LspanError('refused', `${quotePath(given)} already exists; nothing was changed.`, {
    nextStep: 'Give another path, edit it with apply_workspace_edit, or pass `overwrite: true`.',
  });
}
