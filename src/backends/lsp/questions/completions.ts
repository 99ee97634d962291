import { within } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { limits } from '../../../core/limits.ts';
import type { Completion, Place } from '../../../core/questions.ts';
import { type Json, list, object } from '../../../core/runtime/json.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { malformed } from '../convert/entry.ts';
import { positionParams } from '../convert/translation.ts';
import { notOnDiskDoubts } from '../doubts/files-not-on-disk.ts';
import { unsaved } from '../doubts/unsaved-files.ts';
import { rankCompletions } from './rank-completions.ts';
import { readCompletion } from './read-completion.ts';
import type { RequestSender, Row } from './row.ts';

/** Completions at a place: resolves only the best matches. */
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
  count: ({ items }) => items.length,
};

/** Reads a CompletionList, a bare list, or null. */
function listOf(raw: unknown, server: string) {
  if (raw === null || raw === undefined) return { entries: [], defaults: {}, isIncomplete: false };
  if (Array.isArray(raw)) return { entries: raw, defaults: {}, isIncomplete: false };
  const { items, itemDefaults, isIncomplete } = object(raw);
  if (!Array.isArray(items)) throw malformed({ server, noun: 'completions' });
  return { entries: list(items), defaults: object(itemDefaults), isIncomplete: isIncomplete === true };
}

/** Removes duplicates: some servers list an item several times, once for each way that leads to it. */
function unique(items: readonly Completion[]): readonly Completion[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

/** Resolves omitted parts such as types and imports, a few at a time, within a limit; counts the rest. */
async function resolveCompletions(
  items: readonly Json[],
  line: RequestSender,
): Promise<{ readonly items: readonly Json[]; readonly unresolved: number }> {
  if (!line.options.some(({ resolveProvider }) => resolveProvider === true)) return { items, unresolved: 0 };
  const resolved = new Map<number, Json>();
  const queue = items.entries();
  let isLate = false;
  const work = async () => {
    for (const [index, item] of queue) {
      if (isLate) return;
      // An item that cannot be resolved is still listed.
      const whole = await line.send(item, 'completionItem/resolve').catch(() => undefined);
      if (whole !== undefined) resolved.set(index, { ...item, ...object(whole), label: item.label });
    }
  };
  const { inFlight, time } = limits.completions.resolve;
  await within(Promise.all(Array.from({ length: inFlight }, work)), time);
  isLate = true;
  const known = new Map(resolved);
  return {
    items: items.map((item, index) => known.get(index) ?? item),
    unresolved: items.length - known.size,
  };
}

/** Doubts that paths are missing: the server lists folders on disk, though it finds unsaved files by name. */
export async function listedDoubts(
  definition: ServerDefinition,
  { path, position }: Place,
  workspace: Workspace,
): Promise<readonly Doubt[]> {
  const held = workspace.unsaved();
  if (held.size === 0 || definition.disk?.imports !== 'folders') return [];
  const before = (await workspace.read(path)).line(position.line).slice(0, position.character);
  return inQuotes.test(before)
    ? unsaved(
        notOnDiskDoubts({ ...definition, disk: { ...definition.disk, imports: 'files' } }, workspace, held),
      )
    : [];
}

/** Matches text that ends inside a string, which may be a path; other strings are not distinguished. */
const inQuotes = /["'`][^"'`]*$/;
