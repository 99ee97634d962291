import { z } from 'zod';
import type { Visibility } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import { comparePositions, type Position } from '../../core/position.ts';
import type { Place, Span } from '../../core/question.ts';
import { betweenSteps, eachInSlices, groupInSlices, Pace } from '../../core/runtime/slices.ts';
import { type Lexical, lexicalAt } from '../../source-text/lexical.ts';
import { occurrences } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from './document-at.ts';
import { location, toSearchedLocations } from './location.ts';
import { plural } from './render-location.ts';

/** Why a mention of a name is not a reference; those that are most likely to matter come first. */
const reasons = ['not_in_a_project', 'string', 'other_language', 'comment', 'other_symbol'] as const;

type Reason = (typeof reasons)[number];

/** A place where a text contains the name but, according to the server, does not use the symbol. */
const mention = location.omit({ in: true, external: true }).extend({ reason: z.enum(reasons) });

/** The mentions of a name: some of them, and the number for each reason. */
export const mentions = z.object({
  mentions: z.array(mention),
  mention_counts: z.partialRecord(z.enum(reasons), z.int()),
  /** The number of files that contain the name too and were not searched. */
  files_not_searched: z.int().optional(),
});

export type Mentions = z.output<typeof mentions>;

/** The answer if there are no mentions, or they are not of interest. */
export const noMentions: Mentions = { mentions: [], mention_counts: {} };

/** The subject and the result of a search for uses. */
interface Searched {
  readonly place: Place;
  readonly name: string;
  readonly references: readonly Span[];
  /** True if all mentions are wanted, not only those that may matter. */
  readonly all: boolean;
}

/** Finds the mentions of a symbol's name that are not known uses, and says why they are not. */
export async function findMentions(context: ToolContext, searched: Searched, call: Call): Promise<Mentions> {
  return toMentionsData(context, await searchMentions(context, searched, call), searched.all);
}

/** A mention, and why it is not a reference. */
export interface Mention extends Span {
  readonly reason: Reason;
}

/** All mentions, and the number of files that were not searched. */
export interface FoundMentions {
  readonly found: readonly Mention[];
  readonly left: number;
}

/** Like `findMentions`, but returns all of them, as spans. */
export async function searchMentions(
  context: ToolContext,
  searched: Searched,
  call: Call,
): Promise<FoundMentions> {
  const { place, name } = searched;
  const files = (await context.workspace.mentioning(name, call)) ?? [];
  const isTooMany = files.length > limits.mentions.files;
  const used = new Set<string>();
  if (isTooMany) await eachInSlices(searched.references, ({ path }) => void used.add(path));
  const unused = isTooMany ? files.filter((path) => !used.has(path)) : [];
  // If there are very many files, those without a known use are searched first.
  const chosen = [...new Set([...unused, ...files])].slice(0, limits.mentions.files);
  const unexplained = await unexplainedIn(context, chosen, searched);
  const left = Math.max(0, unused.length - chosen.length);
  if (unexplained.size === 0) return { found: [], left };
  const visibilities = await context.backend.visibility(place, [...unexplained.keys()]);
  const [found, pace]: [Mention[], Pace] = [[], new Pace()];
  for (const [path, own] of unexplained) {
    if (pace.isLate()) await pace.rest();
    for (const mention of toMentions(path, own, visibilities.get(path) ?? 'unseen')) found.push(mention);
  }
  await betweenSteps(found.length);
  return { found, left };
}

/** Converts some mentions for an answer, and counts them by reason. */
export async function toMentionsData(
  context: ToolContext,
  { found, left }: FoundMentions,
  all: boolean,
): Promise<Mentions> {
  if (found.length === 0) return left > 0 ? { ...noMentions, files_not_searched: left } : noMentions;
  const counts = new Map<Reason, number>();
  for (const { reason } of found) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const shown = reasons
    .filter((reason) => all || reason !== 'other_symbol')
    .flatMap((reason) => found.filter((mention) => mention.reason === reason))
    .slice(0, all ? context.page : limits.mentions.shown);
  const locations = await toSearchedLocations(context, shown);
  return {
    mentions: locations.flatMap((one, index) => {
      const reason = shown[index]?.reason;
      return reason ? [{ ...one, reason }] : [];
    }),
    mention_counts: Object.fromEntries(
      reasons.flatMap((one) => (counts.has(one) ? [[one, counts.get(one)]] : [])),
    ),
    ...(left > 0 ? { files_not_searched: left } : {}),
  };
}

/** Renders the number of mentions for each reason, and those that are listed. */
export function renderMentions({ mentions, mention_counts, files_not_searched = 0 }: Mentions): string[] {
  const counts = Object.entries(mention_counts).map(([reason, count]) => `${count} ${reason}`);
  if (counts.length === 0 && files_not_searched === 0) return [];
  const more = files_not_searched > 0 ? [`${plural('more file', files_not_searched)} not looked into`] : [];
  const lines = mentions.map(
    ({ file_path, line, character, text, reason }) =>
      `  ${file_path}:${line}:${character} ${reason}${text ? ` ${text}` : ''}`,
  );
  return [`Mentioned, but no reference: ${[...counts, ...more].join(', ')}`, ...lines];
}

/** Returns a doubt if files that the server does not search mention the name: they may use it. */
export function unexplainedMentionDoubts({
  mention_counts: { not_in_a_project: count = 0 },
}: Pick<Mentions, 'mention_counts'>): Doubt[] {
  if (count === 0) return [];
  const detail = `${plural('mention', count)} in files that the server does not search may be uses too.`;
  return [{ kind: 'project_not_loaded', detail }];
}

/** The mentions in one text that are not references. */
interface Unexplained {
  readonly document: Document;
  readonly offsets: readonly number[];
  readonly length: number;
}

async function unexplainedIn(
  context: ToolContext,
  files: readonly string[],
  { name, references }: Searched,
): Promise<Map<string, Unexplained>> {
  const explained = await groupInSlices(references, ({ path }) => path);
  const found = new Map<string, Unexplained>();
  const pace = new Pace();
  for (const path of files) {
    if (pace.isLate()) await pace.rest();
    const document = await documentAt(context, path);
    if (!document) continue;
    const isUse = insideAnyOf(explained.get(path) ?? []);
    const offsets = occurrences(document.text, name).filter((offset) => !isUse(document.positionAt(offset)));
    if (offsets.length > 0) found.set(path, { document, offsets, length: name.length });
  }
  return found;
}

/** Returns a predicate that is true inside any of the spans, by binary search, since there may be very many. */
function insideAnyOf(spans: readonly Span[]): (position: Position) => boolean {
  const ranges = spans.map(({ range }) => range).sort((a, b) => comparePositions(a.start, b.start));
  // Among the spans that start before a position, only the latest end matters.
  const ends: Position[] = [];
  for (const { end } of ranges) {
    const last = ends.at(-1);
    ends.push(last && comparePositions(last, end) > 0 ? last : end);
  }
  return (position) => {
    let [low, high] = [0, ranges.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (comparePositions(ranges[middle]?.start ?? position, position) <= 0) low = middle + 1;
      else high = middle;
    }
    const end = ends[low - 1];
    return end !== undefined && comparePositions(position, end) <= 0;
  };
}

function toMentions(
  path: string,
  { document, offsets, length }: Unexplained,
  visibility: Visibility,
): Mention[] {
  const kinds = visibility === 'other_language' ? [] : lexicalAt(path, document.text, offsets);
  return offsets.map((offset, index) => {
    const start = document.positionAt(offset);
    const range = { start, end: { line: start.line, character: start.character + length } };
    return { path, range, standing: 'inside', reason: reasonFor(visibility, kinds[index]) };
  });
}

function reasonFor(visibility: Visibility, kind: Lexical | undefined): Reason {
  if (visibility === 'other_language') return 'other_language';
  if (kind === 'comment' || kind === 'string') return kind;
  return visibility === 'unseen' ? 'not_in_a_project' : 'other_symbol';
}
