import type { Reply } from '../../../core/backend.ts';
import { type Call, cancelSignalOf } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { limits } from '../../../core/limits.ts';
import { contains } from '../../../core/position.ts';
import type { Place, Span } from '../../../core/question.ts';
import { eachInSlices, groupInSlices } from '../../../core/runtime/slices.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';
import { areCandidates } from '../../../source-text/c-files.ts';
import { lexicalAt } from '../../../source-text/lexical.ts';
import { occurrences } from '../../../source-text/words.ts';
import { rangeAt } from '../../../workspace/texts/document.ts';
import { PlausibleGuesses } from '../../../workspace/texts/plausible-guesses.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { nameAt } from './search-by-name.ts';

/** Dependencies of the search for overlooked uses. */
export interface UseSearch {
  readonly workspace: Workspace;
  readonly definition: ServerDefinition;
  readonly root: string;
  /** Asks the server for the definitions of the symbol at a place; `uses` asks for its uses. */
  readonly means: (place: Place) => Promise<readonly Span[]>;
  readonly uses: (place: Place) => Promise<readonly Span[]>;
}

/**
 * Adds uses that the server resolves but does not report. Asks for the definition at the first mention in
 * each file without a known use, if these are few, and at every mention where the server overlooks uses.
 */
export async function unreportedUses(
  search: UseSearch,
  place: Place,
  known: readonly Span[],
  call: Call,
): Promise<Reply<readonly Span[]>> {
  const { workspace } = search;
  const name = known.length === 0 ? undefined : await nameAt(workspace, place);
  const files = name === undefined ? [] : ((await workspace.mentioning(name, call)) ?? []);
  const suspects = suspectFiles(search, files, known, place);
  if (name === undefined || suspects.length === 0) return { answer: known, doubts: [] };
  const mentions = (await Promise.all(suspects.map((one) => mentionsIn(search, one, name)))).flat();
  const uses = await groupInSlices(known, ({ path }) => path);
  const isKnown = (span: Span) => uses.get(span.path)?.some((use) => meets(use, span)) === true;
  const unknown = mentions.filter((span) => !isKnown(span));
  if (unknown.length === 0) return { answer: known, doubts: [] };
  const here = { path: place.path, range: { start: place.position, end: place.position } };
  const asked = [{ ...here, standing: 'inside' as const }, ...unknown.slice(0, limits.mentionsAsked)];
  const [own, ...meant] = await meanings(search, asked, call);
  // Known uses need no definition request, except the place itself.
  const given = mentions.filter(isKnown).map((span) => ({ span, means: [] }));
  const isOverlooking = suspects.some(({ path }) => search.definition.search?.unreported?.files.test(path));
  const begin = { path: place.path, means: (isOverlooking && own?.means) || [] };
  const certain = meant.filter(isTold).filter(({ span, means }) => !areCandidates(span.path, means));
  const guesses = new PlausibleGuesses((path) => workspace.read(path).catch(() => undefined), known);
  const told = certain.map(async (one) => ({ ...one, mayBeGuessed: await guesses.include(one.span) }));
  const answer = await closure(search, known, [...given, ...(await Promise.all(told))], begin);
  return { answer, doubts: doubtsOf(search, meant, unknown.length - meant.length) };
}

/** A file with mentions that may be uses. */
interface Suspect {
  readonly path: string;
  /** The file has no known use, so its first mention represents all. */
  readonly isStrange: boolean;
}

function suspectFiles(
  { workspace, definition, root }: UseSearch,
  files: readonly string[],
  known: readonly Span[],
  place: Place,
): readonly Suspect[] {
  const used = new Set([place.path]);
  for (const { path } of known) used.add(path);
  const isServed = (path: string) =>
    languageOf(path, definition) !== undefined && workspace.rootOf(path) === root;
  const strange = files.filter((path) => !used.has(path) && isServed(path));
  // A name mentioned in so many files most likely belongs to many symbols.
  const first = new Set(strange.length > limits.mentionsSampled ? [] : strange);
  return files
    .filter((path) => first.has(path) || (definition.search?.unreported?.files.test(path) && isServed(path)))
    .map((path) => ({ path, isStrange: first.has(path) }));
}

/** Asks for the definitions at places; `undefined` if the server fails. */
async function meanings({ means }: UseSearch, spans: readonly Span[], call: Call): Promise<readonly Asked[]> {
  const ask = async (span: Span): Promise<Asked> => {
    const told = means(startOf(span)).catch((error: unknown) => {
      if (cancelSignalOf(call).aborted) throw error;
      return undefined;
    });
    return { span, means: await told };
  };
  return Promise.all(spans.map(ask));
}

interface Asked {
  readonly span: Span;
  readonly means: readonly Span[] | undefined;
}

function isTold(asked: Asked): asked is Meant {
  return asked.means !== undefined;
}

/** A mention, and the definitions of the symbol there. */
interface Meant {
  readonly span: Span;
  readonly means: readonly Span[];
  /** False if the definitions count only where the server also lists the mention as a use. */
  readonly mayBeGuessed?: boolean;
}

/** Returns the known uses, all mentions with one of their definitions, and the uses in the same files. */
async function closure(
  { uses }: UseSearch,
  known: readonly Span[],
  meant: readonly Meant[],
  /** Where the search began: the uses there are known. */
  begin: { readonly path: string; readonly means: readonly Span[] },
): Promise<readonly Span[]> {
  const found = new Places();
  // A symbol defined only in a library is, to the compiler, as many symbols as there are imports of it.
  const targets = new Places();
  await eachInSlices(known, (span) => {
    found.add(span);
    if (span.standing === 'inside') targets.add(span);
  });
  for (const span of begin.means) targets.add(span);
  const answer: Span[] = [];
  const searched = new Set([begin.path]);
  const isSame = ({ span, means }: Meant) => targets.meet(span) || means.some((one) => targets.meet(one));
  for (let left = meant, next = left.find(isSame); next; next = left.find(isSame)) {
    const { span, means, mayBeGuessed = true } = next;
    left = left.filter((one) => one !== next);
    const beside = searched.has(span.path) ? [] : await uses(startOf(span));
    searched.add(span.path);
    if (!(mayBeGuessed || found.meet(span) || beside.some((one) => meets(one, span)))) continue;
    const fresh = [span, ...beside].filter((one) => !found.meet(one));
    for (const one of fresh) {
      answer.push(one);
      found.add(one);
      targets.add(one);
    }
    for (const one of means) targets.add(one);
  }
  return answer.length === 0 ? known : [...known, ...answer];
}

/** Spans by file, since there may be very many. */
class Places {
  readonly #byPath = new Map<string, Span[]>();

  add(span: Span): void {
    const own = this.#byPath.get(span.path);
    if (own) own.push(span);
    else this.#byPath.set(span.path, [span]);
  }

  /** Returns whether one of the spans meets another. */
  meet(span: Span): boolean {
    return this.#byPath.get(span.path)?.some((one) => meets(one, span)) === true;
  }
}

function startOf({ path, range }: Span): Place {
  return { path, position: range.start };
}

/** Returns the mentions in code: all if the server overlooks uses here, else the first if no use is known. */
async function mentionsIn(
  { workspace, definition }: UseSearch,
  { path, isStrange }: Suspect,
  name: string,
): Promise<readonly Span[]> {
  const document = await workspace.read(path).catch(() => undefined);
  if (!document) return [];
  const offsets = occurrences(document.text, name);
  const kinds = lexicalAt(path, document.text, offsets);
  const code = offsets.filter((_, index) => kinds[index] === 'code');
  const { unreported } = definition.search ?? {};
  const isUnreported = unreported?.files.test(path) && unreported.texts.test(document.text);
  return code.slice(0, isUnreported ? code.length : isStrange ? 1 : 0).map((offset) => ({
    path,
    range: rangeAt(document, offset, name.length),
    standing: 'inside',
  }));
}

/** Returns whether one span starts within the other. */
function meets(a: Pick<Span, 'path' | 'range'>, b: Pick<Span, 'path' | 'range'>): boolean {
  if (a.path !== b.path) return false;
  return contains(a.range, b.range.start) || contains(b.range, a.range.start);
}

function doubtsOf(
  { workspace, definition: { id, search } }: UseSearch,
  meant: readonly Asked[],
  left: number,
): readonly Doubt[] {
  const listed = new Set(workspace.files());
  const isMade = ({ path, standing }: Span) => standing === 'inside' && !listed.has(path);
  const untold = meant.filter(({ means }) => means === undefined).length;
  const made = meant.filter(({ means }) => means?.some(isMade)).length;
  const reasons = [
    ...(untold > 0 ? [`${id} cannot resolve the name in ${untold} of the files that mention it.`] : []),
    ...(made > 0
      ? [
          `In ${made} ${made === 1 ? 'file' : 'files'} the name refers to an ignored file, which may be generated from this.`,
        ]
      : []),
  ];
  const doubts = reasons.map(
    (detail): Doubt => ({ kind: 'project_not_loaded', server: id, detail, sampled: true }),
  );
  if (left <= 0) return doubts;
  const detail = `${id} misses ${search?.unreported?.what ?? 'uses'}: ${left} ${left === 1 ? 'mention' : 'mentions'} of the name ${left === 1 ? 'was' : 'were'} not checked.`;
  return [...doubts, { kind: 'capped', server: id, detail }];
}
