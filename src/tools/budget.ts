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
}

/** Renders an answer within a budget of tokens: as much of its list as fits, and what was left out is told. */
export function fitBudget<I extends z.ZodType, D extends object>(
  tool: ToolParts<I, D>,
  data: D,
  total: number,
  notes: readonly string[],
  { maxTokens, shown }: Budget,
): { readonly text: string; readonly data: D } {
  const render = (part: D) => compose(tool, part, total, notes);
  const fits = (part: D) =>
    estimateTokens(shown === 'text' ? render(part) : JSON.stringify(part)) <= maxTokens;
  if (fits(data)) return { text: render(data), data };
  if (!tool.cut || !tool.count) return { text: cutText(render(data), maxTokens), data };
  let [low, high] = [0, tool.count(data)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(tool.cut(data, middle))) low = middle;
    else high = middle - 1;
  }
  const part = tool.cut(data, low);
  return { text: render(part), data: part };
}

function compose<I extends z.ZodType, D extends object>(
  tool: ToolParts<I, D>,
  data: D,
  total: number,
  notes: readonly string[],
): string {
  const left = tool.count ? total - tool.count(data) : 0;
  const cut =
    left > 0 ? [`${left} more of ${total} not shown: narrow the question, or raise max_tokens.`] : [];
  return [tool.render(data, total), ...cut, ...notes].join('\n');
}

function cutText(text: string, maxTokens: number): string {
  const bytes = Buffer.from(text, 'utf8').subarray(0, Math.floor(maxTokens * limits.tokens.bytesPerToken));
  // A character that the cut went through is left out.
  const kept = new TextDecoder().decode(bytes).replace(/\ufffd$/, '');
  return `${kept}\n… cut at ${maxTokens} tokens: raise max_tokens for more.`;
}
