import type { Reply } from '../../../core/backend.ts';
import type { Call } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { asLspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { Place, Span } from '../../../core/question.ts';
import { languageOf } from '../../../servers/language-of.ts';
import { occurrences } from '../../../source-text/words.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { Router } from '../routing/router.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import { nameAt, namesIn } from './search-by-name.ts';

/** Dependencies of the search for uses in other languages. */
interface OtherLanguageSearch {
  readonly router: Router;
  readonly workspace: Workspace;
  /** Asks one server for the uses of the symbol at a place. */
  readonly ask: (slot: ServerSlot, place: Place) => Promise<Reply<readonly Span[]>>;
}

/**
 * Adds uses in files that the servers of the symbol's own file do not see, such as components of a framework.
 * Asks the server of those files at mentions of the name; its answer counts if it is about the same symbol.
 */
export async function usesInOtherLanguages(
  elsewhere: OtherLanguageSearch,
  place: Place,
  known: readonly Span[],
  call: Call,
): Promise<Reply<readonly Span[]>> {
  const slots = known.length === 0 ? [] : elsewhere.router.seeing(place.path);
  if (slots.length === 0) return { answer: known, doubts: [] };
  const { workspace, router } = elsewhere;
  const [own] = router.serving(place.path, 'references');
  const names = await namesIn(own?.definition.search?.exportedUnderAnyName, workspace, known);
  const named = [...new Set([await nameAt(workspace, place), ...names])].filter((name) => name !== undefined);
  const spans = new Map(known.map((span) => [keyOf(span.path, span.range.start), span]));
  const doubts: Doubt[] = [];
  for (const slot of slots) {
    if (names.has(undefined)) doubts.push(notSeen(slot, anyName));
    const mentions = await Promise.all(named.map((name) => mentionsFor(slot, workspace, name, call)));
    const searched = searchAt(elsewhere, slot, mentions.flat(), spans);
    doubts.push(...(await searched.catch((error: unknown) => [notSeen(slot, asLspanError(error).message)])));
  }
  return { answer: [...spans.values()], doubts };
}

/** Asks file by file: once a mention is a known use, the others there are known or mean something else. */
async function searchAt(
  { ask }: OtherLanguageSearch,
  slot: ServerSlot,
  mentions: readonly (readonly Place[])[],
  spans: Map<string, Span>,
): Promise<readonly Doubt[]> {
  const doubts: Doubt[] = [];
  let asked = 0;
  for (const places of mentions) {
    for (const place of places) {
      if (places.some(({ path, position }) => spans.has(keyOf(path, position)))) break;
      if (asked === limits.mentionsAsked) return [...doubts, notSeen(slot, tooMany)];
      asked += 1;
      const reply = await ask(slot, place);
      doubts.push(...reply.doubts);
      const found = new Map(reply.answer.map((span) => [keyOf(span.path, span.range.start), span]));
      if ([...found.keys()].some((key) => spans.has(key)))
        for (const [key, span] of found) spans.set(key, spans.get(key) ?? span);
    }
  }
  return doubts;
}

const anyName = 'importers choose its name. Search the text for the module name.';
const tooMany = 'the name occurs too often to check each place. Search the text.';

function notSeen({ definition: { id, extensions } }: ServerSlot, why: string): Doubt {
  const files = Object.keys(extensions).map((name) => `.${name}`);
  return {
    kind: 'server_unavailable',
    server: id,
    detail: `Uses in ${files.join(', ')} files may be missing: ${why}`,
  };
}

async function mentionsFor(
  { definition, root }: ServerSlot,
  workspace: Workspace,
  name: string,
  call: Call,
): Promise<readonly (readonly Place[])[]> {
  const mentioning = (await workspace.mentioning(name, call)) ?? [];
  const files = mentioning.filter(
    (path) => languageOf(path, definition) !== undefined && workspace.rootOf(path) === root,
  );
  const found = await Promise.all(files.map((path) => mentionsIn(workspace, path, name)));
  return found.filter((places) => places.length > 0);
}

async function mentionsIn(workspace: Workspace, path: string, name: string): Promise<readonly Place[]> {
  const document = await workspace.read(path).catch(() => undefined);
  if (!document) return [];
  return occurrences(document.text, name).map((offset) => ({ path, position: document.positionAt(offset) }));
}

function keyOf(path: string, { line, character }: Place['position']): string {
  return `${path}\0${line}:${character}`;
}
