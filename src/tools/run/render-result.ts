import type { z } from 'zod';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import { visible, visibleData, visibleLine } from '../../core/wording/visible.ts';
import { countedOpening, lineOpenings } from './answer-words.ts';
import { fitBudget, fittingDoubts } from './budget.ts';
import { cutLine } from './cut-text.ts';
import type { Budget, Outcome, Result, ToolParts } from './tool.ts';

/** The part of a list that one call shows. */
interface Part {
  /** How many items come before it. */
  readonly from: number;
  /** How many items can be shown in all. */
  readonly length: number;
  /** Returns the cursor that continues after `offset` items. */
  cursorAt(offset: number): string;
}

/** Renders a result: its payload as text and data, its doubts, and how a list continues. */
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
  const adjustment = read.adjusted ? [`${lineOpenings.adjusted}${read.adjusted}`] : [];
  const doubtLines = doubts.map(renderDoubt);
  const notes = [...adjustment, ...doubtLines];
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
        lines: [...renderExtent(part, returned, total, next), ...notes],
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
    doubtLines,
    shrink: (maxTokens) => renderResult(tool, result, { ...budget, maxTokens }, part),
  };
}

function nextOf(part: Part | undefined, returned: number): string | undefined {
  const end = (part?.from ?? 0) + returned;
  return part && end < part.length ? part.cursorAt(end) : undefined;
}

/** Says which items are shown, if not all, and how to see the others. */
function renderExtent(part: Part | undefined, returned: number, total: number, next?: string): string[] {
  const from = part?.from ?? 0;
  if (returned === total) return [];
  const which = `${countedOpening}${from + 1}-${from + returned} of ${total}`;
  if (next !== undefined) return [`${which}; next: cursor "${next}"`];
  return [part ? `${which}.` : `${which}: narrow the question, or raise max_tokens.`];
}

/** Renders the line of a text that tells a doubt. */
export function renderDoubt({ kind, detail }: Doubt): string {
  return `${lineOpenings.doubt}${kind}): ${cutLine(detail, limits.tokens.doubtLine)}`;
}
