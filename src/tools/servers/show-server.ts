import { z } from 'zod';
import type { ServerStatus } from '../../core/backend.ts';
import { limits } from '../../core/limits.ts';
import { plural } from '../show/render-location.ts';

/** The state of one server as data. */
export const shownServer = z.object({
  id: z.string(),
  root: z.string(),
  languages: z.array(z.string()),
  state: z.enum([
    'not_started',
    'starting',
    'indexing',
    'ready',
    'running',
    'stopped',
    'crashed',
    'not_installed',
    'not_trusted',
  ]),
  doing: z.string().optional(),
  indexing_seconds: z.int().optional(),
  standby_for: z.string().optional(),
  pid: z.int().optional(),
  confined: z.literal(true).optional(),
  version: z.string().optional(),
  answers: z.array(z.string()).optional(),
  command: z.string().optional(),
  origin: z.string().optional(),
  uptime_seconds: z.int().optional(),
  memory_mb: z.int().optional(),
  restarts: z.int(),
  open_documents: z.int(),
  last_exit: z.object({ how: z.string(), seconds_ago: z.int(), lived_seconds: z.int() }).optional(),
  left_alone_seconds: z.int().optional(),
  daemons_ended: z.array(z.string()),
  doubts: z.array(z.object({ kind: z.string(), detail: z.string() })),
  last_errors: z.array(z.string()),
  last_stderr: z.array(z.string()),
  writes: z.array(z.string()),
  install: z.string().optional(),
});

export type ShownServer = z.output<typeof shownServer>;

/** Converts a status for an answer; `closely` adds the questions that the server answers. */
export function toShownServer(status: ServerStatus, closely = false): ShownServer {
  const { id, root, state, pid, confined, version, command, origin, restarts, install } = status;
  const { standbyFor, loading, uptimeSeconds, memoryBytes, lastExit, leftAloneSeconds } = status;
  const optional = {
    pid,
    confined,
    version,
    command,
    origin,
    install,
    answers: closely && status.answers ? [...status.answers] : undefined,
    doing: loading?.doing,
    indexing_seconds: loading?.seconds,
    standby_for: standbyFor,
    uptime_seconds: uptimeSeconds,
    memory_mb: memoryBytes === undefined ? undefined : Math.round(memoryBytes / 1024 ** 2),
    left_alone_seconds: leftAloneSeconds,
    last_exit: lastExit && {
      how: lastExit.how,
      seconds_ago: lastExit.secondsAgo,
      lived_seconds: lastExit.livedSeconds,
    },
  };
  return {
    id,
    root,
    languages: [...status.languages],
    state,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    restarts,
    open_documents: status.openDocuments,
    daemons_ended: [...status.daemonsEnded],
    doubts: status.doubts.map(({ kind, detail }) => ({ kind, detail })),
    last_errors: [...status.lastErrors],
    last_stderr: [...status.lastWords],
    writes: [...status.writes],
  };
}

/** Renders a server in a few lines, a missing one in one line; `withRoot` if there are several roots. */
export function renderServer(server: ShownServer, withRoot: boolean): string {
  const { state, root } = server;
  const name = `${nameOf(server)}${withRoot ? ` in ${root}` : ''}`;
  const facts = [renderState(server), ...factsOf(server)].join(', ');
  const install = state === 'not_installed' && server.install ? `. ${server.install}` : '';
  return [`${name}: ${facts}${install}`, ...remarksOf(server).map((line) => `  ${line}`)].join('\n');
}

/** Renders a server with its languages, if it names any. */
export function nameOf({ id, languages }: Pick<ServerStatus, 'id' | 'languages'>): string {
  return languages.length === 0 ? id : `${id} (${languages.join(', ')})`;
}

function renderState({ state, doing, indexing_seconds }: ShownServer): string {
  if (indexing_seconds === undefined) return state.replace('_', ' ');
  return `indexing for ${indexing_seconds} s${doing === undefined ? '' : ` (${doing})`}`;
}

function factsOf(server: ShownServer): readonly string[] {
  return [
    server.version,
    server.pid === undefined ? undefined : `pid ${server.pid}`,
    server.confined ? 'confined' : undefined,
    server.uptime_seconds === undefined ? undefined : `up ${server.uptime_seconds} s`,
    server.memory_mb === undefined ? undefined : `${server.memory_mb} MB`,
    server.open_documents > 0 ? plural('open document', server.open_documents) : undefined,
    server.restarts > 0 ? plural('restart', server.restarts) : undefined,
  ].filter((fact) => fact !== undefined);
}

function remarksOf(server: ShownServer): readonly string[] {
  const { command, origin, standby_for, last_exit, daemons_ended } = server;
  return [
    command === undefined ? undefined : `program ${command} (${origin})`,
    server.answers && `answers ${server.answers.join(', ')}`,
    standby_for === undefined ? undefined : `standby: ${standby_for} is asked first`,
    last_exit &&
      `last exit: ${last_exit.how}, ${last_exit.seconds_ago} s ago, after ${last_exit.lived_seconds} s`,
    daemons_ended.length > 0 ? `leftover processes, ended: ${daemons_ended.join(', ')}` : undefined,
    ...server.writes.map((path) => `writes ${path}`),
    ...server.doubts.map(({ kind, detail }) => `answers may be incomplete (${kind}): ${detail}`),
    ...server.last_errors.map((line) => `! ${line}`),
    ...server.last_stderr.slice(-limits.stderrInStatus).map((line) => `stderr: ${line}`),
  ].filter((line) => line !== undefined);
}
