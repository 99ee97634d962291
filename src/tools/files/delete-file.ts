import { z } from 'zod';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { quotePath } from '../../core/wording/quote-path.ts';
import { previewOrApply } from '../change/change.ts';
import { change, changeFields } from '../change/change-data.ts';
import { renderChange, shortenChange } from '../change/render-change.ts';
import type { FileReferences } from '../paths/file-mentions.ts';
import { findFileReferences } from '../paths/file-references.ts';
import { usesOfFiles } from '../paths/uses-of-files.ts';
import { defineTool } from '../run/define-tool.ts';
import type { ToolContext } from '../run/tool.ts';
import { orderSpans, toSearchedLocations } from '../show/location.ts';
import { plural } from '../show/render-location.ts';
import { filePath } from '../target/target-fields.ts';
import { presentEntry, refuseRoot } from './read-move.ts';

/** Deletes a file or a folder that nothing else refers to. */
export const deleteFile = defineTool({
  name: 'delete_file',
  title: 'Delete a file',
  toolset: 'files',
  listed: false,
  description:
    'Delete a file, or a folder with `recursive`. Refused while other files refer to it, unless `force`.',
  input: z.strictObject({
    file_path: filePath,
    recursive: z.boolean().default(false),
    force: z.boolean().default(false),
    ...changeFields,
  }),
  output: change,
  effects: 'files',
  async answer(context, input, call) {
    const { file_path, recursive, force } = input;
    const { workspace } = context;
    const { path, kind } = await presentEntry(context, file_path);
    refuseRoot(context, path, 'deleted');
    if (kind === 'folder' && !recursive) throw isFolder(file_path);
    const target = { path, isFolder: kind === 'folder' };
    const named = await findFileReferences(context, [target], call);
    const used = await usesOfFiles(context, target, call);
    const found = {
      references: [...named.references, ...used.references],
      doubts: [...named.doubts, ...used.doubts],
    };
    if (!force) await refuseReferenced(context, file_path, found);
    const step = {
      kind: 'delete' as const,
      uri: workspace.uri(path),
      recursive,
      ifMissing: 'refuse' as const,
    };
    const dependents = [...new Set(found.references.map((one) => one.path))];
    const title = `delete ${workspace.show(path)}`;
    return previewOrApply(context, { steps: [step], confirm: [] }, { ...input, title, dependents }, call);
  },
  render: renderChange,
  shorten: shortenChange,
});

function isFolder(given: string): LspanError {
  return new LspanError('refused', `${quotePath(given)} is a folder; nothing was deleted.`, {
    nextStep: 'Pass `recursive: true` to delete it with its content.',
  });
}

/** Refuses if something refers to the file, or may. */
async function refuseReferenced(
  context: ToolContext,
  given: string,
  { references, doubts }: FileReferences,
): Promise<void> {
  if (references.length > 0) {
    const spans = orderSpans(references).slice(0, limits.fileReferences.shown);
    const locations = await toSearchedLocations(context, spans);
    const places = locations.map(({ file_path, line, character, text }, index) => ({
      file_path,
      line,
      character,
      text,
      certainty: spans[index]?.certainty,
    }));
    throw new LspanError(
      'refused',
      `${quotePath(given)} is still referred to in ${plural('place', references.length)}; nothing was deleted.`,
      { candidates: places, nextStep: 'Change those first, or delete it anyway with `force: true`.' },
    );
  }
  if (doubts.length === 0) return;
  const why = [...new Set(doubts.map(({ detail }) => detail))].join(' ');
  throw new LspanError('refused', `Something may refer to ${quotePath(given)}: ${why}`, {
    nextStep: 'Call again later, or delete it anyway with `force: true`.',
  });
}
