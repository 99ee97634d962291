/** The closed set of error codes. */
export const errorCodes = [
  'invalid_input',
  'outside_workspace',
  'workspace_gone',
  'not_found',
  'ambiguous',
  'not_supported',
  'not_installed',
  'starting',
  'timed_out',
  'cancelled',
  'server_crashed',
  'server_unverified',
  'stale',
  'already_applied',
  'refused',
  'protected',
  'busy',
  'memory_limit',
  'limit_exceeded',
  'cursor_invalid',
  'cursor_stale',
  'cursor_expired',
  'internal',
] as const;

/** Reason of a failure: a closed set, on which programs decide. */
export type ErrorCode = (typeof errorCodes)[number];

/** Details of an error besides its code and message. */
export interface ErrorDetails {
  /** The next step for the agent, as an instruction. */
  readonly nextStep?: string;
  /** True if the same call may succeed later. Default: by code. */
  readonly retryable?: boolean;
  readonly cause?: unknown;
  /** Candidates to choose from, for `ambiguous` and `not_found`. */
  readonly candidates?: readonly unknown[];
  /** The absolute path outside the workspace that the call named: another worktree may contain it. */
  readonly outside?: string;
}

/**
 * The only error class of lspan, shared by `lspan` and `lspan/lsp`: a closed code, a message and a next step. If two
 * copies of lspan may be in one process, check the `name` instead of the class.
 */
export class LspanError extends Error {
  override readonly name = 'LspanError';
  /** Reason, for programs. */
  readonly code: ErrorCode;
  /** The next step, as an instruction. */
  readonly nextStep: string | undefined;
  /** True if the same call may succeed later. */
  readonly retryable: boolean;
  /** Candidates to choose from, for `ambiguous` and `not_found`. */
  readonly candidates: readonly unknown[] | undefined;
  /** The absolute path outside the workspace that the call named; only spelled, nothing there was looked at. */
  readonly outside: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.nextStep = details.nextStep;
    this.retryable = details.retryable ?? retryableByDefault.has(code);
    this.candidates = details.candidates;
    this.outside = details.outside;
  }
}

const retryableByDefault: ReadonlySet<ErrorCode> = new Set([
  'starting',
  'timed_out',
  'server_crashed',
  'server_unverified',
  'stale',
  'busy',
]);

/** Converts a thrown value to an `LspanError`; anything unforeseen becomes `internal`. */
export function asLspanError(thrown: unknown): LspanError {
  if (thrown instanceof LspanError) return thrown;
  return new LspanError('internal', 'lspan failed unexpectedly.', {
    cause: thrown,
    nextStep: 'Call again; if it fails again, report it with the log of `lspan --log-level debug`.',
  });
}
