import { z } from 'zod';
import { beginCall, within } from '../../core/call.ts';
import { asLspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { readCall } from '../run/read-call.ts';
import { fail } from '../run/render-error.ts';
import type { Outcome, RunOptions, Tool, ToolContext } from '../run/tool.ts';
import { diagnostic, toDiagnostic } from '../show/diagnostic.ts';
import { checkChanges } from './check-changes.ts';
import { renderNews, toHookOutput } from './render-news.ts';

const input = z.strictObject({
  file_path: z.string().max(limits.path.length).optional().describe('the edited file, if there is one'),
  conversation: z.string().max(limits.input.id).optional().describe('its id, if the caller has several'),
  event: z.enum(['PostToolUse', 'AfterTool']).default('PostToolUse').describe('the event of the hook'),
});

const output = z.object({
  introduced: z.array(diagnostic),
  checking: z.boolean(),
  message: z.string().optional(),
});

/**
 * Tells hooks what got worse since the last call of a conversation, whichever program changed files. Its text is the
 * output of the hook, empty if there is nothing to tell: it runs after every edit, so it neither fails nor waits for long.
 */
export const afterEdit: Tool = {
  name: 'after_edit',
  title: 'Problems after an edit',
  toolset: 'quality',
  listed: false,
  description:
    'For hooks: the errors and warnings that are new since the last call. Never listed to a model.',
  input,
  output,
  effects: 'none',
  async run(context, given, options) {
    try {
      const read = readCall(input, given);
      return await answer(context, read.input ?? { event: 'PostToolUse' }, options);
    } catch (thrown) {
      const error = asLspanError(thrown);
      if (error.code === 'invalid_input') return fail(error);
      // Another worktree of the repository may be meant, which the error says.
      if (error.outside === undefined) options.log('warn', 'after_edit_failed', { error: thrown });
      return { ...silence, error };
    }
  },
};

const silence: Outcome = { text: '', data: { introduced: [], checking: false }, isError: false };

async function answer(
  context: ToolContext,
  { file_path, conversation: id, event }: z.output<typeof input>,
  options: RunOptions,
): Promise<Outcome> {
  const { workspace, conversations } = context;
  const { deadline, signal } = options;
  // Before the barrier, so that it hears of the changes that this call is about.
  const conversation = conversations.of(id);
  await refuseOutside(context, file_path);
  const end = performance.now() + limits.afterEdit.wait;
  const call = beginCall({ time: deadline }, signal);
  await workspace.refresh(call).finally(() => call[Symbol.dispose]());
  const left = () => Math.max(0, end - performance.now());
  await within(conversations.ready(), left(), signal);
  const told = await conversation.hear(
    (request) => checkChanges(context, request, deadline),
    async (work) =>
      (await within(
        work.then(() => true),
        left(),
        signal,
      )) ?? false,
  );
  const introduced = told.introduced.map((one) => toDiagnostic(context, one));
  const message = renderNews({ introduced, goesOn: told.goesOn });
  const data = {
    introduced,
    checking: told.goesOn !== undefined,
    ...(message === undefined ? {} : { message }),
  };
  return { text: toHookOutput(event, message), data, isError: false };
}

/** A file that is outside, or gone, is no reason to fail; only where another worktree may be meant is it told. */
async function refuseOutside({ workspace }: ToolContext, file: string | undefined): Promise<void> {
  if (!file) return;
  const refused = await workspace.resolve(file).then(
    () => undefined,
    (thrown: unknown) => asLspanError(thrown),
  );
  if (refused?.outside !== undefined) throw refused;
}
