import type { LspanError } from '../../core/errors.ts';
import { visible, visibleData, visibleLine } from '../../core/wording/visible.ts';
import { bytesOf, estimateTokens } from './budget.ts';
import { clipData, cutBytes, cutLine } from './cut-text.ts';
import { indented } from './fenced.ts';
import type { Budget, Outcome } from './tool.ts';

/** The outcome of a call that an error ended, within its budget: the code, the message, what can be chosen from, the next step. */
export function renderError(error: LspanError, budget: Budget): Outcome {
  const shrink = (maxTokens: number) => renderError(error, { ...budget, maxTokens });
  return { ...toldWithin(error, budget), shrink };
}

function toldWithin(error: LspanError, budget: Budget): Outcome {
  const all = visibleData(error.candidates ?? [], new Set());
  let kept = all.length;
  let told = formOf(error, all, budget);
  while (kept > 0 && !fits(told, budget)) {
    kept = Math.min(kept - 1, Math.floor(kept * 0.8));
    told = formOf(error, all.slice(0, kept), budget);
  }
  if (fits(told, budget)) return told;
  const most = bytesOf(budget);
  return { ...told, text: cutBytes(told.text, most), data: { ...clipData(told.data, most) } };
}

function formOf(error: LspanError, candidates: readonly unknown[], budget: Budget): Outcome {
  const { code, retryable, candidates: all = [] } = error;
  const room = bytesOf(budget) / 2;
  const message = cutBytes(visible(error.message), room);
  const next = error.nextStep && cutLine(visibleLine(error.nextStep), room);
  const left = all.length - candidates.length;
  const text = [
    `${code}: ${indented(message, '  ')}`,
    ...candidates.map((candidate) => `  ${JSON.stringify(candidate)}`),
    ...(left > 0 ? [`… ${left} more: narrow the question, or raise max_tokens.`] : []),
    ...(next ? [`Next: ${next}`] : []),
  ].join('\n');
  const listed = error.candidates ? { candidates, ...(left > 0 ? { candidates_left: left } : {}) } : {};
  const data = { error: { code, message, retryable, next_step: next ?? null, ...listed } };
  return { text, data, isError: true, error };
}

function fits({ text, data }: Outcome, { maxTokens, shown }: Budget): boolean {
  return estimateTokens(shown === 'text' ? text : JSON.stringify(data)) <= maxTokens;
}
