import { LspanError } from '../../core/errors.ts';
import type { Position } from '../../core/position.ts';
import { wordAt } from '../../source-text/words.ts';
import type { ToolContext } from '../../tools/run/tool.ts';
import type { Located } from '../../tools/target/target-fields.ts';

/** Returns the real path of the file that a URI names. Libraries are refused like anything else outside. */
export async function openFile({ workspace }: Pick<ToolContext, 'workspace'>, uri: string): Promise<string> {
  const named = workspace.fromUri(uri).path;
  if (!workspace.isNamedByUser(named)) throw outside(named);
  const path = await workspace.resolve(uri);
  if (!workspace.isNamedByUser(path)) throw outside(path);
  return path;
}

/** Returns the exact place; it need not be on an identifier, and none is looked for. */
export async function openPlace(
  context: ToolContext,
  { uri, position }: { readonly uri: string; readonly position: Position },
): Promise<Located> {
  const path = await openFile(context, uri);
  const document = await context.workspace.read(path);
  const { line, character } = position;
  if (line >= document.lineCount) throw noSuchPosition(`line ${line}`, document.lineCount - 1);
  const text = document.line(line);
  if (character > text.length) throw noSuchPosition(`character ${character} on line ${line}`, text.length);
  return { place: { path, position }, name: wordAt(text, character), doubts: [] };
}

function noSuchPosition(what: string, last: number): LspanError {
  return new LspanError('invalid_input', `There is no ${what}: the last one is ${last}, counted from 0.`, {
    nextStep: 'Pass a position that exists in the text on disk.',
  });
}

function outside(path: string): LspanError {
  return new LspanError('outside_workspace', 'The URI is not in the workspace.', { outside: path });
}
