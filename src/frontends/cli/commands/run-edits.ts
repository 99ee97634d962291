import type { listEdits as list } from '../../../offline.ts';
import { escapeControls } from '../../observe/log.ts';
import type { CommandLine } from '../parse-command-line.ts';
import { print } from '../print.ts';
import { type ProcessContext, readSettings } from '../read-settings.ts';

type Edit = Awaited<ReturnType<typeof list>>[number];

type EditsCommand = Extract<CommandLine, { readonly kind: 'edits' }>;

/** Runs `lspan edits`: prints the edits that can be undone. */
export async function runEdits(
  { flags }: EditsCommand,
  context: ProcessContext,
  write: (text: string) => Promise<void> = print,
): Promise<number> {
  const { bridge, roots } = await readSettings(flags, { surface: 'lspan', survivesFaults: false }, context);
  const { listEdits } = await import('../../../offline.ts');
  const edits = await listEdits({ ...bridge, roots, environment: context.environment });
  await write(flags.json ? `${JSON.stringify({ edits: edits.map(toData) })}\n` : describe(edits));
  return 0;
}

function toData({ id, at, title, files, undoes, undoneBy }: Edit) {
  return {
    edit_id: id,
    at: new Date(at).toISOString(),
    title,
    files: files.map(({ path, change, newPath, edits }) => ({
      file_path: path,
      change,
      new_path: newPath,
      edits,
    })),
    undoes,
    undone_by: undoneBy,
  };
}

function describe(edits: readonly Edit[]): string {
  if (edits.length === 0) return 'There is no edit to undo here.\n';
  return edits.map(describeOne).join('');
}

function describeOne({ id, at, title, files, undoneBy }: Edit): string {
  const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  const count = files.length === 1 ? '1 file' : `${files.length} files`;
  const back = undoneBy === undefined ? '' : '  (undone)';
  return `${escapeControls(`${id}  ${when}  ${title}, ${count}${back}`)}\n`;
}
