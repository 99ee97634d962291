import { compareSpans } from '../../../core/compare-spans.ts';
import { limits } from '../../../core/limits.ts';
import type { Span } from '../../../core/question.ts';
import { languageOf } from '../../../servers/language-of.ts';
import { readSpans } from '../convert/answers.ts';
import { positionParams } from '../convert/translation.ts';
import type { FollowUp, Row } from './row.ts';

/** Implementations of the symbol at a place. */
export const implementationsRow: Row<'implementations'> = {
  method: 'textDocument/implementation',
  capability: 'implementationProvider',
  search: {
    byUses: true,
    from: ({ place }) => place,
    // An implementation of an implementation also implements the symbol, and need not mention it.
    found: (spans) => spans,
    follow: async (first, { place }, further) => {
      if (!further.definition.search?.directImplementationsOnly) return { answer: first, doubts: [] };
      return transitive(first, { path: place.path, start: place.position }, further);
    },
  },
  path: ({ place }) => place.path,
  params: ({ place }, translation) => positionParams(place, translation),
  answer: (raw, _question, translation) => readSpans(raw, translation),
  count: (spans) => spans.length,
};

/** Asks for implementations of each one found, until no more appear. */
async function transitive(
  first: readonly Span[],
  from: { readonly path: string; readonly start: Span['range']['start'] },
  { definition, again }: FollowUp<'implementations'>,
) {
  const found = [...first];
  const isKnown = (span: Span) => found.some((one) => compareSpans(one, span) === 0);
  const isAsked = ({ path, range: { start } }: Span) =>
    path === from.path && start.line === from.start.line && start.character === from.start.character;
  let asked = 0;
  // The loop also visits spans added while it runs.
  for (const span of found) {
    if (isAsked(span) || span.standing !== 'inside' || !languageOf(span.path, definition)) continue;
    asked += 1;
    if (asked > limits.hierarchy.followed) break;
    const more = await again({ path: span.path, position: span.range.start });
    for (const one of more) if (!isKnown(one)) found.push(one);
  }
  if (asked <= limits.hierarchy.followed) return { answer: found, doubts: [] };
  const detail = `Too many results: implementations of some of them were not searched.`;
  return { answer: found, doubts: [{ kind: 'capped' as const, server: definition.id, detail }] };
}
