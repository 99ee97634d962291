import { z } from 'zod';
import type { ServerOutcome, ServerSelector, ServerStatus } from '../../core/backend.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { maxTokens } from '../run/paging-fields.ts';
import type { Result, ToolContext } from '../run/tool.ts';
import { plural } from '../show/render-location.ts';
import { nameOf } from './show-server.ts';

const name = z.string().min(1).max(limits.input.extensions);

/** The fields by which an agent says which servers it means; all where it says nothing. */
export const serverFields = {
  server: name.optional().describe('Id; all if nothing is given'),
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

/** What became of each server. */
export const serverOutcomes = z.object({ servers: z.array(outcome) });

type Outcomes = z.output<typeof serverOutcomes>;

/** Does something to the servers that are meant, and tells how each is afterwards. */
export async function onServers(
  context: ToolContext,
  given: Given,
  act: (selector: ServerSelector) => Promise<readonly ServerOutcome[]>,
): Promise<Result<Outcomes>> {
  const before = await context.backend.servers.status();
  const selector = selectorOf(given, before);
  const outcomes = await act(selector);
  if (outcomes.length === 0 && Object.values(selector).some((part) => part !== undefined))
    throw unknownServer(before);
  const after = await context.backend.servers.status();
  const servers = outcomes.map((one) => {
    const now = after.find(({ id, root }) => id === one.id && root === one.root);
    const pid = now?.pid === undefined ? {} : { pid: now.pid };
    return { ...one, ...(now ? { state: now.state } : {}), ...pid };
  });
  return { data: { servers }, total: servers.length, doubts: [] };
}

/** A line for each; several roots are told apart. */
export function renderOutcomes({ servers }: Outcomes, nobody: string): string {
  if (servers.length === 0) return nobody;
  const isOneRoot = new Set(servers.map(({ root }) => root)).size === 1;
  return servers
    .map(({ id, root, outcome: became, state, pid, error }) => {
      const where = isOneRoot ? '' : ` in ${root}`;
      const now = [state?.replace('_', ' '), pid === undefined ? undefined : `pid ${pid}`];
      const facts = now.filter((fact) => fact !== undefined).join(', ');
      return `${id}${where}: ${words[became](facts, error ?? '')}`;
    })
    .join('\n');
}

const words: Record<ServerOutcome['outcome'], (facts: string, error: string) => string> = {
  restarted: (facts) => `restarted, now ${facts}.`,
  stopped: () => 'stopped. The next question that needs it starts it again.',
  not_running: (facts) => `does not run (${facts}). The next question that needs it starts it.`,
  failed: (_facts, error) => `failed: ${error}`,
};

/** As get_server_status does, a language passes for an id; an extension may have its dot. */
function selectorOf({ server, language, extensions }: Given, known: readonly ServerStatus[]): ServerSelector {
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
    nextStep:
      'Name one of these by `server`, its `language` or `extensions`, or leave all out for every server.',
  });
}
