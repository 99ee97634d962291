// Generated: UPDATE_GOLDEN=1 npx vitest run test/library/from-schemas.test.ts
import type { Told } from './shapes.ts';

/** Arguments of `get_hover`. The type, signature and documentation of a symbol. */
export interface GetHoverArgs {
  readonly file_path?: string | undefined;
  /** `run` or `Server.run`. */
  readonly symbol_name?: string | undefined;
  readonly symbol_kind?: string | undefined;
  /** 1-based, as is character. */
  readonly line?: number | undefined;
  readonly character?: number | undefined;
  readonly id?: string | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `get_hover` returns. */
export interface GetHoverData extends Told {
  readonly hover: {
    readonly file_path: string;
    readonly line: number;
    readonly character: number;
    readonly end_line: number;
    readonly end_character: number;
    readonly text: string;
  };
}

/**
 * Arguments of `get_completions`. Completions at a position, such as members after a dot, the best first:
 * kind, type, deprecations, needed imports.
 */
export interface GetCompletionsArgs {
  readonly file_path: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, UTF-16: the one after the cursor. */
  readonly character: number;
  readonly cursor?: string | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `get_completions` returns. */
export interface GetCompletionsData extends Told {
  readonly completions: ReadonlyArray<{
    readonly label: string;
    readonly kind?: string;
    readonly detail?: string;
    readonly source?: string;
    readonly documentation?: string;
    readonly insert?: string;
    readonly deprecated?: true;
    readonly adds?: readonly string[];
  }>;
}

/**
 * Arguments of `get_signature_help`. The signatures of the function called at a position, the active
 * parameter marked. Give a position between the parentheses, or the function name.
 */
export interface GetSignatureHelpArgs {
  readonly file_path: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, UTF-16: the one after the cursor. */
  readonly character: number;
  readonly max_tokens?: number | undefined;
}

/** Data that `get_signature_help` returns. */
export interface GetSignatureHelpData extends Told {
  readonly signatures: ReadonlyArray<{
    readonly label: string;
    readonly parameters: readonly string[];
    readonly active_parameter?: number;
    readonly documentation?: string;
    readonly parameter_documentation?: string;
  }>;
}

/**
 * Arguments of `get_inlay_hints`. Code with inferred types and parameter names inserted: the lines with such
 * hints, of a file or from `line` to `end_line`.
 */
export interface GetInlayHintsArgs {
  readonly file_path: string;
  /** 1-based. */
  readonly line?: number | undefined;
  readonly end_line?: number | undefined;
  readonly cursor?: string | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `get_inlay_hints` returns. */
export interface GetInlayHintsData extends Told {
  readonly file_path: string;
  readonly hints: ReadonlyArray<{
    readonly line: number;
    readonly code: string;
    readonly hints: ReadonlyArray<{
      readonly character: number;
      readonly label: string;
      readonly kind?: 'type' | 'parameter';
    }>;
  }>;
}
