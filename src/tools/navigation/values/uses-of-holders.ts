import type { Reply } from '../../../core/backend.ts';
import { type Call, cancelSignalOf } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { limits } from '../../../core/limits.ts';
import type { Span } from '../../../core/question.ts';
import { isShorthand } from '../../../source-text/destructuring.ts';
import { isScript } from '../../../source-text/imports.ts';
import { nameHolding } from '../../../source-text/names/held-values.ts';
import { namePlaces } from '../../mentions/mentions.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';
import { spanKey } from '../../show/location.ts';

/**
 * Returns the uses of the variables, properties and parameters that scripts give a function to, such as `go` after
 * `const go = run`: who calls them calls the function.
 */
export async function usesOfHolders(
  context: ToolContext,
  uses: readonly Span[],
  call: Call,
): Promise<Reply<readonly Span[]>> {
  const found = new Map<string, Span>();
  const unknown: Span[] = [];
  const seen = new Set<string>();
  let waiting = await holdersOf(context, uses);
  while (waiting.length > 0) {
    const own = waiting.filter((one) => !seen.has(spanKey(one)));
    const asked = own.slice(0, Math.max(0, limits.candidates.asked - seen.size));
    unknown.push(...own.slice(asked.length));
    for (const holder of asked) seen.add(spanKey(holder));
    const replies = await Promise.all(asked.map((holder) => usesOf(context, holder, call)));
    unknown.push(...asked.filter((_, index) => replies[index] === undefined));
    const more = replies.flatMap((one) => one ?? []).filter((one) => !found.has(spanKey(one)));
    for (const one of more) found.set(spanKey(one), one);
    waiting = await holdersOf(context, more);
  }
  return {
    answer: [...found.values()],
    doubts: unknown.length > 0 ? [unknownHolders(context, unknown)] : [],
  };
}

function unknownHolders({ workspace }: ToolContext, holders: readonly Span[]): Doubt {
  const detail = `These names stand for it too, and their calls were not found: ${namePlaces(workspace, holders)}`;
  return { kind: 'unverified', detail };
}

/** Returns the names that get one of these uses as their value. */
async function holdersOf(context: ToolContext, uses: readonly Span[]): Promise<readonly Span[]> {
  const holders: Span[] = [];
  for (const { path, range, standing } of uses) {
    if (standing !== 'inside' || !isScript(path)) continue;
    const document = await documentAt(context, path);
    if (!document) continue;
    const offset = document.offsetAt(range.start);
    // A property that takes its name from its value, or gives it to a variable, stands for both.
    if (isShorthand(path, document.text, offset)) holders.push({ path, range, standing });
    const holder = nameHolding(path, document.text, offset);
    if (!holder) continue;
    const start = document.positionAt(holder.start);
    const end = document.positionAt(holder.start + holder.text.length);
    holders.push({ path, range: { start, end }, standing });
  }
  return holders;
}

async function usesOf(
  { backend }: ToolContext,
  { path, range }: Span,
  call: Call,
): Promise<readonly Span[] | undefined> {
  const place = { path, position: range.start };
  const reply = await backend.ask({ kind: 'references', place }, call).catch(() => undefined);
  cancelSignalOf(call).throwIfAborted();
  return reply?.answer;
}
