import type { ErrorCode, LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { isRecord } from '../../core/runtime/json.ts';
import { visibleLine } from '../../core/wording/visible.ts';
import { lineOpenings } from '../../tools/run/answer-words.ts';
import type { Outcome } from '../../tools/run/tool.ts';
import { type IsAllowed, withoutForeignPaths } from './foreign-paths.ts';

/** The closed set of codes that a call of this surface can fail with, each with its number in JSON-RPC. */
export const failureNumbers = {
  INVALID_PARAMS: -32602,
  WORKSPACE_DENIED: -32602,
  URI_INVALID: -32602,
  CURSOR_INVALID: -32602,
  CURSOR_STALE: -32602,
  CURSOR_EXPIRED: -32602,
  NOT_FOUND: -32602,
  SNAPSHOT_TOO_LARGE: -32000,
  CAP_EXCEEDED: -32000,
  TIMEOUT: -32000,
  PROVIDER_UNAVAILABLE: -32000,
  INTERNAL: -32603,
} as const;

export type FailureCode = keyof typeof failureNumbers;

/** Why a call has no answer. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  /** True if the same call may succeed later. */
  readonly retryable: boolean;
  readonly nextStep: string;
}

/** The code of each of our errors on this surface. */
export const failureCodes: Readonly<Record<ErrorCode, FailureCode>> = {
  invalid_input: 'INVALID_PARAMS',
  ambiguous: 'INVALID_PARAMS',
  outside_workspace: 'WORKSPACE_DENIED',
  workspace_gone: 'WORKSPACE_DENIED',
  not_found: 'NOT_FOUND',
  not_supported: 'PROVIDER_UNAVAILABLE',
  not_installed: 'PROVIDER_UNAVAILABLE',
  server_crashed: 'PROVIDER_UNAVAILABLE',
  server_unverified: 'PROVIDER_UNAVAILABLE',
  memory_limit: 'PROVIDER_UNAVAILABLE',
  refused: 'PROVIDER_UNAVAILABLE',
  busy: 'PROVIDER_UNAVAILABLE',
  starting: 'TIMEOUT',
  timed_out: 'TIMEOUT',
  stale: 'TIMEOUT',
  // The caller does not wait for the answer any more.
  cancelled: 'TIMEOUT',
  limit_exceeded: 'CAP_EXCEEDED',
  cursor_invalid: 'CURSOR_INVALID',
  cursor_stale: 'CURSOR_STALE',
  cursor_expired: 'CURSOR_EXPIRED',
  // Errors of tools that write, which are not offered here.
  already_applied: 'INTERNAL',
  protected: 'INTERNAL',
  internal: 'INTERNAL',
};

/**
 * Returns why a call failed, from the data of its outcome. Most of our next steps name tools that are not offered
 * here.
 * @param opens Returns whether an absolute path may be shown; absent if the call did not reach a tool.
 */
export function failureIn({ error }: Outcome['data'], opens?: IsAllowed): Failure {
  const { code, message, retryable, next_step, nextStep } = isRecord(error) ? error : {};
  const failed = { message: String(message), retryable: retryable === true };
  if (isFailureCode(code)) return { ...failed, code, nextStep: String(nextStep) };
  if (!isErrorCode(code)) return failure('INTERNAL', 'The call failed.');
  const named = failureCodes[code];
  if (named === 'WORKSPACE_DENIED' && opens) return denied;
  const step = keepsNextStep.has(code) && typeof next_step === 'string' ? next_step : nextSteps[named];
  const [line = ''] = failed.message.split('\n', 1);
  return {
    ...failed,
    code: named,
    message: withoutForeignPaths(gatewayWords(line), opens),
    nextStep: withoutForeignPaths(gatewayWords(step), opens),
  };
}

/** Rewords the advice of our tools for this surface, which has other tools and other arguments. */
export function gatewayWords(text: string): string {
  return gatewayPhrases.reduce((reworded, [ours, theirs]) => reworded.replaceAll(ours, theirs), text);
}

/** Advice that only our tools allow, and what can be done with these instead. */
export const gatewayPhrases: readonly (readonly [ours: string, theirs: string])[] = [
  [': name files to check them', ': ask vscode.lsp.diagnostics.document about files to have them checked'],
  [': name others to check them', ': ask vscode.lsp.diagnostics.document about others to have them checked'],
  ['ask again, or name the files to check', 'ask again'],
];

/** Makes a failure of this surface's own. */
export function failure(code: FailureCode, message: string, nextStep = nextSteps[code]): Failure {
  const short = visibleLine(message.slice(0, limits.gateway.message));
  return { code, message: short, retryable: code === 'TIMEOUT', nextStep };
}

/** Returns the outcome of a call that failed; `cause` is our own error, if it is one. */
export function failed(error: Failure, cause?: LspanError): Outcome {
  const { code, message, nextStep } = error;
  const text = `${code}: ${message}\n${lineOpenings.nextStep}${nextStep}`;
  return { text, data: { error }, isError: true, ...(cause ? { error: cause } : {}) };
}

function isFailureCode(code: unknown): code is FailureCode {
  return typeof code === 'string' && Object.hasOwn(failureNumbers, code);
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(failureCodes, code);
}

/** The next step of a failure, if nothing better is known. */
const nextSteps: Readonly<Record<FailureCode, string>> = {
  INVALID_PARAMS: 'Correct the arguments by the input schema of the tool.',
  WORKSPACE_DENIED: 'Pass a URI of a file in the workspace.',
  URI_INVALID: 'Pass the URI as file:///absolute/path, percent-encoded, with nothing after it.',
  CURSOR_INVALID: 'Pass nextCursor unchanged to the same tool with the same arguments.',
  CURSOR_STALE: 'Ask again without cursor.',
  CURSOR_EXPIRED: 'Ask again without cursor.',
  NOT_FOUND: 'Pass the URI of an existing file.',
  SNAPSHOT_TOO_LARGE: 'Ask a narrower question.',
  CAP_EXCEEDED: 'Ask for less: a smaller pageSize, or a narrower question.',
  TIMEOUT: 'Call again: language servers are still loading.',
  PROVIDER_UNAVAILABLE: 'Search the text instead, and tell the user: the log of lspan says why.',
  INTERNAL: 'Call again; if it fails again, report it with the log of `lspan --log-level debug`.',
};

/** Errors whose advice holds here too: what to pass, install or configure, what a person may allow, when to call again. */
const keepsNextStep: ReadonlySet<ErrorCode> = new Set([
  'invalid_input',
  'limit_exceeded',
  'not_installed',
  'not_supported',
  'refused',
  'busy',
  'outside_workspace',
]);

/** The one refusal for everything outside, so that nothing can be learnt about it. */
const denied = failure('WORKSPACE_DENIED', 'The URI is not in the workspace.');
