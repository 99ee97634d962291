import type { z } from 'zod';
import { type Doubt, uniqueDoubts } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import { clipData, cutBytes, cutLine } from './cut-text.ts';
import type { Budget, ToolParts } from './tool.ts';

/** Estimates the tokens of a text from its UTF-8 bytes. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text, 'utf8') / limits.tokens.bytesPerToken);
}

/** Lines that follow the text of a payload, and fields that are added to its data. */
interface Notes {
  readonly lines: readonly string[];
  readonly fields: object;
}

interface Rendering {
  readonly text: string;
  readonly data: object;
}

/** Renders an answer within a token budget: as much of its list as fits, but at least one item, so that paging advances. */
export function fitBudget<I extends z.ZodType, D extends object>(
  tool: ToolParts<I, D>,
  data: D,
  total: number,
  notesOn: (part: D) => Notes,
  budget: Budget,
): Rendering {
  const render = (part: D): Draft => {
    const { lines, fields } = notesOn(part);
    const body = tool.render(part, total);
    return { body, lines, text: [body, ...lines].join('\n'), data: { ...fields, ...part } };
  };
  const whole = render(data);
  if (fits(whole, budget)) return whole;
  const { cut, count, shorten } = tool;
  const counted = count?.(data);
  let best = whole;
  if (cut && counted !== undefined)
    best = longestFit([1, counted], (keep) => render(cut(data, keep)), budget);
  else if (shorten) best = longestFit([0, bytesOf(budget)], (bytes) => render(shorten(data, bytes)), budget);
  return fits(best, budget) ? best : truncate(best, budget);
}

interface Draft extends Rendering {
  readonly body: string;
  readonly lines: readonly string[];
}

/** Returns whether the part of a rendering that is shown keeps to a budget. */
export function fits({ text, data }: Rendering, { maxTokens, shown }: Budget): boolean {
  return estimateTokens(shown === 'text' ? text : JSON.stringify(data)) <= maxTokens;
}

/** Returns the size of a budget in bytes. */
export function bytesOf({ maxTokens }: Budget): number {
  return Math.floor(maxTokens * limits.tokens.bytesPerToken);
}

/** Returns the longest rendering that fits, or the shortest one if none does. */
function longestFit(
  [least, most]: readonly [number, number],
  render: (length: number) => Draft,
  budget: Budget,
) {
  let [low, high] = [Math.min(least, most), most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(render(middle), budget)) low = middle;
    else high = middle - 1;
  }
  return render(low);
}

/** Cuts the text of an answer that is too long even so; its notes are kept whole. */
function truncate({ body, lines, data }: Draft, budget: Budget): Rendering {
  const most = bytesOf(budget);
  const notes = lines.join('\n');
  const text = [cutBytes(body, Math.max(0, most - Buffer.byteLength(notes) - 1)), ...lines].join('\n');
  return { text, data: budget.shown === 'data' ? clipData(data, most) : data };
}

/** Returns the doubts that fit into half of a budget, and one more that counts the others. */
export function fittingDoubts(doubts: readonly Doubt[], budget: Budget): Doubt[] {
  const unique = uniqueDoubts(doubts);
  const room = bytesOf(budget) / 2;
  const kept: Doubt[] = [];
  let taken = 0;
  for (const { lasting, unopened, sampled, aboutMentions, loading, ...doubt } of unique) {
    const one = { ...doubt, detail: cutLine(doubt.detail, Math.min(limits.tokens.doubt, room / 2)) };
    taken += Buffer.byteLength(JSON.stringify(one));
    if (taken > room && kept.length > 0) break;
    kept.push(one);
  }
  const left = unique.length - kept.length;
  if (left > 0) kept.push({ kind: 'capped', detail: `${left} more doubts are not listed.` });
  return kept;
}
