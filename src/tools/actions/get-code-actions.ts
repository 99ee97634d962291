import { z } from 'zod';
import type { Call } from '../../core/call.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Problem } from '../../core/problems.ts';
import type { Action } from '../../core/question.ts';
import { previewOrApply, previewOrApplyPlan } from '../change/change.ts';
import { change, changeFields } from '../change/change-data.ts';
import { renderChange, shortenChange } from '../change/render-change.ts';
import { defineTool } from '../run/define-tool.ts';
import { paged } from '../run/paging.ts';
import { paging } from '../run/paging-fields.ts';
import type { Listing, Pages, Result, ToolContext } from '../run/tool.ts';
import { plural } from '../show/render-location.ts';
import { readRange } from '../target/read-range.ts';
import { filePath } from '../target/target-fields.ts';

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
const actionList = z.object({
  actions: z.array(listed),
  /** The number of others that cannot be done here. */
  impossible: z.int().optional(),
});

const input = z.strictObject({
  file_path: filePath.optional(),
  line: z.int().optional(),
  character: z.int().optional(),
  end_line: z.int().optional(),
  end_character: z.int().optional(),
  kinds: z
    .array(z.string().min(1).max(limits.input.id))
    .min(1)
    .max(limits.input.kinds)
    .optional()
    .describe('such as `source.fixAll`'),
  action_id: z.string().min(1).max(limits.input.id).optional(),
  plan_id: z.string().min(1).max(limits.input.id).optional(),
  ...changeFields,
  ...paging,
  dry_run: z.boolean().optional(),
});

type Input = z.output<typeof input>;

const output = change.extend(actionList.partial().shape);

type Output = z.output<typeof output>;

/** Lists what servers offer to do, previews one action, or applies it. */
export const getCodeActions = defineTool({
  name: 'get_code_actions',
  title: 'Code actions',
  toolset: 'refactor',
  listed: true,
  description:
    'Quick fixes, refactorings, organize imports, fix all: lists them for a range or a file; `action_id` previews one, `dry_run: false` applies it.',
  input,
  output,
  effects: 'files',
  answer: listOrApply,
  render: (data, total) => {
    const listed = listIn(data);
    return listed ? renderActions(listed, total) : renderChange(data);
  },
  count: ({ actions }) => actions?.length,
  cut: (data, keep) => ({ ...data, actions: data.actions?.slice(0, keep) }),
  shorten: shortenChange,
});

async function listOrApply(
  context: ToolContext,
  given: Input,
  call: Call,
): Promise<Result<Output> | Listing<Output>> {
  const { plan_id, action_id, check } = given;
  if (plan_id !== undefined) {
    const applying = { dry_run: given.dry_run ?? false, check };
    return previewOrApplyPlan(context, context.edits.find(plan_id), applying, call);
  }
  if (action_id === undefined) return list(context, given, call);
  return previewOrApplyAction(context, context.actions.find(action_id), given, call);
}

function listIn({ actions, impossible }: Output): ActionList | undefined {
  return actions && { actions, ...(impossible === undefined ? {} : { impossible }) };
}

async function list(context: ToolContext, given: Input, call: Call): Promise<Listing<Output>> {
  const { file_path } = given;
  if (file_path === undefined) throw nothingNamed();
  const kinds = given.kinds?.map(wholeKind);
  const path = await context.workspace.resolve(file_path);
  const range = readRange(await context.workspace.read(path), given);
  const { answer, doubts } = await context.backend.ask(
    { kind: 'actions', path, ...(range ? { range } : {}), ...(kinds ? { only: kinds } : {}) },
    call,
  );
  return { pages: listActions(context, answer, kinds !== undefined), doubts };
}

/** Completes the last word of a kind, by which agents name it: `organizeImports`. */
function wholeKind(given: string): string {
  const word = given.toLowerCase().replaceAll(/[\s_-]/g, '');
  return kindsByLastWord.get(word) ?? given;
}

const kindsByLastWord: ReadonlyMap<string, string> = new Map(
  [
    ...['quickfix', 'refactor', 'source', 'source.organizeImports', 'source.fixAll', 'source.sortImports'],
    ...['refactor.extract', 'refactor.inline', 'refactor.move', 'refactor.rewrite'],
  ].map((kind) => [kind.replace(/^.*\./, '').toLowerCase(), kind]),
);

async function previewOrApplyAction(
  context: ToolContext,
  action: Action,
  given: Input,
  call: Call,
): Promise<Result<Output>> {
  const proposal = await context.backend.propose(action, call);
  const { check, allow_protected, dry_run = true } = given;
  const request = { title: titleOf(action), dry_run, check, allow_protected };
  return previewOrApply(context, proposal, request, call);
}

function titleOf({ title }: Action): string {
  const line = title.replace(/\s+/g, ' ').trim();
  return JSON.stringify(
    line.length > limits.actions.title ? `${line.slice(0, limits.actions.title)}…` : line,
  );
}

function nothingNamed(): LspanError {
  return new LspanError('invalid_input', 'Neither `file_path` nor `action_id` is given.', {
    nextStep: 'Give `file_path` to list actions, or an `action_id` from such a list.',
  });
}

type ActionList = z.output<typeof actionList>;

/** Lists actions with ids. Those that cannot be done are only counted, unless their kinds were asked for. */
function listActions(
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
function renderActions({ actions, impossible = 0 }: ActionList, total: number): string {
  const isOne = new Set(actions.map(({ server }) => server)).size < 2;
  return [
    total === 0 ? 'No code actions.' : `${plural('code action', total)}; preview one by its action_id.`,
    ...actions.map((action) => renderAction(action, isOne)),
    ...(impossible > 0 ? [`${impossible} more are disabled here; name their kinds to see why.`] : []),
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
    ...(disabled === undefined ? [] : [`disabled: ${disabled || 'no reason given'}`]),
  ];
  const suffix = remarks.length > 0 ? `  (${remarks.join('; ')})` : '';
  return `  ${action_id}  ${kind ?? 'command'}  ${title.replace(/\s+/g, ' ')}${suffix}`;
}
