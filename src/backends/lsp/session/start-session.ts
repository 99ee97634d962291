import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { beginCall, cancelSignalOf, within } from '../../../core/call.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { Log } from '../../../core/log.ts';
import type { CancelSignal } from '../../../core/runtime/cancellation.ts';
import { resultOrError } from '../../../core/runtime/result.ts';
import { ResponseError } from '../../../jsonrpc/message.ts';
import { hideHome } from '../../../platform/files/hide-home.ts';
import { isPathWithin } from '../../../platform/files/path-within.ts';
import { realFile } from '../../../platform/files/real-file.ts';
import type { RunFolder, ServerFolder } from '../../../platform/files/run-folder.ts';
import type { Command, ProcessTree } from '../../../platform/processes/process-tree.ts';
import { makeMemoryGroup } from '../../../platform/sandbox/memory-group.ts';
import type { Sandbox } from '../../../platform/sandbox/sandbox.ts';
import type { ProjectFacts, ServerDefinition } from '../../../servers/definition.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { checkoutsAround } from '../../../workspace/worktrees/checkout.ts';
import { memoryExceeded } from '../errors/memory-errors.ts';
import { notTrusted } from '../errors/server-errors.ts';
import type { Confinement } from '../process/confinement.ts';
import { findProgram, type Program } from '../process/find-program.ts';
import type { MemoryWatch } from '../process/memory-watch.ts';
import { absolutePathsIn } from '../process/named-paths.ts';
import { sandboxEnvironment, sandboxRules } from '../process/sandbox-rules.ts';
import { farVariables, serverEnvironment, temporaryVariables } from '../process/server-environment.ts';
import { type ConfinedProcess, ServerProcess } from '../process/server-process.ts';
import { DocumentAliases } from '../protocol/document-aliases.ts';
import { PathMapping } from '../protocol/path-mapping.ts';
import { type ConfinedCache, projectFacts } from './project-facts.ts';
import type { FindSlot } from './server-relay.ts';
import { Session, type SessionTimeouts } from './session.ts';
import { isBlockedByTrust, type TrustLookup } from './trust-gate.ts';

/** Everything that all sessions of a bridge share. */
export interface StartContext {
  readonly workspace: Workspace;
  readonly tree: ProcessTree;
  /** Contains the temporary folder of each server. */
  readonly runFolder: RunFolder;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly trusts: TrustLookup;
  readonly confinement: Confinement;
  readonly memory: MemoryWatch;
  /** Default memory limit of a server, in bytes. */
  readonly memoryMost: number;
  readonly log: Log;
  readonly timeouts?: SessionTimeouts;
  readonly trace?: (server: string, direction: 'to_server' | 'from_server', message: unknown) => void;
  readonly onProblems: (path: string) => void;
  readonly findSlot: FindSlot;
  /** Roots of other workspaces, whose content is not run either. */
  readonly besides?: readonly string[];
}

/** Starts and initializes a server; `adopt` receives its process. Leaves none if it fails or aborts. */
export async function startSession(...start: Parameters<typeof startOnce>): Promise<Session> {
  const [{ program }] = start;
  const { startAttempts = 1 } = program;
  for (let attempt = 1; attempt < startAttempts; attempt += 1) {
    const session = await startWherePossible(start).catch(asCrash);
    if (session) return session;
  }
  return startWherePossible(start);
}

/** Starts a server once more, without its sandbox, if that is what failed: to try the sandbox first takes longer. */
async function startWherePossible(start: Parameters<typeof startOnce>): Promise<Session> {
  const [definition, root, { confinement, trusts }, , signal] = start;
  const isConfined = confinement.sandboxFor(definition, trusts(root, definition)) !== undefined;
  const session = await startOnce(...start).catch(async (error: unknown) => {
    if (!isConfined || signal.aborted || !(await confinement.isImpossible())) throw error;
  });
  return session ?? startOnce(...start);
}

/** Swallows a crash, after which another attempt follows; rethrows any other error. */
function asCrash(error: unknown): undefined {
  if (!(error instanceof LspanError) || error.code !== 'server_crashed') throw error;
}

async function startOnce(
  definition: ServerDefinition,
  root: string,
  context: StartContext,
  adopt: (process: ServerProcess) => void,
  signal: CancelSignal,
): Promise<Session> {
  signal.throwIfAborted();
  const { trace, ...common } = context;
  const { workspace, tree, log } = common;
  const trust = context.trusts(root, definition);
  if (isBlockedByTrust(context.trusts, definition, root)) throw notTrusted(definition, trust);
  const paths = farPaths(definition, root, workspace);
  const temporary = context.runFolder.forServer();
  const sandbox = context.confinement.sandboxFor(definition, trust);
  const preparation = prepare(definition, root, context, temporary, sandbox);
  const { facts, program, command, confined, handshake } = preparation;
  const starting = ServerProcess.start(command, tree, log, confined);
  const process = await starting.catch((error: unknown) => {
    clean(temporary, confined);
    throw error;
  });
  adopt(process);
  process.exited.then(() => clean(temporary, confined));
  workspace.addLibraryRoots(definition.files?.libraryRoots?.(program.real, facts) ?? []);
  workspace.watchAlso(definition.files?.watchAlso ?? []);
  const session = new Session({
    ...common,
    definition,
    root,
    process,
    facts,
    checkouts: checkoutsOf(context),
    aliases: new DocumentAliases(paths),
    withheld: trust.granted ? undefined : definition.trust?.withheld?.(facts),
    ...handshake,
    ...serverPlace(definition, facts, workspace),
    ...(trace ? { trace: (direction, message) => trace(definition.id, direction, message) } : {}),
  });
  boundMemory(session, context);
  await shakeHands(session, signal);
  if (sandbox) context.confinement.prove();
  return session;
}

/** Returns how paths are mapped to where a server runs; `undefined` if it runs here. Throws if the root is not there. */
function farPaths(
  { id, far }: ServerDefinition,
  root: string,
  { roots }: Pick<Workspace, 'roots'>,
): PathMapping | undefined {
  if (!far) return undefined;
  const given = far.paths.map((pair) => ({ ...pair, near: realFile(pair.near)?.path ?? pair.near }));
  const mapping = new PathMapping(given.length > 0 ? given : roots.map((one) => ({ near: one, far: one })));
  if (mapping.covers(root)) return mapping;
  throw new LspanError('invalid_input', `${id} runs elsewhere, and its paths do not have ${root}.`, {
    nextStep: `Add the folder to paths of ${id} in your configuration, then restart_server.`,
  });
}

/** Everything about a start that is known before the process is. */
interface Preparation {
  readonly facts: ProjectFacts;
  readonly program: Program;
  readonly command: Command;
  readonly confined: ConfinedProcess | undefined;
  readonly handshake: {
    readonly settings: Readonly<Record<string, unknown>>;
    readonly initializationOptions: unknown;
  };
}

function prepare(
  definition: ServerDefinition,
  root: string,
  context: StartContext,
  temporary: ServerFolder,
  sandbox: Sandbox | undefined,
): Preparation {
  const { workspace, environment, confinement } = context;
  const trust = context.trusts(root, definition);
  const caches = sandbox ? newCache(definition) : undefined;
  const isElsewhere = definition.far !== undefined;
  const known = projectFacts(root, environment, trust, temporary, workspace, caches);
  const facts = { ...known, isElsewhere };
  const program = programOf(definition, context);
  // All hooks first: the folders that they make for the server are a part of its sandbox.
  const handshake = {
    settings: definition.handshake?.settings?.(facts, program.real) ?? {},
    initializationOptions: definition.handshake?.initializationOptions?.(facts, program.real),
  };
  const named = [
    ...workspace.roots,
    ...checkoutsOf(context),
    ...confinement.reads,
    ...absolutePathsIn(handshake),
    // The script of a server that the user runs by a command.
    ...[...program.args, ...definition.program.args]
      .filter((word) => isAbsolute(word))
      .map((script) => dirname(script)),
  ];
  const plain = plainCommand(definition, { facts, program, named }, context, sandbox !== undefined);
  if (!sandbox || !caches) return { facts, program, command: plain, confined: undefined, handshake };
  const { reads, hides } = confinement;
  const place = { roots: [...workspace.roots, ...reads], caches, hides };
  const rules = sandboxRules({ definition, command: plain, program, facts, ...place });
  const memoryGroup = makeMemoryGroup(memoryOf(definition, context) * limits.sandbox.memory);
  const command = { ...sandbox.confine(plain, rules), ...(memoryGroup ? { joins: memoryGroup.entry } : {}) };
  const { ownProcessNumbers, signalsAsCodes } = sandbox;
  return { facts, program, command, confined: { ownProcessNumbers, signalsAsCodes, memoryGroup }, handshake };
}

function checkoutsOf({ workspace, environment }: StartContext): readonly string[] {
  return checkoutsAround(workspace.roots, environment.HOME);
}

function newCache({ id }: ServerDefinition): ConfinedCache {
  return { server: id, writable: new Set(), filled: new Set() };
}

/** The command as it runs without a sandbox. */
function plainCommand(
  { program: rules, confinement, far }: ServerDefinition,
  { facts, program, named }: Pick<Preparation, 'facts' | 'program'> & { readonly named: readonly string[] },
  { environment, workspace, log, besides = [] }: StartContext,
  isConfined: boolean,
): Command {
  const { args: fixed, rootArgs, untrustedArgs = [], workingFolder, env: ours, rootEnv } = rules;
  const limiting = facts.trusted ? [] : untrustedArgs;
  const own = {
    ...(far && farVariables(environment)),
    ...(isConfined ? sandboxEnvironment(facts) : ownTemporary(facts, log)),
    ...rootEnv?.(facts, program.real, named),
    ...ours,
    ...(isConfined ? confinement?.env?.(facts) : {}),
  };
  return {
    file: program.file,
    args: [...program.args, ...fixed, ...(rootArgs?.(facts) ?? []), ...limiting],
    env: serverEnvironment(environment, [...workspace.roots, ...besides], own),
    cwd: workingFolder?.(facts) ?? facts.root,
  };
}

/** Without a folder of its own, such as on a full disk, a server uses that of the user. */
function ownTemporary({ temporary }: ProjectFacts, log: Log): Readonly<Record<string, string>> {
  const folder = resultOrError(temporary);
  if (typeof folder === 'string') return temporaryVariables(folder);
  log('warn', 'no_temporary_folder', { reason: folder.message });
  return {};
}

function clean(temporary: ServerFolder, confined: ConfinedProcess | undefined): void {
  temporary.remove();
  confined?.memoryGroup?.remove();
}

function memoryOf({ program }: ServerDefinition, { memoryMost }: Pick<StartContext, 'memoryMost'>): number {
  return program.memory ?? memoryMost;
}

function boundMemory(session: Session, context: StartContext): void {
  const { process, definition } = session;
  const most = memoryOf(definition, context);
  const exceeded = (used: number) => session.fail(memoryExceeded(definition, used, most));
  process.exited.then(context.memory.watch(process.pid, most, exceeded));
}

/** Finds the program of a definition; throws `not_installed`. */
export function programOf(definition: ServerDefinition, context: StartContext): Program {
  const { workspace, environment, besides = [] } = context;
  const { id, install, program } = definition;
  const roots = [...workspace.roots, ...besides];
  return findProgram(program.sources, { server: id, install, roots, environment });
}

async function shakeHands(session: Session, signal: CancelSignal): Promise<void> {
  const time = session.definition.program.initializeTimeout ?? limits.initialize.timeout;
  const call = beginCall({ time }, signal);
  try {
    await session.initialize(cancelSignalOf(call));
  } catch (error) {
    session.process.kill();
    await within(session.process.exited, limits.stop.kill);
    signal.throwIfAborted();
    throw cancelSignalOf(call).aborted
      ? noAnswer(session.definition, time, error)
      : refusal(session.definition, error);
  } finally {
    call[Symbol.dispose]();
  }
}

function noAnswer({ id }: ServerDefinition, time: number, cause: unknown): LspanError {
  return new LspanError('server_crashed', `${id} did not answer within ${time / 1000} s of its start.`, {
    cause,
    nextStep: 'get_server_status shows its last output; the user can raise initialize_timeout_s.',
  });
}

function refusal({ id }: ServerDefinition, error: unknown): unknown {
  if (!(error instanceof ResponseError)) return error;
  const said = hideHome(error.message).slice(0, limits.stderrLine);
  return new LspanError('server_crashed', `${id} answered initialize with error ${error.code}: ${said}`, {
    cause: error,
    nextStep: 'Fix what it reports, then call again. get_server_status shows its last output.',
  });
}

/** Where the server works, as `initialize` tells it. */
function serverPlace(definition: ServerDefinition, facts: ProjectFacts, workspace: Workspace) {
  const { rootFolder, rootIsOnlyFolder } = definition.projects ?? {};
  if (rootFolder !== undefined) {
    const folder = resolve(facts.root, rootFolder);
    return { rootFolder: folder, folders: [folder] };
  }
  const folders = projectFolders(definition, facts, workspace);
  const [only, ...others] = folders;
  const isOnly = rootIsOnlyFolder === true && others.length === 0;
  return { rootFolder: (isOnly ? only : undefined) ?? facts.root, folders };
}

/** Workspace folders to report to a server: the root, or its projects if the definition asks for them. */
function projectFolders(
  { projects: { workspaceFolders } = {} }: ServerDefinition,
  facts: ProjectFacts,
  workspace: Workspace,
): readonly string[] {
  const { root } = facts;
  if (!workspaceFolders || workspaceFolders.areJoined?.(facts)) return [root];
  const names = new Set(workspaceFolders.markers);
  const found = new Set<string>();
  for (const file of workspace.files()) {
    if (!names.has(basename(file)) || !isPathWithin(root, file)) continue;
    found.add(joinedAt(dirname(file), workspaceFolders.unless, facts) ?? dirname(file));
  }
  return found.size === 0 ? [root] : [...found].sort().slice(0, limits.loadedProjects);
}

/** Nearest folder up to the root with one of the names; looks on the disk, as they are often ignored. */
function joinedAt(folder: string, names: readonly string[], facts: ProjectFacts): string | undefined {
  if (names.some((name) => facts.exists(join(folder, name)))) return folder;
  return folder === facts.root ? undefined : joinedAt(dirname(folder), names, facts);
}
