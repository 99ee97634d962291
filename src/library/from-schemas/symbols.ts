// Generated: UPDATE_GOLDEN=1 npx vitest run test/library/from-schemas.test.ts
import type { SymbolKind } from '../../core/symbol-kinds.ts';
import type { CodeLocation, CodeProblem, Told } from './shapes.ts';

/**
 * Arguments of `search_workspace_symbols`. Search the symbols of the workspace by name or part of it, in all
 * languages.
 */
export interface SearchWorkspaceSymbolsArgs {
  readonly query: string;
  readonly symbol_kind?: string | undefined;
  /** Default: `"workspace"`. */
  readonly scope?: 'workspace' | 'repositories' | undefined;
  readonly cursor?: string | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `search_workspace_symbols` returns. */
export interface SearchWorkspaceSymbolsData extends Told {
  readonly symbols: ReadonlyArray<{
    readonly file_path: string;
    readonly line: number;
    readonly character: number;
    readonly end_line: number;
    readonly end_character: number;
    readonly text?: string;
    readonly in?: string;
    readonly external?: 'library' | 'outside' | 'repository';
    readonly clamped?: true;
    readonly name: string;
    readonly kind: SymbolKind;
    readonly container?: string;
  }>;
}

/** Arguments of `get_document_symbols`. The outline of a file: classes, functions, members. */
export interface GetDocumentSymbolsArgs {
  readonly file_path: string;
  /** Levels; all if absent. */
  readonly depth?: number | undefined;
  readonly cursor?: string | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `get_document_symbols` returns. */
export interface GetDocumentSymbolsData extends Told {
  readonly file_path: string;
  readonly symbols: ReadonlyArray<{
    readonly name: string;
    readonly kind: SymbolKind;
    readonly detail?: string;
    readonly line: number;
    readonly character: number;
    readonly end_line: number;
    readonly end_character: number;
    readonly depth: number;
  }>;
}

/**
 * Arguments of `inspect_symbol`. One symbol in one call: source, signature, documentation, callers,
 * references by file, implementations, problems.
 */
export interface InspectSymbolArgs {
  readonly file_path?: string | undefined;
  /** `run` or `Server.run`. */
  readonly symbol_name?: string | undefined;
  readonly symbol_kind?: string | undefined;
  /** 1-based, as is character. */
  readonly line?: number | undefined;
  readonly character?: number | undefined;
  readonly id?: string | undefined;
  readonly include?: ReadonlyArray<'definition' | 'hover' | 'callers' | 'references' | 'implementations' | 'problems'> | undefined;
  /** Default: `"workspace"`. */
  readonly scope?: 'workspace' | 'repositories' | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `inspect_symbol` returns. */
export interface InspectSymbolData extends Told {
  readonly symbol: {
    readonly file_path: string;
    readonly line: number;
    readonly character: number;
    readonly end_line: number;
    readonly end_character: number;
    readonly external?: 'library' | 'outside' | 'repository';
    readonly clamped?: true;
    readonly name: string;
    readonly kind?: SymbolKind;
  };
  readonly definitions: readonly CodeLocation[];
  readonly source?: ReadonlyArray<{
    readonly file_path: string;
    readonly line: number;
    readonly end_line: number;
    readonly text: string;
  }>;
  readonly hover?: string;
  readonly diagnostics?: readonly CodeProblem[];
  readonly calls?: ReadonlyArray<{
    readonly file_path: string;
    readonly line: number;
    readonly character: number;
    readonly end_line: number;
    readonly end_character: number;
    readonly text?: string;
    readonly external?: 'library' | 'outside' | 'repository';
    readonly clamped?: true;
    readonly name: string;
    readonly kind: SymbolKind;
    readonly sites?: ReadonlyArray<{
      readonly file_path: string;
      readonly line: number;
      readonly character: number;
      readonly end_line: number;
      readonly end_character: number;
      readonly text?: string;
      readonly external?: 'library' | 'outside' | 'repository';
      readonly clamped?: true;
    }>;
    readonly more_sites?: number;
  }>;
  readonly implementations?: readonly CodeLocation[];
  readonly references?: ReadonlyArray<{
    readonly file_path: string;
    readonly count: number;
    readonly lines: readonly CodeLocation[];
  }>;
  readonly elsewhere?: readonly CodeLocation[];
  readonly totals: {
    readonly lines?: number;
    readonly diagnostics?: number;
    readonly calls?: number;
    readonly implementations?: number;
    readonly references?: number;
    readonly files?: number;
    readonly elsewhere?: number;
  };
  readonly not_available?: ReadonlyArray<{
    readonly part: 'definition' | 'hover' | 'callers' | 'references' | 'implementations' | 'problems';
    readonly reason: string;
  }>;
}
