import type { Doubt } from '../../../core/doubts.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { Trust } from '../../../core/trust.ts';
import { nameSome } from '../../../core/wording/name-some.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';

/** Error: the call ended before the server was up. */
export function stillStarting({ id, program }: ServerDefinition, since: number): LspanError {
  const elapsed = Math.round((performance.now() - since) / 1000);
  const most = (program.initializeTimeout ?? limits.initialize.timeout) / 1000;
  return new LspanError('starting', `${id} has been starting for ${elapsed} s (limit: ${most} s).`, {
    nextStep: 'Call again: it is still starting.',
  });
}

/** Error: the call ended before its turn; says what the server was asked about instead. */
export function keptWaiting({ id }: ServerDefinition, what: string, error: unknown): never {
  if (!(error instanceof LspanError) || error.code !== 'timed_out') throw error;
  throw new LspanError('busy', `${id} was busy with ${what} all the time.`, {
    cause: error,
    nextStep: 'Call again in a moment.',
  });
}

/** Error: the server stopped responding and was ended. */
export function hung({ id }: ServerDefinition, silence: number): LspanError {
  return new LspanError('server_crashed', `${id} did not respond for ${silence / 1000} s and was stopped.`, {
    nextStep: 'Call again: lspan restarts the server. get_server_status shows its last output.',
  });
}

/** Error: the server closed a pipe that it needs. */
export function halfOpen({ id }: ServerDefinition, part: 'stdin' | 'stdout'): LspanError {
  return new LspanError('server_crashed', `${id} closed its ${part} while still running.`, {
    nextStep: 'Call again: lspan restarts the server. get_server_status shows its last output.',
  });
}

/** Error: the server was stopped on purpose. */
export function stopped({ id }: ServerDefinition): LspanError {
  return new LspanError('cancelled', `${id} was stopped.`, {
    retryable: true,
    nextStep: 'Call again: lspan restarts the server.',
  });
}

/** Error: the server is not started because it crashed too often. */
export function breakerOpen(
  { id }: ServerDefinition,
  time: number,
  last: LspanError | undefined,
): LspanError {
  const { crashes, window } = limits.restart;
  const message = `${id} crashed ${crashes} times within ${window / 60_000} minutes; it can restart in ${Math.ceil(time / 1000)} s.`;
  return new LspanError('server_crashed', last ? `${message} ${last.message}` : message, {
    cause: last,
    nextStep: 'get_server_status shows its last output. Call again after that time.',
  });
}

/** Why a server was restarted: it crashed during the call, or was ended before it for the memory of all servers. */
export type RestartCause = 'crash' | 'memory';

/** Error: a restarted server found nothing, and may not know yet. */
export function emptyAfterRestart({ id }: ServerDefinition, cause: RestartCause): LspanError {
  const message = `${id} ${restartCauses[cause]} and returned nothing after its restart.`;
  return new LspanError('server_unverified', message, { nextStep: 'Call again.' });
}

/** Doubt about the answer of a restarted server. */
export function restartedDoubt({ id }: ServerDefinition, cause: RestartCause): Doubt {
  return {
    kind: 'server_restarted',
    server: id,
    detail: `${id} ${restartCauses[cause]} and was restarted. Call again to be sure.`,
  };
}

const restartCauses: Readonly<Record<RestartCause, string>> = {
  crash: 'crashed during this call',
  memory: 'was stopped because all language servers used too much memory',
};

/** Doubt about the answer of a server that must restart, but could not because other calls were using it. */
export function outdatedDoubt({ id }: ServerDefinition): Doubt {
  return {
    kind: 'project_not_loaded',
    server: id,
    detail: `${id} has not yet read changes of its configuration, libraries or trust, because other calls are using it. Call again.`,
  };
}

/** Error: only a server that would run the repository's code could answer. */
export function notTrusted(definition: ServerDefinition, trust: Trust): LspanError {
  return new LspanError('refused', whyBlocked(definition, trust), { nextStep: afterReview });
}

/** The line of the status about a server that is not run. */
export function blockedByTrust(definition: ServerDefinition, trust: Trust): string {
  return `${whyBlocked(definition, trust)} ${afterReview}`;
}

/** Doubt about the missing answer of a server that is not run. */
export function blockedByTrustDoubt(
  { id, trust: { answersWithout } = {} }: ServerDefinition,
  trust: Trust,
): Doubt {
  const what = `${id} is not ${answersWithout ? 'asked' : 'run'}`;
  const why = trust.brief === undefined ? ': it runs code of this repository.' : '.';
  const detail = `${what}${why} ${howToTrust(trust)}`;
  return { kind: 'not_trusted', server: id, detail };
}

function whyBlocked({ id, trust }: ServerDefinition, { reason }: Trust): string {
  const { runs = 'code', answersWithout } = trust ?? {};
  return `${id} is not ${answersWithout ? 'asked' : 'run'}, because it would run ${runs} of this repository. ${reason}`;
}

/** Doubt about what a server omits without trust, although it runs. */
export function partlyBlockedByTrust({ id }: ServerDefinition, what: string, trust: Trust): Doubt {
  return { kind: 'not_trusted', server: id, detail: `${what} ${howToTrust(trust)}` };
}

/** Doubt about the answer of a server that was kept from reading files outside the workspace, by their shown paths. */
export function unreadDoubt({ id }: ServerDefinition, files: readonly string[]): readonly Doubt[] {
  if (files.length === 0) return [];
  const detail = `${id} does not read ${nameSome(files)}, outside the workspace. The user can allow it: \`--additional-root DIR\`.`;
  return [{ kind: 'not_trusted', server: id, detail }];
}

/** Doubt about the answer of a server that reports trouble with the project. */
export function reportsTrouble({ id }: ServerDefinition, words: string): Doubt {
  const said = words.trim().split('\n', 1)[0]?.slice(0, limits.trouble);
  return { kind: 'project_not_loaded', server: id, detail: `${id} reports: ${said}` };
}

/** Only a person can grant trust: no tool and no file of the repository can. */
function howToTrust({ brief }: Trust): string {
  return brief === undefined
    ? 'The user can allow it: `lspan trust DIR`.'
    : `${brief}: see \`lspan trust DIR\`.`;
}

const afterReview =
  'After reviewing the repository, the user can allow it with `lspan trust DIR`, where DIR is the workspace folder.';

/** Doubts a list of symbols that reaches the server's cap: there may be more. */
export function cappedDoubts(
  { id, search: { symbolCap } = {} }: ServerDefinition,
  kind: string,
  size: number,
): readonly Doubt[] {
  if (kind !== 'symbols' || symbolCap === undefined || size < symbolCap) return [];
  const detail = `${id} returns at most ${symbolCap} symbols; a longer name finds the others.`;
  return [{ kind: 'capped', server: id, detail }];
}

/** Error: a process that the server depends on has died, so that its answers are wrong, though it lives. */
export function childDied({ id }: ServerDefinition): LspanError {
  return new LspanError('server_crashed', `A process that ${id} depends on has died.`, {
    nextStep: 'Call again: lspan restarts the server.',
  });
}
