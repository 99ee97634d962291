import type { Reply } from '../../core/backend.ts';
import { type Call, cancelSignalOf } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { FoundSymbol } from '../../core/question.ts';
import { Pace } from '../../core/runtime/slices.ts';
import { declaredNames } from '../../source-text/names/declared-names.ts';
import type { ToolContext } from '../run/tool.ts';

/**
 * Returns the symbols that the texts of files declare by a keyword, for the time in which servers are too slow to say
 * more; the doubt says what may be missing.
 */
export async function symbolsInTexts(
  { workspace }: ToolContext,
  query: string,
  call: Call,
): Promise<Reply<readonly FoundSymbol[]>> {
  const files = (await workspace.containing(query, call)) ?? [];
  const read = files.slice(0, limits.textSymbols.files);
  const wanted = (/[^.:#/\s]+$/.exec(query)?.[0] ?? query).toLowerCase();
  const isWanted = (name: string) => name.toLowerCase().includes(wanted);
  const answer: FoundSymbol[] = [];
  const pace = new Pace();
  for (const path of read) {
    if (pace.isLate()) await pace.rest();
    cancelSignalOf(call).throwIfAborted();
    const document = await workspace.read(path).catch(() => undefined);
    for (const { name, kind, position } of declaredNames(path, document?.text ?? '', isWanted)) {
      const end = { ...position, character: position.character + name.length };
      answer.push({ name, kind, span: { path, range: { start: position, end }, standing: 'inside' } });
    }
  }
  return { answer, doubts: answer.length === 0 ? [] : [incomplete(read.length, files.length)] };
}

function incomplete(read: number, all: number): Doubt {
  const texts = read < all ? `${read} of ${all} files` : `${all} file${all === 1 ? '' : 's'}`;
  const detail = `Not every server has answered: what ${texts} declare in their text is listed. Call again for all.`;
  return { kind: 'indexing', detail };
}
