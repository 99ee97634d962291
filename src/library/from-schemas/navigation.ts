// Generated: UPDATE_GOLDEN=1 npx vitest run test/library/from-schemas.test.ts
import type { CodeLocation, CodeMention, HierarchyEntry, HierarchyRoot, Told } from './shapes.ts';

/** Arguments of `find_definition`. Definition of a symbol or its type, by name or position. */
export interface FindDefinitionArgs {
  readonly file_path?: string | undefined;
  /** `run` or `Server.run`. */
  readonly symbol_name?: string | undefined;
  readonly symbol_kind?: string | undefined;
  /** 1-based, as is character. */
  readonly line?: number | undefined;
  readonly character?: number | undefined;
  readonly id?: string | undefined;
  /** Default: `"definition"`. */
  readonly kind?: 'definition' | 'declaration' | 'type' | undefined;
  /** Default: `"workspace"`. */
  readonly scope?: 'workspace' | 'repositories' | undefined;
  readonly cursor?: string | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `find_definition` returns. */
export interface FindDefinitionData extends Told {
  readonly definitions: readonly CodeLocation[];
}

/**
 * Arguments of `find_references`. Every use of a symbol in the workspace, with the line of code and what
 * encloses it.
 */
export interface FindReferencesArgs {
  readonly file_path?: string | undefined;
  /** `run` or `Server.run`. */
  readonly symbol_name?: string | undefined;
  readonly symbol_kind?: string | undefined;
  /** 1-based, as is character. */
  readonly line?: number | undefined;
  readonly character?: number | undefined;
  readonly id?: string | undefined;
  /** Default: `true`. */
  readonly include_declaration?: boolean | undefined;
  /** Also its name in comments, strings. */
  readonly include_mentions?: boolean | undefined;
  /** Default: `"workspace"`. */
  readonly scope?: 'workspace' | 'repositories' | undefined;
  readonly cursor?: string | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `find_references` returns. */
export interface FindReferencesData extends Told {
  readonly references: readonly CodeLocation[];
  readonly mentions: readonly CodeMention[];
  readonly mention_counts: Readonly<Record<string, number>>;
  readonly files_not_searched?: number;
}

/** Arguments of `find_implementations`. Implementations of an interface, subclasses, overrides of a method. */
export interface FindImplementationsArgs {
  readonly file_path?: string | undefined;
  /** `run` or `Server.run`. */
  readonly symbol_name?: string | undefined;
  readonly symbol_kind?: string | undefined;
  /** 1-based, as is character. */
  readonly line?: number | undefined;
  readonly character?: number | undefined;
  readonly id?: string | undefined;
  /** Default: `"workspace"`. */
  readonly scope?: 'workspace' | 'repositories' | undefined;
  readonly cursor?: string | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `find_implementations` returns. */
export interface FindImplementationsData extends Told {
  readonly implementations: readonly CodeLocation[];
}

/** Arguments of `get_call_hierarchy`. Callers or callees of a function, as a tree with each call. */
export interface GetCallHierarchyArgs {
  readonly file_path?: string | undefined;
  /** `run` or `Server.run`. */
  readonly symbol_name?: string | undefined;
  readonly symbol_kind?: string | undefined;
  /** 1-based, as is character. */
  readonly line?: number | undefined;
  readonly character?: number | undefined;
  readonly id?: string | undefined;
  /** Default: `"incoming"`. */
  readonly direction?: 'incoming' | 'outgoing' | 'both' | undefined;
  /** Default: `1`. */
  readonly depth?: number | undefined;
  readonly cursor?: string | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `get_call_hierarchy` returns. */
export interface GetCallHierarchyData extends Told {
  readonly roots: readonly HierarchyRoot[];
  readonly calls: readonly HierarchyEntry[];
}

/** Arguments of `get_type_hierarchy`. Supertypes and subtypes of a type, as a tree. */
export interface GetTypeHierarchyArgs {
  readonly file_path?: string | undefined;
  /** `run` or `Server.run`. */
  readonly symbol_name?: string | undefined;
  readonly symbol_kind?: string | undefined;
  /** 1-based, as is character. */
  readonly line?: number | undefined;
  readonly character?: number | undefined;
  readonly id?: string | undefined;
  /** Default: `"both"`. */
  readonly direction?: 'supertypes' | 'subtypes' | 'both' | undefined;
  /** Default: `1`. */
  readonly depth?: number | undefined;
  readonly cursor?: string | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `get_type_hierarchy` returns. */
export interface GetTypeHierarchyData extends Told {
  readonly roots: readonly HierarchyRoot[];
  readonly types: readonly HierarchyEntry[];
}
