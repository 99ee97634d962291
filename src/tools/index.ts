import { applyWorkspaceEdit } from './apply-workspace-edit.ts';
import { batchExecute } from './batch-execute.ts';
import { checkEdits } from './check-edits.ts';
import { createFile } from './create-file.ts';
import { deleteFile } from './delete-file.ts';
import { editSymbol } from './edit-symbol.ts';
import { findDefinition } from './find-definition.ts';
import { findReferences } from './find-references.ts';
import { formatDocument } from './format-document.ts';
import { getCodeActions } from './get-code-actions.ts';
import { getDiagnostics } from './get-diagnostics.ts';
import { getDocumentSymbols } from './get-document-symbols.ts';
import { getHover } from './get-hover.ts';
import { getServerStatus } from './get-server-status.ts';
import { renameFile } from './rename-file.ts';
import { renameSymbol } from './rename-symbol.ts';
import { renameSymbolStrict } from './rename-symbol-strict.ts';
import { searchWorkspaceSymbols } from './search-workspace-symbols.ts';
import type { Tool } from './tool.ts';
import { undoEdit } from './undo-edit.ts';

/** Every tool that does one thing. */
const single: readonly Tool[] = [
  findDefinition,
  findReferences,
  searchWorkspaceSymbols,
  getDocumentSymbols,
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

const servers = single.findIndex(({ toolset }) => toolset === 'servers');

/** Every tool, in the order in which clients see them. */
export const tools: readonly Tool[] = [
  ...single.slice(0, servers),
  batchExecute(single),
  ...single.slice(servers),
];
