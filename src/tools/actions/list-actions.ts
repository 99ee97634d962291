import { z } from 'zod';
import type { Problem } from '../../core/problems.ts';
import type { Action } from '../../core/questions.ts';
import { paged } from '../run/paging.ts';
import type { Pages, ToolContext } from '../run/tool.ts';
import { plural } from '../show/render-location.ts';

const fixed = z.object({
  line: z.int(),
  character: z.int(),
  message: z.string(),
  code: z.string().optional(),
});

const listed = z.object({
  action_id: z.string(),
  title: z.string(),
  kind: z.string().optional(),
  preferred: z.literal(true).optional(),
  /** Why it cannot be done. */
  disabled: z.string().optional(),
  server: z.string(),
  fixes: z.array(fixed).optional(),
});

/** The actions that servers offer, as answers contain them. */
export const actionList = z.object({
  actions: z.array(listed),
  /** The number of others that cannot be done here. */
  impossible: z.int().optional(),
});

export type ActionList = z.output<typeof actionList>;

/** Lists actions with ids. Those that cannot be done are only counted, unless their kinds were asked for. */
export function listActions(
  context: ToolContext,
  actions: readonly Action[],
  withDisabled: boolean,
): Pages<ActionList> {
  const wanted = actions.filter(({ disabled }) => withDisabled || disabled === undefined);
  const impossible = actions.length - wanted.length;
  return paged(wanted, keyOf, async (some) => ({
    actions: some.map((action) => toListed(context, action)),
    ...(impossible > 0 ? { impossible } : {}),
  }));
}

function keyOf({ server, key, title, kind, disabled }: Action): string {
  return JSON.stringify([server, key, title, kind, disabled]);
}

/** Renders a list of actions, one on each line. */
export function renderActions({ actions, impossible = 0 }: ActionList, total: number): string {
  const isOne = new Set(actions.map(({ server }) => server)).size < 2;
  return [
    total === 0 ? 'No code actions.' : `${plural('code action', total)}; preview one by its action_id.`,
    ...actions.map((action) => renderAction(action, isOne)),
    ...(impossible > 0 ? [`${impossible} more cannot be done here; name their kinds to see why.`] : []),
  ].join('\n');
}

function toListed({ actions }: ToolContext, action: Action): z.output<typeof listed> {
  const { title, kind, isPreferred, disabled, server, fixes } = action;
  return {
    action_id: actions.keep(action),
    title,
    ...(kind === undefined ? {} : { kind }),
    ...(isPreferred ? { preferred: true } : {}),
    ...(disabled === undefined ? {} : { disabled }),
    server,
    ...(fixes.length > 0 ? { fixes: fixes.map(toFixed) } : {}),
  };
}

function toFixed({ range: { start }, message, code }: Problem): z.output<typeof fixed> {
  const place = { line: start.line + 1, character: start.character + 1 };
  return { ...place, message, ...(code === undefined ? {} : { code }) };
}

function renderAction(action: z.output<typeof listed>, isOne: boolean): string {
  const { action_id, title, kind, preferred, disabled, server, fixes = [] } = action;
  const places = [...new Set(fixes.map(({ line, character }) => `${line}:${character}`))];
  const remarks = [
    ...(preferred ? ['preferred'] : []),
    ...(places.length > 0 ? [`fixes ${places.join(', ')}`] : []),
    ...(isOne ? [] : [server]),
    ...(disabled === undefined ? [] : [`cannot be done: ${disabled || 'no reason is given'}`]),
  ];
  const suffix = remarks.length > 0 ? `  (${remarks.join('; ')})` : '';
  return `  ${action_id}  ${kind ?? 'command'}  ${title.replace(/\s+/g, ' ')}${suffix}`;
}
