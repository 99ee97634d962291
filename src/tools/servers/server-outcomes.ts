import { z } from 'zod';
import type { ServerOutcome, ServerSelector, ServerStatus } from '../../core/backend.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { maxTokens } from '../run/paging-fields.ts';
import type { Result, ServerActions, ToolContext } from '../run/tool.ts';
import { plural } from '../show/render-location.ts';
import { nameOf } from './show-server.ts';

const name = z.string().min(1).max(limits.input.extensions);

/** Fields that select servers; all servers if none is given. */
export const serverFields = {
  server: name.optional().describe('Id; default all'),
  language: name.optional(),
  extensions: z.array(name).max(limits.input.extensions).optional().describe('Of files: `ts`'),
  max_tokens: maxTokens,
};

type Given = z.output<z.ZodObject<typeof serverFields>>;

const outcome = z.object({
  id: z.string(),
  root: z.string(),
  outcome: z.enum(['restarted', 'stopped', 'not_running', 'failed']),
  state: z.string().optional(),
  pid: z.int().optional(),
  error: z.string().optional(),
});

/** The outcome for each server. */
export const serverOutcomes = z.object({ servers: z.array(outcome) });

type Outcomes = z.output<typeof serverOutcomes>;

/** Acts on the selected servers, those of other worktrees that are open too, and returns the state of each afterwards. */
export async function actOnServers(
  context: ToolContext,
  given: Given,
  act: (servers: ServerActions, selector: ServerSelector) => Promise<readonly ServerOutcome[]>,
): Promise<Result<Outcomes>> {
  const others = (await context.neighbours?.()) ?? [];
  const all: readonly ServerActions[] = [context.backend.servers, ...others.map(({ control }) => control)];
  const statuses = async () => (await Promise.all(all.map((servers) => servers.status()))).flat();
  const before = await statuses();
  const selector = toSelector(given, before);
  const outcomes = (await Promise.all(all.map((servers) => act(servers, selector)))).flat();
  if (outcomes.length === 0 && Object.values(selector).some((part) => part !== undefined))
    throw unknownServer(await context.backend.servers.status());
  const after = await statuses();
  const servers = outcomes.map((one) => {
    const now = after.find(({ id, root }) => id === one.id && root === one.root);
    const pid = now?.pid === undefined ? {} : { pid: now.pid };
    return { ...one, ...(now ? { state: now.state } : {}), ...pid };
  });
  return { data: { servers }, total: servers.length, doubts: [] };
}

/** Renders a line for each server, with its root if there are several. */
export function renderOutcomes({ servers }: Outcomes, ifNone: string): string {
  if (servers.length === 0) return ifNone;
  const isOneRoot = new Set(servers.map(({ root }) => root)).size === 1;
  return servers
    .map(({ id, root, outcome: became, state, pid, error }) => {
      const where = isOneRoot ? '' : ` in ${root}`;
      const now = [state?.replace('_', ' '), pid === undefined ? undefined : `pid ${pid}`];
      const facts = now.filter((fact) => fact !== undefined).join(', ');
      return `${id}${where}: ${sentences[became](facts, error ?? '')}`;
    })
    .join('\n');
}

const sentences: Record<ServerOutcome['outcome'], (facts: string, error: string) => string> = {
  restarted: (facts) => `restarted, now ${facts}.`,
  stopped: () => 'stopped. The next question that needs it starts it again.',
  not_running: (facts) => `not running (${facts}). The next question that needs it starts it.`,
  failed: (_facts, error) => `failed: ${error}`,
};

/** Reads the selection. As in get_server_status, `server` may be a language; an extension may have its dot. */
function toSelector({ server, language, extensions }: Given, known: readonly ServerStatus[]): ServerSelector {
  const isLanguage =
    language === undefined &&
    !known.some(({ id }) => id === server) &&
    known.some(({ languages }) => languages.some((one) => one === server));
  return {
    ...(isLanguage ? { language: server } : { server, language }),
    extensions: extensions?.map((one) => one.replace(/^\./, '')),
  };
}

function unknownServer(known: readonly ServerStatus[]): LspanError {
  const listed = known.filter(({ spare }) => !spare).slice(0, limits.named.servers);
  const servers = listed.map(nameOf);
  const message = `No such server is known for the files of this workspace, which has ${plural('server', servers.length)}: ${servers.join('; ')}.`;
  return new LspanError('invalid_input', message, {
    nextStep: 'Name one of these by `server`, `language` or `extensions`, or omit all for every server.',
  });
}
