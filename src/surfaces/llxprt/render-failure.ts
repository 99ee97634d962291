import { indented } from '../../tools/run/fenced.ts';
import type { Outcome } from '../../tools/run/tool.ts';
import { inOwnWords } from './own-words.ts';

/** `Error: message`, and what can be done about it; what lies outside the workspace is told by one sentence. */
export function renderFailure({ data }: Outcome): Outcome {
  const error = Object(data.error);
  const message = inOwnWords(String(error.message));
  const next = typeof error.next_step === 'string' ? inOwnWords(error.next_step) : null;
  const text =
    error.code === 'outside_workspace'
      ? 'Error: File is outside workspace boundary'
      : [`Error: ${indented(message, '  ')}`, ...(next ? [`Next: ${next}`] : [])].join('\n');
  return { text, data: { ...data, error: { ...error, message, next_step: next } }, isError: true };
}
