import type { Outcome } from '../../tools/run/tool.ts';
import type { MeasuredCall } from './metrics.ts';

/** What is measured of the end of a call: never what was answered. */
export function callOutcome({ isError, doubts = [], data }: Outcome): Omit<MeasuredCall, 'ms'> {
  if (isError) return { outcome: 'error', code: codeIn(data.error) };
  return { outcome: doubts.length > 0 || data.complete === false ? 'incomplete' : 'ok' };
}

function codeIn(error: unknown): string | undefined {
  const isOurs = typeof error === 'object' && error !== null && 'code' in error;
  return isOurs && typeof error.code === 'string' ? error.code : undefined;
}
