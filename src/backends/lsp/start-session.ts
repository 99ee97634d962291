import { beginCall } from '../../core/call.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Log } from '../../core/log.ts';
import type { Trust } from '../../core/trust.ts';
import type { ProcessTree } from '../../platform/process-tree.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { findProgram, type Program } from './find-program.ts';
import { ResponseError } from './message.ts';
import { projectFacts } from './project-facts.ts';
import type { ServerDefinition } from './server-definition.ts';
import { serverEnvironment } from './server-environment.ts';
import { ServerProcess } from './server-process.ts';
import { Session } from './session.ts';

/** What is the same for every session of a bridge. */
export interface Surroundings {
  readonly workspace: Workspace;
  readonly tree: ProcessTree;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly trusts: (root: string) => Trust;
  readonly log: Log;
  readonly trace?: (server: string, direction: 'to_server' | 'from_server', message: unknown) => void;
  readonly onProblems: (path: string) => void;
}

/** Starts a server and shakes hands with it; leaves no process when it fails or the signal aborts. */
export async function startSession(
  definition: ServerDefinition,
  root: string,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<Session> {
  signal.throwIfAborted();
  const { trace, ...common } = surroundings;
  const { workspace, tree, environment, log } = common;
  const facts = projectFacts(root, environment, surroundings.trusts(root));
  const program = programOf(definition, surroundings);
  const args = [...program.args, ...definition.args];
  const env = serverEnvironment(environment, workspace.roots, definition.env);
  const process = await ServerProcess.start({ file: program.file, args, env, cwd: root }, tree, log);
  workspace.addLibraryRoots(definition.libraryRoots?.(program.real, facts) ?? []);
  workspace.watchAlso(definition.watchAlso ?? []);
  const session = new Session({
    ...common,
    definition,
    root,
    process,
    facts,
    settings: definition.settings?.(facts) ?? {},
    initializationOptions: definition.initializationOptions?.(facts),
    ...(trace ? { trace: (direction, message) => trace(definition.id, direction, message) } : {}),
  });
  await shakeHands(session, signal);
  return session;
}

/** The program of a definition; throws `not_installed`. */
export function programOf(definition: ServerDefinition, surroundings: Surroundings): Program {
  const { workspace, environment } = surroundings;
  const { id, install, program } = definition;
  return findProgram(program, { server: id, install, roots: workspace.roots, environment });
}

async function shakeHands(session: Session, signal: AbortSignal): Promise<void> {
  const time = session.definition.initializeTimeout ?? limits.initialize.timeout;
  const call = beginCall({ time }, signal);
  try {
    await session.initialize(call.signal);
  } catch (error) {
    session.process.kill();
    signal.throwIfAborted();
    throw call.signal.aborted
      ? noAnswer(session.definition, time, error)
      : refusal(session.definition, error);
  } finally {
    call[Symbol.dispose]();
  }
}

function noAnswer({ id }: ServerDefinition, time: number, cause: unknown): LspanError {
  return new LspanError('server_crashed', `${id} did not answer within ${time / 1000} s of its start.`, {
    cause,
    nextStep: 'get_server_status shows what it last said; a longer initialize_timeout_s can be configured.',
  });
}

function refusal({ id }: ServerDefinition, error: unknown): unknown {
  if (!(error instanceof ResponseError)) return error;
  const said = error.message.slice(0, limits.stderrLine);
  return new LspanError('server_crashed', `${id} answered initialize with error ${error.code}: ${said}`, {
    cause: error,
    nextStep:
      'Put right what it complains about, then call again. get_server_status shows what it last said.',
  });
}
