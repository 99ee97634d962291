import { applyWorkspaceEdit } from './apply-workspace-edit.ts';
import { checkEdits } from './check-edits.ts';
import { createFile } from './create-file.ts';
import { deleteFile } from './delete-file.ts';
import { editSymbol } from './edit-symbol.ts';
import { findDefinition } from './find-definition.ts';
import { findImplementations } from './find-implementations.ts';
import { findReferences } from './find-references.ts';
import { formatDocument } from './format-document.ts';
import { getCallHierarchy } from './get-call-hierarchy.ts';
import { getCodeActions } from './get-code-actions.ts';
import { getDiagnostics } from './get-diagnostics.ts';
import { getDocumentSymbols } from './get-document-symbols.ts';
import { getHover } from './get-hover.ts';
import { getServerStatus } from './get-server-status.ts';
import { getTypeHierarchy } from './get-type-hierarchy.ts';
import { inspectSymbol } from './inspect-symbol.ts';
import { renameFile } from './rename-file.ts';
import { renameSymbol } from './rename-symbol.ts';
import { renameSymbolStrict } from './rename-symbol-strict.ts';
import { searchWorkspaceSymbols } from './search-workspace-symbols.ts';
import type { Tool } from './tool.ts';
import { undoEdit } from './undo-edit.ts';

/** Every tool, in the order in which clients see them. */
export const tools: readonly Tool[] = [
  findDefinition,
  findReferences,
  findImplementations,
  getCallHierarchy,
  getTypeHierarchy,
  searchWorkspaceSymbols,
  getDocumentSymbols,
  inspectSymbol,
  getHover,
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
  getServerStatus,
];
