import type { Doubt } from '../../../core/doubts.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { Trust } from '../../../core/trust.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';

/** What a call is told that ended before the server was up. */
export function stillStarting({ id, program }: ServerDefinition, since: number): LspanError {
  const elapsed = Math.round((performance.now() - since) / 1000);
  const most = (program.initializeTimeout ?? limits.initialize.timeout) / 1000;
  return new LspanError('starting', `${id} has been starting for ${elapsed} s, of at most ${most} s.`, {
    nextStep: 'Call again: the start goes on meanwhile.',
  });
}

/** What a call is told that ended before it was its turn: what the server was asked about instead. */
export function keptWaiting({ id }: ServerDefinition, what: string, error: unknown): never {
  if (!(error instanceof LspanError) || error.code !== 'timed_out') throw error;
  throw new LspanError('busy', `${id} was being asked about ${what} all the time.`, {
    cause: error,
    nextStep: 'Call again in a moment.',
  });
}

/** What a call is told whose server has stopped reacting and was ended for that. */
export function hung({ id }: ServerDefinition, silence: number): LspanError {
  return new LspanError('server_crashed', `${id} did not react for ${silence / 1000} s and was ended.`, {
    nextStep: 'Call again: lspan starts the server anew. get_server_status shows what it last said.',
  });
}

/** What a call is told whose server closed a pipe without which it cannot be asked. */
export function halfOpen({ id }: ServerDefinition, part: 'stdin' | 'stdout'): LspanError {
  return new LspanError('server_crashed', `${id} closed its ${part} although it went on running.`, {
    nextStep: 'Call again: lspan starts the server anew. get_server_status shows what it last said.',
  });
}

/** What a call is told whose server took more memory than it may. */
export function memoryExceeded({ id }: ServerDefinition, used: number, most: number): LspanError {
  const message = `${id} and what it started took ${megabytes(used)} of memory, of at most ${megabytes(most)}, and was ended.`;
  return new LspanError('memory_limit', message, {
    retryable: true,
    nextStep: `Ask about less at once, or let the user raise memory_mb, under [limits] or of ${id}, in the user configuration.`,
  });
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MB`;
}

/** What a call is told whose server was stopped on purpose. */
export function stopped({ id }: ServerDefinition): LspanError {
  return new LspanError('cancelled', `${id} was stopped.`, {
    retryable: true,
    nextStep: 'Call again: lspan starts the server anew.',
  });
}

/** What a call is told while the server is not started because it crashed too often. */
export function breakerOpen(
  { id }: ServerDefinition,
  time: number,
  last: LspanError | undefined,
): LspanError {
  const { crashes, window } = limits.restart;
  const message = `${id} crashed ${crashes} times within ${window / 60_000} minutes and is left alone for ${Math.ceil(time / 1000)} s more.`;
  return new LspanError('server_crashed', last ? `${message} ${last.message}` : message, {
    cause: last,
    nextStep: 'get_server_status shows its last words. It is tried again when that time is over.',
  });
}

/** What a call is told to which a server that was started anew found nothing: it may not know yet. */
export function emptyAfterCrash({ id }: ServerDefinition): LspanError {
  const message = `${id} crashed during this call, and knew nothing after its restart.`;
  return new LspanError('server_unverified', message, { nextStep: 'Call again.' });
}

/** The doubt about what a server that was started anew has answered. */
export function restartedDoubt({ id }: ServerDefinition): Doubt {
  return {
    kind: 'server_restarted',
    server: id,
    detail: `${id} crashed during this call and was started anew. Call again to be sure.`,
  };
}

/** The doubt about what a server has answered that could not be started anew, because others were using it. */
export function outdatedDoubt({ id }: ServerDefinition): Doubt {
  return {
    kind: 'project_not_loaded',
    server: id,
    detail: `${id} has not yet read what has changed in its configuration, libraries or trust, because other calls were using it. Call again.`,
  };
}

/** What a call is told that only a server could answer which would run the repository's code. */
export function notTrusted(definition: ServerDefinition, trust: Trust): LspanError {
  return new LspanError('refused', whyBlocked(definition, trust), { nextStep: howToTrust });
}

/** The doubt about what a server that is not run would have said. */
export function blockedByTrustDoubt(definition: ServerDefinition, trust: Trust): Doubt {
  const detail = `${whyBlocked(definition, trust)} ${howToTrust}`;
  return { kind: 'not_trusted', server: definition.id, detail };
}

function whyBlocked({ id, trust }: ServerDefinition, { reason }: Trust): string {
  const { runs = 'code', answersWithout } = trust ?? {};
  return `${id} is not ${answersWithout ? 'asked' : 'run'}, because it would run ${runs} of this repository. ${reason}`;
}

/** The doubt about what a server leaves out that it runs all the same. */
export function partlyBlockedByTrust({ id }: ServerDefinition, what: string, { reason }: Trust): Doubt {
  return { kind: 'not_trusted', server: id, detail: `${what} ${reason} ${howToTrust}` };
}

/** The doubt about what a server finds in a project of which it says itself that something is wrong with it. */
export function reportsTrouble({ id }: ServerDefinition, words: string): Doubt {
  const said = words.trim().split('\n', 1)[0]?.slice(0, limits.trouble);
  return { kind: 'project_not_loaded', server: id, detail: `${id} reports: ${said}` };
}

/** Only a person can grant it: no tool and no file of the repository. */
const howToTrust =
  'A person who has looked at the repository can allow it with `lspan trust DIR`, DIR being the folder of the workspace.';

/** A server that gives just as many symbols as it ever gives may know more. */
export function cappedDoubts(
  { id, search: { symbolCap } = {} }: ServerDefinition,
  kind: string,
  size: number,
): readonly Doubt[] {
  if (kind !== 'symbols' || symbolCap === undefined || size < symbolCap) return [];
  const detail = `${id} gives at most ${symbolCap} symbols; a longer name finds the others.`;
  return [{ kind: 'capped', server: id, detail }];
}

/** The end of a server that answers nothing rightly any more, though it lives. */
export function childDied({ id }: ServerDefinition): LspanError {
  return new LspanError('server_crashed', `A process that ${id} depends on has died.`, {
    nextStep: 'Call again: lspan starts the server anew.',
  });
}
