// Generated: UPDATE_GOLDEN=1 npx vitest run test/library/from-schemas.test.ts
import type { BatchExecuteArgs, BatchExecuteData } from './batch.ts';
import type {
  CreateFileArgs,
  CreateFileData,
  DeleteFileArgs,
  DeleteFileData,
  RenameFileArgs,
  RenameFileData,
} from './files.ts';
import type {
  GetCompletionsArgs,
  GetCompletionsData,
  GetHoverArgs,
  GetHoverData,
  GetInlayHintsArgs,
  GetInlayHintsData,
  GetSignatureHelpArgs,
  GetSignatureHelpData,
} from './intelligence.ts';
import type {
  FindDefinitionArgs,
  FindDefinitionData,
  FindImplementationsArgs,
  FindImplementationsData,
  FindReferencesArgs,
  FindReferencesData,
  GetCallHierarchyArgs,
  GetCallHierarchyData,
  GetTypeHierarchyArgs,
  GetTypeHierarchyData,
} from './navigation.ts';
import type { CheckEditsArgs, CheckEditsData, GetDiagnosticsArgs, GetDiagnosticsData } from './quality.ts';
import type {
  ApplyWorkspaceEditArgs,
  ApplyWorkspaceEditData,
  EditSymbolArgs,
  EditSymbolData,
  FormatDocumentArgs,
  FormatDocumentData,
  GetCodeActionsArgs,
  GetCodeActionsData,
  RenameSymbolArgs,
  RenameSymbolData,
  RenameSymbolStrictArgs,
  RenameSymbolStrictData,
  UndoEditArgs,
  UndoEditData,
} from './refactor.ts';
import type {
  GetServerStatusArgs,
  GetServerStatusData,
  RestartServerArgs,
  RestartServerData,
  StopServerArgs,
  StopServerData,
} from './servers.ts';
import type {
  GetDocumentSymbolsArgs,
  GetDocumentSymbolsData,
  InspectSymbolArgs,
  InspectSymbolData,
  SearchWorkspaceSymbolsArgs,
  SearchWorkspaceSymbolsData,
} from './symbols.ts';

/** Arguments and data of every tool, by name. */
export interface ToolCalls {
  /** Find definition. */
  readonly find_definition: {
    readonly args: FindDefinitionArgs;
    readonly data: FindDefinitionData;
  };
  /** Find references. */
  readonly find_references: {
    readonly args: FindReferencesArgs;
    readonly data: FindReferencesData;
  };
  /** Find implementations. */
  readonly find_implementations: {
    readonly args: FindImplementationsArgs;
    readonly data: FindImplementationsData;
  };
  /** Call hierarchy. */
  readonly get_call_hierarchy: {
    readonly args: GetCallHierarchyArgs;
    readonly data: GetCallHierarchyData;
  };
  /** Type hierarchy. */
  readonly get_type_hierarchy: {
    readonly args: GetTypeHierarchyArgs;
    readonly data: GetTypeHierarchyData;
  };
  /** Search symbols. */
  readonly search_workspace_symbols: {
    readonly args: SearchWorkspaceSymbolsArgs;
    readonly data: SearchWorkspaceSymbolsData;
  };
  /** Outline of a file. */
  readonly get_document_symbols: {
    readonly args: GetDocumentSymbolsArgs;
    readonly data: GetDocumentSymbolsData;
  };
  /** Inspect a symbol. */
  readonly inspect_symbol: {
    readonly args: InspectSymbolArgs;
    readonly data: InspectSymbolData;
  };
  /** Type and documentation. */
  readonly get_hover: {
    readonly args: GetHoverArgs;
    readonly data: GetHoverData;
  };
  /** Completions. */
  readonly get_completions: {
    readonly args: GetCompletionsArgs;
    readonly data: GetCompletionsData;
  };
  /** Signature of a call. */
  readonly get_signature_help: {
    readonly args: GetSignatureHelpArgs;
    readonly data: GetSignatureHelpData;
  };
  /** Inlay hints. */
  readonly get_inlay_hints: {
    readonly args: GetInlayHintsArgs;
    readonly data: GetInlayHintsData;
  };
  /** Problems. */
  readonly get_diagnostics: {
    readonly args: GetDiagnosticsArgs;
    readonly data: GetDiagnosticsData;
  };
  /** Code actions. */
  readonly get_code_actions: {
    readonly args: GetCodeActionsArgs;
    readonly data: GetCodeActionsData;
  };
  /** Format a document. */
  readonly format_document: {
    readonly args: FormatDocumentArgs;
    readonly data: FormatDocumentData;
  };
  /** Rename a symbol. */
  readonly rename_symbol: {
    readonly args: RenameSymbolArgs;
    readonly data: RenameSymbolData;
  };
  /** Rename the symbol at a position. */
  readonly rename_symbol_strict: {
    readonly args: RenameSymbolStrictArgs;
    readonly data: RenameSymbolStrictData;
  };
  /** Edit a symbol. */
  readonly edit_symbol: {
    readonly args: EditSymbolArgs;
    readonly data: EditSymbolData;
  };
  /** Rename a file. */
  readonly rename_file: {
    readonly args: RenameFileArgs;
    readonly data: RenameFileData;
  };
  /** Create a file. */
  readonly create_file: {
    readonly args: CreateFileArgs;
    readonly data: CreateFileData;
  };
  /** Delete a file. */
  readonly delete_file: {
    readonly args: DeleteFileArgs;
    readonly data: DeleteFileData;
  };
  /** Check edits. */
  readonly check_edits: {
    readonly args: CheckEditsArgs;
    readonly data: CheckEditsData;
  };
  /** Apply an edit. */
  readonly apply_workspace_edit: {
    readonly args: ApplyWorkspaceEditArgs;
    readonly data: ApplyWorkspaceEditData;
  };
  /** Undo an edit. */
  readonly undo_edit: {
    readonly args: UndoEditArgs;
    readonly data: UndoEditData;
  };
  /** Run several tools. */
  readonly batch_execute: {
    readonly args: BatchExecuteArgs;
    readonly data: BatchExecuteData;
  };
  /** Language servers. */
  readonly get_server_status: {
    readonly args: GetServerStatusArgs;
    readonly data: GetServerStatusData;
  };
  /** Restart language servers. */
  readonly restart_server: {
    readonly args: RestartServerArgs;
    readonly data: RestartServerData;
  };
  /** Stop language servers. */
  readonly stop_server: {
    readonly args: StopServerArgs;
    readonly data: StopServerData;
  };
}
