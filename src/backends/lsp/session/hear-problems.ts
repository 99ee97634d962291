import { list, object, text } from '../../../core/runtime/json.ts';
import type { SessionDocuments } from '../documents/document-sync.ts';
import type { DiagnosticsBoard } from './diagnostics-store.ts';
import type { SessionParts } from './session-parts.ts';

/** Puts what a server publishes about a document on the board, unless it speaks of another time. */
export function hearProblems(
  { definition, workspace, onProblems }: SessionParts,
  { documents, board }: { readonly documents: SessionDocuments; readonly board: DiagnosticsBoard },
  params: unknown,
): void {
  const uri = text(object(params).uri);
  if (uri === undefined || definition.clears?.(params) === true) return;
  const { path, standing } = workspace.admit(uri);
  // Nobody can ask about what is neither in the workspace nor in its libraries.
  if (standing === 'outside') return;
  // What servers say of a document that was closed because its file is gone.
  const farewell = list(object(params).diagnostics).length === 0 && !documents.isOpen(path);
  if (farewell && !board.knows(path)) return;
  // What it says of the document as it was before it was opened anew.
  const { publishesWhenRead } = definition;
  if (publishesWhenRead && object(params).version === undefined && documents.isOpen(path)) return;
  const isNews = board.publish(path, object(params), documents.since(path));
  // Nobody else is told of problems in text that is not on the disk.
  if (isNews && board === board.disk) onProblems(path);
}
