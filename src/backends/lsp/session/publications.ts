import { type Json, list, text } from '../../../core/runtime/json.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { DocumentSync } from '../documents/document-sync.ts';
import type { DiagnosticsStore } from './diagnostics-store.ts';

/** The parts of a session that publications of diagnostics concern. */
interface Audience {
  readonly definition: ServerDefinition;
  readonly workspace: Workspace;
  readonly documents: DocumentSync;
  readonly diagnostics: DiagnosticsStore;
  readonly onProblems: (path: string) => void;
}

/** Returns whether published diagnostics are about a file as it was before the document was opened. */
export function isBeforeOpen(
  { definition, workspace, documents }: Omit<Audience, 'diagnostics' | 'onProblems'>,
  params: Json,
): boolean {
  const tellsVersions = definition.sync?.publishesWhenRead || definition.diagnostics?.tellsVersions;
  if (!tellsVersions || params.version !== undefined) return false;
  return documents.isOpen(workspace.fromUri(text(params.uri) ?? '').path);
}

/** Stores published diagnostics, unless they are about another state of the document. */
export function takePublication(audience: Audience, params: Json): void {
  const { definition, workspace, documents, diagnostics, onProblems } = audience;
  const uri = text(params.uri);
  if (uri === undefined || definition.diagnostics?.isRetraction?.(params) === true) return;
  const { path, standing } = workspace.fromUri(uri);
  // Files outside the workspace and its libraries cannot be asked about.
  if (standing === 'outside') return;
  // Servers publish an empty list when a document is closed because its file is gone.
  const farewell = list(params.diagnostics).length === 0 && !documents.isOpen(path);
  if (farewell && !diagnostics.knows(path)) {
    diagnostics.noteNothing(path);
    return;
  }
  const isPast = isBeforeOpen(audience, params);
  // Such a server publishes again for the document.
  if (isPast && definition.sync?.publishesWhenRead) return;
  const isNews = diagnostics.publish(path, params, documents.since(path), isPast);
  // Do not report problems in text that is not on the disk.
  if (isNews && diagnostics === diagnostics.disk) onProblems(path);
}
