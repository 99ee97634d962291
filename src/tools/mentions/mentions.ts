import { z } from 'zod';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import { toLineColumn } from '../../core/position.ts';
import type { Span } from '../../core/question.ts';
import { nameSome } from '../../core/wording/name-some.ts';
import type { ToolContext } from '../run/tool.ts';
import { location, toSearchedLocations } from '../show/location.ts';
import { plural } from '../show/render-location.ts';

/** Why a mention of a name is not a reference; those that are most likely to matter come first. */
const reasons = [
  'unverified',
  'not_in_a_project',
  'string',
  'other_language',
  'comment',
  'other_symbol',
] as const;

/** Why a mention is not a reference. */
export type Reason = (typeof reasons)[number];

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

/** A mention, and why it is not a reference. */
export interface Mention extends Span {
  readonly reason: Reason;
  /** Set if the symbol, if it is one, has another name here. */
  readonly isAlias?: true;
}

/** A use that the server did not list. */
export interface FoundUse extends Span {
  /** Set if the server cannot follow the import through which the symbol is used here. */
  readonly isImported?: true;
  /** Set if it is no code: a path of names, or a string that names a parameter. */
  readonly isInText?: true;
  /** Set if the symbol has another name here. */
  readonly isAlias?: true;
}

/** All mentions, the uses among them, and the number of files that were not searched. */
export interface FoundMentions {
  readonly found: readonly Mention[];
  readonly uses: readonly FoundUse[];
  readonly left: number;
  /** The number of mentions that are `unverified` because there was no time to ask about them. */
  readonly unasked: number;
}

/** Converts some mentions for an answer, and counts them by reason. */
export async function toMentionsData(
  context: ToolContext,
  { found, left }: Pick<FoundMentions, 'found' | 'left'>,
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
  const more = files_not_searched > 0 ? [`${plural('more file', files_not_searched)} not searched`] : [];
  const lines = mentions.map(
    ({ file_path, line, character, text, reason }) =>
      `  ${file_path}:${line}:${character} ${reason}${text ? ` ${text}` : ''}`,
  );
  return [`Other mentions: ${[...counts, ...more].join(', ')}`, ...lines];
}

/** Returns doubts if a mention may be a use: what stands there is not known, or no server searches the file. */
export function unexplainedMentionDoubts(
  { workspace }: ToolContext,
  { found, left, unasked }: Pick<FoundMentions, 'found' | 'left' | 'unasked'>,
): Doubt[] {
  const [unverified, unsearched] = (['unverified', 'not_in_a_project'] as const).map((reason) =>
    found.filter((mention) => mention.reason === reason),
  );
  const doubts: Doubt[] = [];
  if (unverified && unverified.length > 0) {
    const [may, them] = unverified.length === 1 ? ['may be a use', 'it'] : ['may be uses', 'them'];
    const detail = `${plural('mention', unverified.length)} ${may}, but the server cannot resolve ${them}: ${namePlaces(workspace, unverified)}`;
    doubts.push({ kind: 'unverified', detail });
  }
  if (unasked > 0) {
    const detail = `There was no time to resolve ${unasked} of them. Call again to continue.`;
    doubts.push({ kind: 'timed_out', detail });
  }
  if (unsearched && unsearched.length > 0) {
    const detail = `${plural('mention', unsearched.length)} in files that the server does not search may be uses too.`;
    doubts.push({ kind: 'project_not_loaded', detail });
  }
  if (left > 0)
    doubts.push({
      kind: 'unverified',
      detail: `${plural('more file', left)} with the name ${left === 1 ? 'was' : 'were'} not searched.`,
    });
  return doubts;
}

/** Returns the doubts about a search for uses that the mentions of the name do not settle. */
export function unsettledDoubts(
  doubts: readonly Doubt[],
  { found, left, unasked }: Pick<FoundMentions, 'found' | 'left' | 'unasked'>,
): Doubt[] {
  const isExplained =
    left + unasked === 0 &&
    found.every(({ reason }) => reason !== 'unverified' && reason !== 'not_in_a_project');
  return doubts.filter(({ sampled, aboutMentions }) => !sampled && !(aboutMentions && isExplained));
}

/** Names the first places. */
export function namePlaces(workspace: ToolContext['workspace'], spans: readonly Span[]): string {
  const places = spans.map(({ path, range }) => {
    const { line, character } = toLineColumn(range.start);
    return `${workspace.show(path)}:${line}:${character}`;
  });
  return `${nameSome(places)}.`;
}
