import { z } from 'zod';
import { LspanError } from '../../core/errors.ts';
import { fromLineColumn, type Position } from '../../core/position.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { noSuchLine } from './position-errors.ts';
import { filePath } from './target-fields.ts';

/** Fields of a place between two characters, where no name is meant. */
export const placeFields = {
  file_path: filePath,
  line: z.int().describe('1-based'),
  character: z.int().describe('1-based, UTF-16: the one after the cursor'),
};

/** A place exactly as it was given, and its document. */
interface ExactPlace {
  readonly path: string;
  readonly document: Document;
  readonly position: Position;
}

/** Reads an exact place, up to the end of its line; it need not be on an identifier, and none is looked for. */
export async function exactPlace(
  { workspace }: Pick<ToolContext, 'workspace'>,
  { file_path, line, character }: z.output<z.ZodObject<typeof placeFields>>,
): Promise<ExactPlace> {
  const path = await workspace.resolve(file_path);
  const document = await workspace.read(path);
  if (line < 1 || line > document.lineCount) throw noSuchLine(document, line, false);
  const end = document.line(line - 1).length + 1;
  if (character < 1 || character > end) {
    const where = `line ${line} of ${workspace.show(path)}`;
    throw new LspanError(
      'invalid_input',
      `There is no character ${character} on ${where}: it ends at ${end}.`,
      {
        nextStep: `Characters are counted from 1 in UTF-16 units; ${end} is the end of the line.`,
      },
    );
  }
  return { path, document, position: fromLineColumn({ line, character }) };
}
