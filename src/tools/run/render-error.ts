import type { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { visible, visibleData, visibleLine } from '../../core/wording/visible.ts';
import { countedOpening, lineOpenings } from './answer-words.ts';
import { bytesOf, fits } from './budget.ts';
import { clipData, cutBytes, cutLine } from './cut-text.ts';
import { indented } from './fenced.ts';
import type { Budget, Outcome } from './tool.ts';

/** Returns the outcome of a call that ended before it reached a tool. */
export function fail(error: LspanError): Outcome {
  return renderError(error, { shown: 'text', maxTokens: limits.tokens.default });
}

/** Renders an error within its budget: the code, the message, the candidates to choose from, the next step. */
export function renderError(error: LspanError, budget: Budget): Outcome {
  const shrink = (maxTokens: number) => renderError(error, { ...budget, maxTokens });
  return { ...renderWithin(error, budget), shrink };
}

function renderWithin(error: LspanError, budget: Budget): Outcome {
  const all = visibleData(error.candidates ?? [], new Set());
  let kept = all.length;
  let outcome = renderWith(error, all, budget);
  while (kept > 0 && !fits(outcome, budget)) {
    kept = Math.min(kept - 1, Math.floor(kept * 0.8));
    outcome = renderWith(error, all.slice(0, kept), budget);
  }
  if (fits(outcome, budget)) return outcome;
  const most = bytesOf(budget);
  return { ...outcome, text: cutBytes(outcome.text, most), data: { ...clipData(outcome.data, most) } };
}

function renderWith(error: LspanError, candidates: readonly unknown[], budget: Budget): Outcome {
  const { code, retryable, candidates: all = [] } = error;
  const room = bytesOf(budget) / 2;
  const message = cutBytes(visible(error.message), room);
  const next = error.nextStep && cutLine(visibleLine(error.nextStep), room);
  const left = all.length - candidates.length;
  const text = [
    `${code}: ${indented(message, '  ')}`,
    ...candidates.map((candidate) => `  ${JSON.stringify(candidate)}`),
    ...(left > 0 ? [`${countedOpening}${left} more: narrow the question, or raise max_tokens.`] : []),
    ...(next ? [`${lineOpenings.nextStep}${next}`] : []),
  ].join('\n');
  const listed = error.candidates ? { candidates, ...(left > 0 ? { candidates_left: left } : {}) } : {};
  const data = { error: { code, message, retryable, next_step: next ?? null, ...listed } };
  return { text, data, isError: true, error };
}
