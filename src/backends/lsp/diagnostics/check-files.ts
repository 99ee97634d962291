import type { Reply } from '../../../core/backend.ts';
import { type Call, cancelSignalOf, timeLeft, withinPart } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { asLspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { FileProblems } from '../../../core/problems.ts';
import { inBatches } from '../../../core/runtime/in-parallel.ts';
import { compareTexts } from '../../../core/wording/compare-texts.ts';
import { unsavedImportDoubts } from '../doubts/unsaved-imports.ts';
import { restartedDoubt } from '../errors/server-errors.ts';
import { collectReplies } from '../routing/collect-answers.ts';
import type { ProjectLoader, ProjectMembership } from '../search/load-projects.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import type { Session } from '../session/session.ts';
import { askClosed, checksClosed } from './ask-closed.ts';
import { askDiagnostics } from './ask-diagnostics.ts';
import { awaitConfigurations } from './await-configurations.ts';
import type { CheckMemory } from './check-memory.ts';
import type { DiagnosticsContext } from './file-diagnostics.ts';
import { pullOptions } from './pull-diagnostics.ts';
import type { ServerWorkspaceDiagnostics } from './server-diagnostics.ts';

/** Sources of problems, with what earlier checks have found. */
export interface CheckContext extends DiagnosticsContext {
  readonly projects: ProjectLoader;
  readonly memory: CheckMemory;
}

/** The files that one server is to check. */
export interface WantedFiles {
  readonly files: readonly string[];
  /** True if files of no project are meant too. */
  readonly isNamed: boolean;
}

/**
 * Checks files with one server, as far as the time of the call goes: those that changed and their dependents first, then
 * project by project. What is known from an earlier check is not asked for again.
 */
export async function checkFiles(
  context: CheckContext,
  slot: ServerSlot,
  { files, isNamed }: WantedFiles,
  call: Call,
): Promise<Reply<ServerWorkspaceDiagnostics>> {
  const { memory, projects } = context;
  const session = slot.session?.alive
    ? slot.session
    : (await slot.useWithin('diagnostics', call, itself)).value;
  const membership = await projects.membership(session);
  const isMember = (path: string) =>
    isNamed || membership?.hasProjects !== true || !membership.loose.has(path);
  const members = files.filter(isMember);
  const results = new Map<string, FileProblems>();
  const sweep = { files: members, membership, results };
  const doubts = [...(await checkEach(context, slot, sweep, call))];
  const imported = await importedBeside(context, slot, files, isMember);
  if (imported.length > 0)
    doubts.push(...(await checkEach(context, slot, { ...sweep, files: imported }, call)));
  const wanted = [...members, ...imported];
  const found = wanted.flatMap((path) => results.get(path) ?? memory.said(slot, path) ?? []);
  const known = new Map(found.map((file) => [file.path, file]));
  const left = wanted.filter((path) => !known.has(path));
  const standing = slot.session?.doubtsAbout('diagnostics') ?? [];
  return {
    answer: {
      slot,
      extent: left.length === 0 ? 'whole' : 'partly',
      files: known,
      left,
      outside: files.length - wanted.length,
    },
    doubts: [...doubts, ...standing, ...(await unsavedImportDoubts(slot, context.workspace, call))],
  };
}

/** Returns the files that are listed by no project, but imported by files of one. */
async function importedBeside(
  { memory }: CheckContext,
  { definition }: ServerSlot,
  files: readonly string[],
  isMember: (path: string) => boolean,
): Promise<readonly string[]> {
  const { importedFiles } = definition.projects ?? {};
  const loose = files.filter((path) => !isMember(path) && importedFiles?.test(path) === true);
  if (loose.length === 0) return [];
  await memory.learn();
  const own = new Set(files.filter(isMember));
  return [...memory.graph.importedAmong(loose, (path) => own.has(path))];
}

/** The files that a server checks, and where the results go. */
interface Sweep {
  readonly files: readonly string[];
  readonly membership: ProjectMembership | undefined;
  readonly results: Map<string, FileProblems>;
  /** True if the server answered so fast before that more may be asked at once. */
  readonly isQuick?: boolean;
}

/** Asks about files in turns, until all are checked or the time is over. */
async function checkEach(
  context: CheckContext,
  slot: ServerSlot,
  { files, membership, results }: Sweep,
  call: Call,
): Promise<readonly Doubt[]> {
  const { id } = slot.definition;
  const queue = inOrder(files, slot, context.memory, membership);
  const doubts: Doubt[] = [];
  let isQuick = false;
  for (let at = 0; at < queue.length && timeLeft(call) >= limits.check.least; ) {
    if (at > 0) call.report(`${id} has checked ${files.length - queue.length + at} of ${files.length} files`);
    const paths = queue.slice(at, at + (isQuick ? limits.check.quick.turn : limits.check.turn));
    const reply = checkTurn(context, slot, { files: paths, membership, results, isQuick }, call);
    const { replies, doubts: failures } = await collectReplies([{ server: id, reply }], { lenient: true });
    doubts.push(...replies.flatMap((turn) => turn.doubts), ...failures);
    const [turn] = replies;
    if (turn === undefined || failures.length > 0) break;
    at += paths.length;
    isQuick = turn.isQuick;
  }
  return doubts;
}

async function itself(session: Session): Promise<Session> {
  return session;
}

/** Returns the files to ask about: those that were never asked about before those that gave no certain answer. */
function inOrder(
  files: readonly string[],
  slot: ServerSlot,
  memory: CheckMemory,
  membership: ProjectMembership | undefined,
): string[] {
  const meant = new Set(files);
  const urgent = memory.urgent.filter((path) => meant.has(path));
  const projectOf = (path: string) => membership?.doors.get(path) ?? '';
  const rest = [...files].sort((a, b) => compareTexts(projectOf(a), projectOf(b)) || compareTexts(a, b));
  const all = [...new Set([...urgent, ...rest])];
  const isNew = (path: string) => memory.said(slot, path) === undefined;
  return [
    ...all.filter(isNew),
    ...all.filter((path) => !isNew(path) && isWorthRepeating(memory.said(slot, path))),
  ];
}

/** A server that is mute about a file would say no more if it were asked again. */
function isWorthRepeating(file: FileProblems | undefined): boolean {
  return file?.state !== 'fresh' && file?.unheard.every((server) => file.mute?.includes(server)) !== true;
}

/** What a turn came to. */
interface Turn {
  readonly isQuick: boolean;
  readonly doubts: readonly Doubt[];
}

/** Asks about the files of one turn, after which others may use the server. */
async function checkTurn(
  { workspace, memory }: CheckContext,
  slot: ServerSlot,
  { files: paths, membership, results, isQuick = false }: Sweep,
  call: Call,
): Promise<Turn> {
  const generation = await memory.settle();
  const work = async (session: Session, inner: Call) => {
    const unopened = answersUnopened(session, membership);
    const wanted = toOpen(session, paths, membership);
    const opened = wanted.filter((path) => !session.documents.isOpen(path));
    await session.documents.sync([], wanted);
    const doubts = await session.ready(inner);
    const answered: number[] = [];
    await inBatches(paths, atOnce(session, isQuick), async (path) => {
      if (cancelSignalOf(inner).aborted || timeLeft(inner) < limits.check.least) return;
      const file = await checkFile(session, workspace, { path, unopened }, inner);
      answered.push(performance.now());
      results.set(path, file);
      memory.record(slot, session, generation, file);
    });
    await awaitConfigurations(session, workspace, opened, inner);
    // Files that must be open take too much room for long turns.
    return { doubts, isQuick: unopened && areQuick(answered) };
  };
  const { value, restarted } = await slot.useWithin('diagnostics', call, work);
  if (!restarted) return value;
  // A server that just started may miss problems.
  memory.forget(slot);
  for (const path of paths) {
    const file = results.get(path);
    if (file?.problems.length === 0) results.set(path, unheard(path, slot.definition.id));
  }
  return { ...value, doubts: [...value.doubts, restartedDoubt(slot.definition, restarted)] };
}

/** The first answer does not count: a server may load the project before it. */
function areQuick(answered: readonly number[]): boolean {
  const time = (answered.at(-1) ?? 0) - (answered[0] ?? 0);
  return answered.length > 1 && time / (answered.length - 1) <= limits.check.quick.answer;
}

/**
 * Returns the files to open for a turn: all, unless the server checks files that are not open. One of each project is open
 * in any case: it loads the project, and makes the server publish what is wrong with its configuration.
 */
function toOpen(
  { definition }: Session,
  paths: readonly string[],
  membership: ProjectMembership | undefined,
): readonly string[] {
  const isClosed = definition.diagnostics?.checkCommand?.diagnosticsOf !== undefined;
  if (!answersUnopened({ definition }, membership) && !isClosed) return paths;
  const isOpened = (path: string) => isClosed || membership?.loose.has(path) === false;
  return [...new Set(paths.filter(isOpened).map((path) => membership?.doors.get(path) ?? path))];
}

/** Where there are several projects, the server takes any of them that has read a file which is not open. */
function answersUnopened(
  { definition }: Pick<Session, 'definition'>,
  membership: ProjectMembership | undefined,
): boolean {
  return (
    definition.sync?.answersUnopened?.includes('diagnostics') === true && membership?.hasSeveral !== true
  );
}

/** A server that publishes is sent all files of a turn before it is waited for. */
function atOnce(session: Session, isQuick: boolean): number {
  if (checksClosed(session)) return limits.check.commands;
  if (pullOptions(session).length === 0) return limits.check.turn;
  return isQuick ? limits.check.quick.pulls : limits.check.pulls;
}

async function checkFile(
  session: Session,
  workspace: CheckContext['workspace'],
  { path, unopened }: { readonly path: string; readonly unopened: boolean },
  call: Call,
): Promise<FileProblems> {
  const { id } = session.definition;
  const ask = async (part: Call) =>
    (await askClosed(session, workspace, path, part)) ??
    (await askDiagnostics(session, workspace, path, part, { unopened })).own;
  // One file without an answer does not take the time of all the others.
  const asked = withinPart(call, { share: limits.shares.beside }, ask);
  return asked.then(
    (own) => (session.readiness.trouble !== undefined && own.problems.length === 0 ? mute(path, id) : own),
    (thrown: unknown) => {
      const { code } = asLspanError(thrown);
      if (!session.alive || code === 'cancelled' || code === 'internal') throw thrown;
      return code === 'timed_out' ? unheard(path, id) : mute(path, id);
    },
  );
}

function unheard(path: string, server: string): FileProblems {
  return { path, state: 'pending', problems: [], unheard: [server] };
}

/** Asking again would yield no more. */
function mute(path: string, server: string): FileProblems {
  return { ...unheard(path, server), mute: [server] };
}
