// Generated: UPDATE_GOLDEN=1 npx vitest run test/library/from-schemas.test.ts
import type { AppliedEdit, ChangePlan, ChangeStep, CodeMention, Told } from './shapes.ts';

/**
 * Arguments of `get_code_actions`. Quick fixes, refactorings, organize imports, fix all: lists them for a
 * range or a file; `action_id` previews one, `dry_run: false` applies it.
 */
export interface GetCodeActionsArgs {
  readonly file_path?: string | undefined;
  readonly line?: number | undefined;
  readonly character?: number | undefined;
  readonly end_line?: number | undefined;
  readonly end_character?: number | undefined;
  /** such as `source.fixAll`. */
  readonly kinds?: readonly string[] | undefined;
  readonly action_id?: string | undefined;
  readonly plan_id?: string | undefined;
  readonly dry_run?: boolean | undefined;
  /** Compare problems. Default: `true`. */
  readonly check?: boolean | undefined;
  readonly allow_protected?: readonly string[] | undefined;
  readonly max_tokens?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Data that `get_code_actions` returns. */
export interface GetCodeActionsData extends Told {
  readonly plan?: ChangePlan;
  readonly edit?: AppliedEdit;
  readonly step?: ChangeStep;
  readonly actions?: ReadonlyArray<{
    readonly action_id: string;
    readonly title: string;
    readonly kind?: string;
    readonly preferred?: true;
    readonly disabled?: string;
    readonly server: string;
    readonly fixes?: ReadonlyArray<{
      readonly line: number;
      readonly character: number;
      readonly message: string;
      readonly code?: string;
    }>;
  }>;
  readonly impossible?: number;
}

/**
 * Arguments of `format_document`. Formats a file, or some lines of it, with its language server. `options`
 * apply if the project has no configuration; indentation comes from the file.
 */
export interface FormatDocumentArgs {
  readonly file_path?: string | undefined;
  /** 1-based. */
  readonly line?: number | undefined;
  readonly end_line?: number | undefined;
  readonly options?: {
    readonly tab_size?: number | undefined;
    readonly insert_spaces?: boolean | undefined;
    readonly trim_trailing_whitespace?: boolean | undefined;
    readonly insert_final_newline?: boolean | undefined;
    readonly trim_final_newlines?: boolean | undefined;
  } | undefined;
  readonly plan_id?: string | undefined;
  readonly dry_run?: boolean | undefined;
  /** Compare problems. Default: `true`. */
  readonly check?: boolean | undefined;
  readonly allow_protected?: readonly string[] | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `format_document` returns. */
export interface FormatDocumentData extends Told {
  readonly plan?: ChangePlan;
  readonly edit?: AppliedEdit;
  readonly step?: ChangeStep;
  readonly already_formatted?: true;
}

/**
 * Arguments of `rename_symbol`. Renames a symbol with all its uses. Previews the diff, the resulting
 * problems, and a plan_id to apply; `dry_run: false` applies at once.
 */
export interface RenameSymbolArgs {
  readonly file_path?: string | undefined;
  /** `run` or `Server.run`. */
  readonly symbol_name?: string | undefined;
  readonly symbol_kind?: string | undefined;
  /** 1-based, as is character. */
  readonly line?: number | undefined;
  readonly character?: number | undefined;
  readonly id?: string | undefined;
  readonly new_name?: string | undefined;
  /** Alone: applies that preview. */
  readonly plan_id?: string | undefined;
  /** Default true. */
  readonly dry_run?: boolean | undefined;
  /** Compare problems. Default: `true`. */
  readonly check?: boolean | undefined;
  readonly allow_protected?: readonly string[] | undefined;
  readonly max_tokens?: number | undefined;
  readonly allow_incomplete?: boolean | undefined;
  /** In comments, strings too. */
  readonly also_mentions?: boolean | undefined;
}

/** Data that `rename_symbol` returns. */
export interface RenameSymbolData extends Told {
  readonly plan?: ChangePlan;
  readonly edit?: AppliedEdit;
  readonly step?: ChangeStep;
  readonly mentions?: readonly CodeMention[];
  readonly mention_counts?: Readonly<Record<string, number>>;
  readonly files_not_searched?: number;
}

/** Arguments of `rename_symbol_strict`. rename_symbol at an exact position only. */
export interface RenameSymbolStrictArgs {
  readonly file_path: string;
  readonly line: number;
  readonly character: number;
  readonly new_name: string;
  /** Alone: applies that preview. */
  readonly plan_id?: string | undefined;
  /** Default true. */
  readonly dry_run?: boolean | undefined;
  /** Compare problems. Default: `true`. */
  readonly check?: boolean | undefined;
  readonly allow_protected?: readonly string[] | undefined;
  readonly max_tokens?: number | undefined;
  readonly allow_incomplete?: boolean | undefined;
  /** In comments, strings too. */
  readonly also_mentions?: boolean | undefined;
}

/** Data that `rename_symbol_strict` returns. */
export interface RenameSymbolStrictData extends Told {
  readonly plan?: ChangePlan;
  readonly edit?: AppliedEdit;
  readonly step?: ChangeStep;
  readonly mentions?: readonly CodeMention[];
  readonly mention_counts?: Readonly<Record<string, number>>;
  readonly files_not_searched?: number;
}

/**
 * Arguments of `edit_symbol`. Replace, delete, or insert next to a symbol, including decorators and
 * documentation comment; replace keeps those that `text` omits. Unindented `text` is indented. delete is
 * refused while it is used.
 */
export interface EditSymbolArgs {
  readonly file_path?: string | undefined;
  /** `run` or `Server.run`. */
  readonly symbol_name?: string | undefined;
  readonly symbol_kind?: string | undefined;
  /** 1-based, as is character. */
  readonly line?: number | undefined;
  readonly character?: number | undefined;
  readonly id?: string | undefined;
  readonly action: 'replace' | 'insert_before' | 'insert_after' | 'delete';
  readonly text?: string | undefined;
  /** Delete even if used. Default: `false`. */
  readonly force?: boolean | undefined;
  /** Default: `true`. */
  readonly dry_run?: boolean | undefined;
  /** Compare problems. Default: `true`. */
  readonly check?: boolean | undefined;
  readonly allow_protected?: readonly string[] | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `edit_symbol` returns. */
export interface EditSymbolData extends Told {
  readonly plan?: ChangePlan;
  readonly edit?: AppliedEdit;
  readonly step?: ChangeStep;
}

/**
 * Arguments of `apply_workspace_edit`. Applies the plan of a preview, or changes several files at once, all
 * or nothing. Give one of plan_id, edits and edit.
 */
export interface ApplyWorkspaceEditArgs {
  /** Applies that preview. */
  readonly plan_id?: string | undefined;
  /** old_text must occur once; empty for a new file. */
  readonly edits?: ReadonlyArray<{
    readonly file_path: string;
    readonly old_text: string;
    readonly new_text: string;
  }> | undefined;
  /** An LSP WorkspaceEdit, 0-based. */
  readonly edit?: Readonly<Record<string, unknown>> | undefined;
  /** Default true, with plan_id false. */
  readonly dry_run?: boolean | undefined;
  /** Compare problems. Default: `true`. */
  readonly check?: boolean | undefined;
  readonly allow_protected?: readonly string[] | undefined;
  readonly max_tokens?: number | undefined;
  readonly allow_incomplete?: boolean | undefined;
}

/** Data that `apply_workspace_edit` returns. */
export interface ApplyWorkspaceEditData extends Told {
  readonly plan?: ChangePlan;
  readonly edit?: AppliedEdit;
  readonly step?: ChangeStep;
}

/**
 * Arguments of `undo_edit`. Undoes an edit of lspan: the last one, or that of edit_id. Refused if a file has
 * changed since.
 */
export interface UndoEditArgs {
  readonly edit_id?: string | undefined;
  /** Default: `false`. */
  readonly dry_run?: boolean | undefined;
  /** Compare problems. Default: `true`. */
  readonly check?: boolean | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `undo_edit` returns. */
export interface UndoEditData extends Told {
  readonly plan?: ChangePlan;
  readonly edit?: AppliedEdit;
  readonly step?: ChangeStep;
}
