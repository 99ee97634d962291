import type { z } from 'zod';
import { type Doubt, uniqueDoubts } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import { clipData, cutBytes, cutLine } from './cut-text.ts';
import type { Budget, ToolParts } from './tool.ts';

/** Estimates the tokens of a text from its UTF-8 bytes. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text, 'utf8') / limits.tokens.bytesPerToken);
}

/** What is told beside a payload: lines after its text, and fields of the data. */
export interface Beside {
  readonly lines: readonly string[];
  readonly fields: object;
}

/** An answer within its budget. */
export interface Fitted {
  readonly text: string;
  readonly data: object;
}

/** Renders an answer within a budget of tokens: as much of its list as fits, but one thing at least, so that it goes on. */
export function fitBudget<I extends z.ZodType, D extends object>(
  tool: ToolParts<I, D>,
  data: D,
  total: number,
  beside: (part: D) => Beside,
  budget: Budget,
): Fitted {
  const form = (part: D): Form => {
    const { lines, fields } = beside(part);
    const body = tool.render(part, total);
    return { body, lines, text: [body, ...lines].join('\n'), data: { ...fields, ...part } };
  };
  const whole = form(data);
  if (fits(whole, budget)) return whole;
  const { cut, count, shorten } = tool;
  const counted = count?.(data);
  if (cut && counted !== undefined) {
    const listed = longest([1, counted], (keep) => form(cut(data, keep)), budget);
    return fits(listed, budget) ? listed : squeezed(listed, budget);
  }
  if (!shorten) return squeezed(whole, budget);
  const short = longest([0, bytesOf(budget)], (bytes) => form(shorten(data, bytes)), budget);
  return fits(short, budget) ? short : squeezed(short, budget);
}

interface Form extends Fitted {
  readonly body: string;
  readonly lines: readonly string[];
}

function fits({ text, data }: Fitted, { maxTokens, shown }: Budget): boolean {
  return estimateTokens(shown === 'text' ? text : JSON.stringify(data)) <= maxTokens;
}

/** As many bytes as a budget is. */
export function bytesOf({ maxTokens }: Budget): number {
  return Math.floor(maxTokens * limits.tokens.bytesPerToken);
}

/** The longest form that fits, or the shortest there is. */
function longest([least, most]: readonly [number, number], form: (length: number) => Form, budget: Budget) {
  let [low, high] = [Math.min(least, most), most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(form(middle), budget)) low = middle;
    else high = middle - 1;
  }
  return form(low);
}

/** What is too long even so is cut in the middle of its text; what stands beside it is kept. */
function squeezed({ body, lines, data }: Form, budget: Budget): Fitted {
  const most = bytesOf(budget);
  const notes = lines.join('\n');
  const text = [cutBytes(body, Math.max(0, most - Buffer.byteLength(notes) - 1)), ...lines].join('\n');
  return { text, data: budget.shown === 'data' ? clipData(data, most) : data };
}

/** As many doubts as may take half of a budget, and that there are more. */
export function fittingDoubts(doubts: readonly Doubt[], budget: Budget): Doubt[] {
  const unique = uniqueDoubts(doubts);
  const room = bytesOf(budget) / 2;
  const kept: Doubt[] = [];
  let taken = 0;
  for (const { lasting, ...doubt } of unique) {
    const one = { ...doubt, detail: cutLine(doubt.detail, Math.min(limits.tokens.doubt, room / 2)) };
    taken += Buffer.byteLength(JSON.stringify(one));
    if (taken > room && kept.length > 0) break;
    kept.push(one);
  }
  const left = unique.length - kept.length;
  if (left > 0) kept.push({ kind: 'capped', detail: `${left} more doubts are not listed.` });
  return kept;
}
