import type { Reply } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { lexicalAt } from '../../core/lexical.ts';
import { limits } from '../../core/limits.ts';
import { contains } from '../../core/positions.ts';
import type { Place, Span } from '../../core/questions.ts';
import { occurrences } from '../../core/words.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { languageOf } from './language-of.ts';
import { nameAt } from './search-widely.ts';
import type { Overlooking, ServerDefinition } from './server-definition.ts';

/** What the search for overlooked uses needs of the world. */
export interface Lookout {
  readonly workspace: Workspace;
  readonly definition: ServerDefinition;
  /** Asks the server where what is at a place is defined, and where it is used. */
  readonly means: (place: Place) => Promise<readonly Span[]>;
  readonly uses: (place: Place) => Promise<readonly Span[]>;
}

/**
 * Adds the uses of a symbol that its server resolves but does not find: at each mention in the files where it overlooks
 * uses it is asked what is meant there.
 */
export async function overlookedUses(
  lookout: Lookout,
  place: Place,
  known: readonly Span[],
  call: Call,
): Promise<Reply<readonly Span[]>> {
  const { overlooks } = lookout.definition;
  const name = overlooks && (await nameAt(lookout.workspace, place));
  if (!overlooks || name === undefined) return { answer: known, doubts: [] };
  const mentions = await mentionsOf(lookout, overlooks, name, call);
  const isKnown = (span: Span) => known.some((use) => meets(use, span));
  const unknown = mentions.filter((span) => !isKnown(span));
  const asked = unknown.slice(0, limits.mentionsAsked);
  const meant = await Promise.all(
    asked.map(async (span) => ({ span, means: await lookout.means(startOf(span)) })),
  );
  // What is known need not be asked what it means, but for the place itself.
  const given = mentions.filter(isKnown).map((span) => ({ span, means: [] }));
  const own = unknown.length === 0 ? [] : await lookout.means(place);
  const left = unknown.length - asked.length;
  return {
    answer: await closure(lookout, known, [...given, ...meant], { path: place.path, means: own }),
    doubts: left > 0 ? [notAsked(lookout, overlooks, left)] : [],
  };
}

/** A mention, and where the server says that what is meant there is defined. */
interface Meant {
  readonly span: Span;
  readonly means: readonly Span[];
}

/** What is known, every mention that means one of these, and what is used with it in its own file, until no more come. */
async function closure(
  { uses }: Lookout,
  known: readonly Span[],
  meant: readonly Meant[],
  /** Where the search began: the uses there are known. */
  begin: { readonly path: string; readonly means: readonly Span[] },
): Promise<readonly Span[]> {
  const found = [...known];
  const targets = [...known, ...begin.means];
  const searched = new Set([begin.path]);
  const isSame = ({ span, means }: Meant) =>
    targets.some((target) => meets(target, span) || means.some((one) => meets(target, one)));
  for (let left = meant, next = left.find(isSame); next; next = left.find(isSame)) {
    const { span, means } = next;
    left = left.filter((one) => one !== next);
    const beside = searched.has(span.path) ? [] : await uses(startOf(span));
    searched.add(span.path);
    const fresh = [span, ...beside].filter((one) => !found.some((use) => meets(use, one)));
    found.push(...fresh);
    targets.push(...fresh, ...means);
  }
  return found;
}

function startOf({ path, range }: Span): Place {
  return { path, position: range.start };
}

async function mentionsOf(
  { workspace, definition }: Lookout,
  { files, texts }: Overlooking,
  name: string,
  call: Call,
): Promise<readonly Span[]> {
  const mentioning = (await workspace.mentioning(name, call)) ?? [];
  const served = mentioning.filter((path) => files.test(path) && languageOf(path, definition) !== undefined);
  const spans = await Promise.all(served.map((path) => mentionsIn(workspace, path, name, texts)));
  return spans.flat();
}

async function mentionsIn(
  workspace: Workspace,
  path: string,
  name: string,
  texts: RegExp,
): Promise<readonly Span[]> {
  const document = await workspace.read(path).catch(() => undefined);
  if (!document || !texts.test(document.text)) return [];
  const offsets = occurrences(document.text, name);
  const kinds = lexicalAt(path, document.text, offsets);
  return offsets
    .filter((_, index) => kinds[index] === 'code')
    .map((offset) => {
      const [start, end] = [document.positionAt(offset), document.positionAt(offset + name.length)];
      return { path, range: { start, end }, standing: 'inside' };
    });
}

/** Whether one of two places lies in the other. */
function meets(a: Pick<Span, 'path' | 'range'>, b: Pick<Span, 'path' | 'range'>): boolean {
  if (a.path !== b.path) return false;
  return contains(a.range, b.range.start) || contains(b.range, a.range.start);
}

function notAsked({ definition: { id } }: Lookout, { what }: Overlooking, left: number): Doubt {
  const detail = `${id} overlooks ${what}: ${left} mentions of the name were not looked at one by one.`;
  return { kind: 'capped', server: id, detail };
}
