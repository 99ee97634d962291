import type { z } from 'zod';
import type { Call } from '../../core/call.ts';
import { type Doubt, uniqueDoubts } from '../../core/doubts.ts';
import { asLspanError, type ErrorCode, LspanError } from '../../core/errors.ts';
import { type Cursor, invalidCursor, snapshotId, writeCursor } from './cursor.ts';
import { questionOf } from './read-call.ts';
import { renderResult } from './render-result.ts';
import type { Budget, Listing, ListSnapshot, Outcome, ToolContext, ToolParts } from './tool.ts';

/**
 * Makes a snapshot of a list that a tool has answered.
 * @param generation The state of the disk before the tool was asked: a later change may be missing from the list.
 */
export function pagedList<I extends z.ZodType, D extends object>(
  tool: ToolParts<I, D>,
  input: z.output<I>,
  listing: Listing<D>,
  generation: number,
): ListSnapshot {
  const { pages } = listing;
  const total = listing.total ?? pages.length;
  const own = total > pages.length ? withCap(listing.doubts, total, pages.length) : listing.doubts;
  // Computed on demand: only a list that does not fit into one answer is kept, and needs a name.
  let id: string | undefined;
  let question: string | undefined;
  const snapshot: ListSnapshot = {
    get id() {
      id ??= snapshotId(tool.name, snapshot.question, pages.digest());
      return id;
    },
    get question() {
      question ??= questionOf(input);
      return question;
    },
    generation,
    get bytes() {
      return pages.bytes();
    },
    async renderPage({ lists, page }, { offset: from, watchDoubts }, budget, call) {
      const doubts = [...watchDoubts, ...own];
      // A list longer than a page is certainly kept.
      if (pages.length > page) await pages.prepare();
      const data = await pages.show(from, Math.min(from + page, pages.length), call);
      const cursorAt = (offset: number) => writeCursor(tool.name, { snapshot: snapshot.id, offset });
      const part = { from, length: pages.length, cursorAt };
      const renderWithin = (limit: Budget): Outcome => {
        const outcome = renderResult(tool, { ...listing, data, total, doubts }, limit, part);
        if (id !== undefined) lists.keep(snapshot);
        return { ...outcome, shrink: (maxTokens) => renderWithin({ ...limit, maxTokens }) };
      };
      return renderWithin(budget);
    },
    async askAgain(later, call) {
      const now = later.workspace.generation();
      const result = await tool.answer(later, input, call);
      if (!('pages' in result)) throw stale();
      await result.pages.prepare();
      return pagedList(tool, input, result, now);
    },
  };
  return snapshot;
}

/** Returns the list that a cursor continues. If the disk has changed, the list must be the same when asked again. */
export async function listAt(
  context: ToolContext,
  { snapshot }: Cursor,
  question: string | undefined,
  call: Call,
): Promise<ListSnapshot> {
  const list = context.lists.find(snapshot);
  if (question !== undefined && question !== list.question) {
    throw invalidCursor('The cursor belongs to a call with other arguments.');
  }
  if (list.generation === context.workspace.generation()) return list;
  const now = await list.askAgain(context, call).catch((thrown: unknown) => {
    const error = asLspanError(thrown);
    throw changeErrors.has(error.code) ? stale() : error;
  });
  if (now.id !== list.id) throw stale();
  return now;
}

/** Errors of a question that once had an answer, if the code has changed since. */
const changeErrors: ReadonlySet<ErrorCode> = new Set(['not_found', 'ambiguous', 'invalid_input', 'stale']);

function stale(): LspanError {
  return new LspanError('cursor_stale', 'Files have changed since, and so has the list.', {
    nextStep: 'Ask the same question again without `cursor`.',
  });
}

function withCap(doubts: readonly Doubt[], total: number, length: number): readonly Doubt[] {
  if (doubts.some(({ kind }) => kind === 'capped')) return doubts;
  return uniqueDoubts([...doubts, { kind: 'capped', detail: `There are ${total}; lspan lists ${length}.` }]);
}
