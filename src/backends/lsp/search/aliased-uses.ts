import { limits } from '../../../core/limits.ts';
import type { Span } from '../../../core/question.ts';
import { startKey } from './search-by-name.ts';
import type { UseSearch } from './unreported-uses.ts';

/** Adds the uses under import aliases, for servers that treat these as separate symbols: asks for each. */
export async function aliasedUses(search: UseSearch, known: readonly Span[]): Promise<readonly Span[]> {
  const pattern = search.definition.search?.alias;
  if (pattern === undefined) return known;
  const found = new Map(known.map((span) => [startKey(span), span]));
  let asked = 0;
  // The map grows during the loop: uses under an alias may rename it again.
  for (const span of found.values()) {
    const alias = await aliasOf(search, span, pattern);
    if (!alias || found.has(startKey(alias)) || asked === limits.mentionsAsked) continue;
    asked += 1;
    for (const use of await search.uses({ path: alias.path, position: alias.range.start }))
      if (!found.has(startKey(use))) found.set(startKey(use), use);
  }
  return [...found.values()];
}

/** Returns the place of the alias that a use gives to the symbol. */
async function aliasOf(
  { workspace }: UseSearch,
  { path, range, standing }: Span,
  pattern: RegExp,
): Promise<Span | undefined> {
  const document = standing === 'inside' ? await workspace.read(path).catch(() => undefined) : undefined;
  const after = document?.line(range.end.line).slice(range.end.character) ?? '';
  const [all = '', name] = pattern.exec(after) ?? [];
  if (name === undefined) return undefined;
  const end = { line: range.end.line, character: range.end.character + all.length };
  return { path, standing, range: { start: { ...end, character: end.character - name.length }, end } };
}
