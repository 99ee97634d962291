import type { OverlayTexts } from '../../../core/backend.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { mebibytes } from '../../../core/wording/mebibytes.ts';
import { quotePath } from '../../../core/wording/quote-path.ts';
import { type Document, documentOf } from '../../../workspace/texts/document.ts';
import type { Workspace } from '../../../workspace/workspace.ts';

/** Creates documents from texts that are not on disk; refuses paths outside the roots, and too much text. */
export function readOverlay(workspace: Workspace, texts: OverlayTexts): ReadonlyMap<string, Document> {
  const { files, bytes } = limits.overlay;
  if (texts.size > files) throw tooMuch(`${texts.size} files, of at most ${files}`);
  let size = 0;
  const documents = new Map<string, Document>();
  for (const [path, text] of texts) {
    if (workspace.rootOf(path) === undefined) throw outside(path);
    const length = Buffer.byteLength(text);
    if (length > limits.document)
      throw tooMuch(`${quotePath(workspace.show(path))} with ${mebibytes(length)}`);
    size += length;
    documents.set(path, documentOf(path, text));
  }
  if (size > bytes) throw tooMuch(`${mebibytes(size)}, of at most ${mebibytes(bytes)}`);
  return documents;
}

function outside(path: string): LspanError {
  return new LspanError('outside_workspace', `${quotePath(path)} is outside the workspace.`, {
    nextStep: 'Pass texts of files inside the workspace.',
  });
}

function tooMuch(what: string): LspanError {
  const message = `The texts that are not on the disk are more than servers are given at once: ${what}.`;
  return new LspanError('limit_exceeded', message, { nextStep: 'Pass fewer or smaller texts.' });
}
