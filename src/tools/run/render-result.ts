import type { z } from 'zod';
import type { Doubt } from '../../core/doubts.ts';
import { visible, visibleData, visibleLine } from '../../core/wording/visible.ts';
import { fitBudget, fittingDoubts } from './budget.ts';
import type { Budget, Outcome, Result, ToolParts } from './tool.ts';

/** What is shown of a list by one call. */
export interface Part {
  /** How many things stand before it. */
  readonly from: number;
  /** How many things can be shown in all. */
  readonly length: number;
  /** The cursor of what stands after so many things. */
  cursorAt(offset: number): string;
}

/** Tells a result: its payload as text and data, how far it can be believed, and how a list goes on. */
export function renderResult<I extends z.ZodType, D extends object>(
  tool: ToolParts<I, D>,
  result: Result<D>,
  budget: Budget,
  part?: Part,
): Outcome {
  const { doubts: all, adjusted } = result;
  const data = visibleData(result.data, new Set(['message', 'diff', ...(tool.prose ?? [])]));
  const total = result.total ?? tool.count?.(data) ?? 0;
  const doubts = visibleData(fittingDoubts(all, budget), new Set());
  const read = adjusted === undefined ? {} : { adjusted: visibleLine(adjusted) };
  const notes = [...(read.adjusted ? [`Read as: ${read.adjusted}`] : []), ...doubts.map(renderDoubt)];
  const complete = all.length === 0;
  const fitted = fitBudget(
    tool,
    data,
    total,
    (shown) => {
      const returned = tool.count?.(shown);
      if (returned === undefined) return { lines: notes, fields: { complete, doubts, ...read } };
      const next = nextOf(part, returned);
      return {
        lines: [...extent(part, returned, total, next), ...notes],
        fields: { complete, doubts, total, returned, ...(next ? { next_cursor: next } : {}), ...read },
      };
    },
    budget,
  );
  return {
    text: visible(fitted.text),
    data: { ...fitted.data },
    isError: false,
    doubts: all,
    shrink: (maxTokens) => renderResult(tool, result, { ...budget, maxTokens }, part),
  };
}

function nextOf(part: Part | undefined, returned: number): string | undefined {
  const end = (part?.from ?? 0) + returned;
  return part && end < part.length ? part.cursorAt(end) : undefined;
}

/** Which of the things are shown, where it is not all of them, and how to see the others. */
function extent(part: Part | undefined, returned: number, total: number, next: string | undefined): string[] {
  const from = part?.from ?? 0;
  if (returned === total) return [];
  const which = `${from + 1}-${from + returned} of ${total}`;
  if (next !== undefined) return [`… ${which}; next: cursor "${next}"`];
  return [part ? `… ${which}.` : `… ${which}: narrow the question, or raise max_tokens.`];
}

function renderDoubt({ kind, detail }: Doubt): string {
  return `May be incomplete (${kind}): ${detail}`;
}
