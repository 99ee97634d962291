import type { ErrorCode } from '../core/errors.ts';
import type { Outcome } from '../tools/run-tool.ts';
import { shiftCharacters, shiftFields } from './shift-characters.ts';

/** `LSP Error (code): message`, with the code that a language server would give; then the way out of it. */
export function codeflowError(data: Outcome['data']): Pick<Outcome, 'text' | 'data'> {
  const error = isRecord(data.error) ? data.error : {};
  const { code, message, next_step, candidates } = error;
  const number = (typeof code === 'string' ? codes.get(code) : undefined) ?? requestFailed;
  const listed = Array.isArray(candidates) ? candidates : [];
  const text = [
    `LSP Error (${number}): ${String(message)}`,
    ...listed.map((candidate) => `  ${JSON.stringify(shiftCharacters(candidate, -1))}`),
    ...(typeof next_step === 'string' ? [`Next: ${next_step}`] : []),
  ].join('\n');
  return { text, data: shiftFields(data, -1) };
}

const requestFailed = -32803;

/** What is not here is a request that failed. */
const codes: ReadonlyMap<string, number> = new Map<ErrorCode, number>([
  ['invalid_input', -32602],
  ['outside_workspace', -32602],
  ['cursor_invalid', -32602],
  ['not_supported', -32601],
  ['starting', -32002],
  ['cancelled', -32800],
  ['stale', -32801],
  ['cursor_stale', -32801],
  ['internal', -32603],
]);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
