import type { z } from 'zod';
import { limits } from '../core/limits.ts';
import type { ToolParts } from './tool.ts';

/** Estimates the tokens of a text from its UTF-8 bytes. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text, 'utf8') / limits.tokens.bytesPerToken);
}

/** How much of what may be shown. */
export interface Budget {
  readonly maxTokens: number;
  readonly shown: 'text' | 'data';
  /** As many results as an answer lists, whatever the budget. */
  readonly page: number;
}

/** Renders an answer within a budget of tokens: as much of its list as fits, and what was left out is told. */
export function fitBudget<I extends z.ZodType, D extends object>(
  tool: ToolParts<I, D>,
  data: D,
  total: number,
  notes: readonly string[],
  { maxTokens, shown, page }: Budget,
): Fitted<D> {
  const render = (part: D) => ({ text: compose(tool, part, total, notes, page), data: part });
  const fits = ({ text, data: part }: Fitted<D>) =>
    estimateTokens(shown === 'text' ? text : JSON.stringify(part)) <= maxTokens;
  const whole = render(data);
  if (fits(whole)) return whole;
  const { cut, count, shorten } = tool;
  if (cut && count) return longest(count(data), (keep) => render(cut(data, keep)), fits);
  if (!shorten) return { text: cutText(whole.text, maxTokens), data };
  const most = Math.floor(maxTokens * limits.tokens.bytesPerToken);
  return longest(most, (bytes) => render(shorten(data, bytes)), fits);
}

interface Fitted<D> {
  readonly text: string;
  readonly data: D;
}

/** The longest form that fits, or the shortest there is. */
function longest<D>(
  most: number,
  form: (length: number) => Fitted<D>,
  fits: (one: Fitted<D>) => boolean,
): Fitted<D> {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(form(middle))) low = middle;
    else high = middle - 1;
  }
  return form(low);
}

function compose<I extends z.ZodType, D extends object>(
  tool: ToolParts<I, D>,
  data: D,
  total: number,
  notes: readonly string[],
  page: number,
): string {
  const left = tool.count ? total - tool.count(data) : 0;
  // A page that is full is not made longer by a larger budget.
  const raise = tool.count?.(data) === page ? '' : ', or raise max_tokens';
  const cut = left > 0 ? [`${left} more of ${total} not shown: narrow the question${raise}.`] : [];
  return [tool.render(data, total), ...cut, ...notes].join('\n');
}

function cutText(text: string, maxTokens: number): string {
  if (estimateTokens(text) <= maxTokens) return text;
  return cutBytes(text, Math.floor(maxTokens * limits.tokens.bytesPerToken));
}

/** As much of a text as fits into so many bytes, and a word that it was cut. */
export function cutBytes(text: string, bytes: number): string {
  const kept = Buffer.from(text, 'utf8').subarray(0, bytes);
  // A character that the cut went through is left out.
  return `${new TextDecoder().decode(kept).replace(/\ufffd$/, '')}\n… cut here: raise max_tokens for more.`;
}
