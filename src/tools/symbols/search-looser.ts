import type { Reply } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import type { FoundSymbol } from '../../core/question.ts';
import type { ToolContext } from '../run/tool.ts';
import { findByName } from '../target/find-by-name.ts';
import type { Match } from '../target/match-symbols.ts';
import { readSymbolPath, type SymbolPath } from '../target/symbol-path.ts';

type Found = Reply<readonly FoundSymbol[]>;

/**
 * Searches again for what servers do not find as it is written: the name in `Server.run`, which they list below its class,
 * and letters in another case, which some tell apart if one is a capital.
 */
export async function searchLooser(
  context: ToolContext,
  query: string,
  search: (query: string) => Promise<Found>,
  call: Call,
): Promise<Found> {
  const path = readSymbolPath(query.replace(fileBefore, ''));
  if (path.name !== query) return symbolsOfPath(context, path, call);
  const small = query.toLowerCase();
  return small === query || !plain.test(query) ? nothing : search(small);
}

/** A file before a name, as in `src/cart.ts:Cart`. */
const fileBefore = /^[^:#\s]*\/[^:#\s]*\.\w+(?:#|::?)(?=\S)/;

/** What has other characters than names have is looked for as it is. */
const plain = /^[\p{L}_][\p{L}\p{N}_]*$/u;

const nothing: Found = { answer: [], doubts: [] };

async function symbolsOfPath(context: ToolContext, path: SymbolPath, call: Call): Promise<Found> {
  const files = await context.workspace.mentioning(path.name, call);
  const { answer, doubts } = await findByName(context, path, files, call);
  return { answer: answer.map(toFoundSymbol), doubts };
}

/** Its name may be written with what holds it, which is then no container of its own. */
function toFoundSymbol({ name, kind, holders, span }: Match): FoundSymbol {
  return { name, kind, span, ...(holders.length > 0 ? { container: holders.join('.') } : {}) };
}
