import { formatDocument } from './actions/format-document.ts';
import { getCodeActions } from './actions/get-code-actions.ts';
import { afterEdit } from './after-edit/after-edit.ts';
import { batchExecute } from './batch/batch-execute.ts';
import { applyWorkspaceEdit } from './change/apply-workspace-edit.ts';
import { checkEdits } from './change/check-edits.ts';
import { undoEdit } from './change/undo-edit.ts';
import { getDiagnostics } from './diagnostics/get-diagnostics.ts';
import { editSymbol } from './edit-symbol/edit-symbol.ts';
import { createFile } from './files/create-file.ts';
import { deleteFile } from './files/delete-file.ts';
import { renameFile } from './files/rename-file.ts';
import { getCompletions } from './intelligence/get-completions.ts';
import { getHover } from './intelligence/get-hover.ts';
import { getInlayHints } from './intelligence/get-inlay-hints.ts';
import { getSignatureHelp } from './intelligence/get-signature-help.ts';
import { findDefinition } from './navigation/find-definition.ts';
import { findImplementations } from './navigation/find-implementations.ts';
import { findReferences } from './navigation/find-references.ts';
import { getCallHierarchy } from './navigation/get-call-hierarchy.ts';
import { getTypeHierarchy } from './navigation/get-type-hierarchy.ts';
import { renameSymbol } from './rename/rename-symbol.ts';
import { renameSymbolStrict } from './rename/rename-symbol-strict.ts';
import type { Tool } from './run/tool.ts';
import { getServerStatus } from './servers/get-server-status.ts';
import { restartServer } from './servers/restart-server.ts';
import { stopServer } from './servers/stop-server.ts';
import { getDocumentSymbols } from './symbols/get-document-symbols.ts';
import { inspectSymbol } from './symbols/inspect-symbol.ts';
import { searchWorkspaceSymbols } from './symbols/search-workspace-symbols.ts';

const singleTools: readonly Tool[] = [
  findDefinition,
  findReferences,
  findImplementations,
  getCallHierarchy,
  getTypeHierarchy,
  searchWorkspaceSymbols,
  getDocumentSymbols,
  inspectSymbol,
  getHover,
  getCompletions,
  getSignatureHelp,
  getInlayHints,
  getDiagnostics,
  getCodeActions,
  formatDocument,
  renameSymbol,
  renameSymbolStrict,
  editSymbol,
  renameFile,
  createFile,
  deleteFile,
  checkEdits,
  applyWorkspaceEdit,
  undoEdit,
];

const serverTools: readonly Tool[] = [getServerStatus, restartServer, stopServer];

/** Every tool, in the order in which clients see them. */
export const tools: readonly Tool[] = [
  ...singleTools,
  batchExecute([...singleTools, ...serverTools]),
  ...serverTools,
];

/** The tools that hooks of clients call. */
export const hookTools: readonly Tool[] = [afterEdit];
