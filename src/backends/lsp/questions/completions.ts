import type { Completion } from '../../../core/questions.ts';
import { list, object } from '../../../core/runtime/json.ts';
import { malformed } from '../convert/entries.ts';
import { positionParams } from '../convert/position-params.ts';
import { listedDoubts } from './listed-doubts.ts';
import { rankCompletions } from './rank-completions.ts';
import { readCompletion } from './read-completion.ts';
import { resolveCompletions } from './resolve-completions.ts';
import type { Row } from './row.ts';

/** What may be written at a place: what fits best is looked at closely, and nothing else is. */
export const completionsRow: Row<'completions'> = {
  method: 'textDocument/completion',
  capability: 'completionProvider',
  path: ({ place }) => place.path,
  params: async ({ place }, translation) => ({
    ...(await positionParams(place, translation)),
    context: { triggerKind: 1 },
  }),
  answer: async (raw, { place, most }, translation, line) => {
    const { server, workspace, encoding } = translation;
    const { entries, defaults, isIncomplete } = listOf(raw, server);
    const document = await workspace.read(place.path);
    const typed = { line: document.line(place.position.line), position: place.position, encoding };
    const { best, fitting, readable } = await rankCompletions(entries, defaults, typed, most);
    if (entries.length > 0 && readable === 0) throw malformed({ server, noun: 'completions' });
    const { items: resolved, unresolved } = await resolveCompletions(best, line);
    const items = unique(resolved.map((item) => readCompletion(item, document, encoding)));
    const total = fitting - (resolved.length - items.length);
    return { items, total, isIncomplete, unresolved };
  },
  doubts: ({ place }, definition, workspace) => listedDoubts(definition, place, workspace),
  size: ({ items }) => items.length,
};

/** Reads a CompletionList, a bare list, or null. */
function listOf(raw: unknown, server: string) {
  if (raw === null || raw === undefined) return { entries: [], defaults: {}, isIncomplete: false };
  if (Array.isArray(raw)) return { entries: raw, defaults: {}, isIncomplete: false };
  const { items, itemDefaults, isIncomplete } = object(raw);
  if (!Array.isArray(items)) throw malformed({ server, noun: 'completions' });
  return { entries: list(items), defaults: object(itemDefaults), isIncomplete: isIncomplete === true };
}

/** Some servers name the same thing several times, once for each way that led to it. */
function unique(items: readonly Completion[]): readonly Completion[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
