/** The closed set of error codes that an agent can meet. */
export const errorCodes = [
  'invalid_input',
  'outside_workspace',
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

/** Why something failed, as a closed set: programs decide on it. */
export type ErrorCode = (typeof errorCodes)[number];

/** What an error carries beside its code and message. */
export interface ErrorDetails {
  /** The agent's next move, as an instruction. */
  readonly nextStep?: string;
  /** Whether the same call may succeed later; the code's own default when absent. */
  readonly retryable?: boolean;
  readonly cause?: unknown;
  /** What the agent can choose from, for `ambiguous` and `not_found`. */
  readonly candidates?: readonly unknown[];
}

/**
 * The one error of lspan, the same class in `lspan` and `lspan/lsp`: a closed code, a message, and its next step. Where
 * two copies of lspan may be in one process, ask for the `name`, which is that of both.
 */
export class LspanError extends Error {
  override readonly name = 'LspanError';
  /** Why, as a word that programs decide by. */
  readonly code: ErrorCode;
  /** What helps, as an instruction. */
  readonly nextStep: string | undefined;
  /** Whether the same may succeed later. */
  readonly retryable: boolean;
  /** What there is to choose from, for `ambiguous` and `not_found`. */
  readonly candidates: readonly unknown[] | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.nextStep = details.nextStep;
    this.retryable = details.retryable ?? retryableByDefault.has(code);
    this.candidates = details.candidates;
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

/** Turns whatever was thrown into our error; what we did not foresee is `internal`. */
export function asLspanError(thrown: unknown): LspanError {
  if (thrown instanceof LspanError) return thrown;
  return new LspanError('internal', 'lspan failed in a way that it did not foresee.', {
    cause: thrown,
    nextStep: 'Call again; if it fails again, report it with the log of `lspan --log-level debug`.',
  });
}
