import { z } from 'zod';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { Completion, Completions } from '../../core/question.ts';
import { defineTool } from '../run/define-tool.ts';
import { paged } from '../run/paging.ts';
import { paging } from '../run/paging-fields.ts';
import { plural } from '../show/render-location.ts';
import { exactPlace, placeFields } from '../target/exact-place.ts';
import { unverifiedError } from '../target/no-answer.ts';

const completion = z.object({
  label: z.string(),
  kind: z.string().optional(),
  detail: z.string().optional(),
  source: z.string().optional(),
  documentation: z.string().optional(),
  insert: z.string().optional(),
  deprecated: z.literal(true).optional(),
  adds: z.array(z.string()).optional(),
});

type ShownCompletion = z.output<typeof completion>;

/** Lists what can be written at a place. */
export const getCompletions = defineTool({
  name: 'get_completions',
  title: 'Completions',
  toolset: 'intelligence',
  listed: false,
  description:
    'Completions at a position, such as members after a dot, the best first: kind, type, deprecations, needed imports.',
  input: z.strictObject({ ...placeFields, ...paging }),
  output: z.object({ completions: z.array(completion) }),
  effects: 'none',
  instead: 'get_document_symbols lists what a file defines.',
  prose: ['documentation'],
  async answer(context, input, call) {
    const { path, document, position } = await exactPlace(context, input);
    const question = { place: { path, position }, most: limits.completions.most };
    const { answer, doubts } = await context.backend.ask({ kind: 'completions', ...question }, call);
    const before = document.line(position.line).slice(0, position.character);
    const all = [...doubts, ...doubtsOf(answer, before)];
    if (answer.items.length === 0 && all.length > 0) throw unverifiedError('No completions were found', all);
    const pages = paged(answer.items, JSON.stringify, async (some) => ({
      completions: some.map(toCompletion),
    }));
    return { pages, total: answer.total, doubts: all };
  },
  render: ({ completions }, total) =>
    total === 0
      ? 'No completions: nothing here fits the typed text.'
      : [plural('completion', total), ...completions.map(renderCompletion)].join('\n'),
  count: ({ completions }) => completions.length,
  cut: ({ completions }, keep) => ({ completions: completions.slice(0, keep) }),
});

/**
 * Some servers always report that a longer name would give more completions. For members, that means completions
 * other than members, unless there are so many that the list was cut.
 */
function doubtsOf({ isIncomplete, unresolved, total }: Completions, before: string): readonly Doubt[] {
  const isListed = memberAccess.test(before) && total > 0 && total < limits.completions.whole;
  const more = 'The server may have more: type more of the name to get them.';
  const late = `Details of ${plural('completion', unresolved)} are incomplete: types, imports and deprecations may be missing.`;
  return [
    ...(isIncomplete && !isListed ? [{ kind: 'capped', detail: more } as const] : []),
    ...(unresolved > 0 ? [{ kind: 'timed_out', detail: late } as const] : []),
  ];
}

/** Matches a member access, with the part of the name that is typed. */
const memberAccess = /(?:\w|[)\]}"'`>?!])(?:\.|->|::)[\p{ID_Continue}$]*$/u;

function toCompletion(item: Completion): ShownCompletion {
  const { label, kind, detail, source, documentation, insert, isDeprecated, additions } = item;
  const fields = {
    kind,
    detail: detail === label ? undefined : detail,
    source: source === detail ? undefined : source,
    documentation: documentation && firstLine(documentation),
    insert: insert === label ? undefined : insert,
    deprecated: isDeprecated || undefined,
    adds: additions.length > 0 ? additions : undefined,
  };
  return { label, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) };
}

/** Returns the first line with words, which is enough in a list. */
function firstLine(documentation: string): string {
  const line = documentation.split('\n').find((one) => /\w/.test(one)) ?? '';
  return line.trim().replace(escaped, '$1').slice(0, limits.results.lineLength);
}

/** Matches an escaped character, which Markdown shows without its backslash. */
const escaped = /\\([!-/:-@[-`{-~])/g;

function renderCompletion(completion: ShownCompletion): string {
  const { label, kind, detail, documentation, source, insert, deprecated, adds } = completion;
  const parts = [
    label,
    kind,
    cut(detail ?? documentation),
    source && adds === undefined ? `from ${source}` : undefined,
    insert === undefined || label.startsWith(insert) ? undefined : `writes ${JSON.stringify(insert)}`,
    deprecated && 'deprecated',
    adds && `adds: ${adds.join(' / ')}`,
  ];
  return parts.filter((part) => part !== undefined).join('  ');
}

/** Cuts a type, so that each completion takes one line; the data has the whole type. */
function cut(detail: string | undefined): string | undefined {
  const most = limits.completions.detail;
  return detail !== undefined && detail.length > most ? `${detail.slice(0, most)}…` : detail;
}
