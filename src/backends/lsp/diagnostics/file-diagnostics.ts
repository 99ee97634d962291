import type { Reply } from '../../../core/backend.ts';
import type { Call } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { mergeFileProblems } from '../../../core/merge-problems.ts';
import type { FileProblems } from '../../../core/problems.ts';
import { groupBy } from '../../../core/runtime/group-by.ts';
import { importedModules } from '../../../source-text/imports.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { unsavedImportDoubts } from '../doubts/unsaved-imports.ts';
import { outdatedDoubt, restartedDoubt } from '../errors/server-errors.ts';
import { collectReplies } from '../routing/collect-answers.ts';
import type { Router } from '../routing/router.ts';
import type { ServerSlot, UseSlot } from '../session/server-slot.ts';
import type { Session } from '../session/session.ts';
import { askDiagnostics, publishedProblems, type ServerDiagnostics } from './ask-diagnostics.ts';

/** Sources of problems. */
export interface DiagnosticsContext {
  readonly router: Router;
  readonly workspace: Workspace;
  readonly use: UseSlot;
}

/** How to ask about files that the caller has not named. */
interface Manner {
  /** Returns what a server has already reported about a file, so that it need not be asked again. */
  readonly said: (slot: ServerSlot, path: string) => FileProblems | undefined;
  /** If no file can be checked, report a doubt instead of an error. */
  readonly lenient: boolean;
}

const byName: Manner = { said: () => undefined, lenient: false };

/** Returns the problems of files from all their servers; an uncheckable file does not hide the others. */
export async function fileDiagnostics(
  sources: DiagnosticsContext,
  files: readonly string[],
  call: Call,
  manner: Manner = byName,
): Promise<Reply<readonly FileProblems[]>> {
  const asked = files.map((file) => ({ reply: problemsOf(sources, file, call, manner.said) }));
  const { replies, doubts } = await collectReplies(asked, manner);
  const spoken = new Map(replies.map(({ answer: { own } }) => [own.path, own]));
  const unavailable = (path: string): FileProblems => ({
    path,
    state: 'unavailable',
    problems: [],
    unheard: [],
  });
  const named = files.map((path) => spoken.get(path) ?? unavailable(path));
  const beside = replies.flatMap(({ answer }) => answer.related).filter(({ path }) => !files.includes(path));
  const related = await joinRelated(sources, beside);
  return {
    answer: [...named, ...related].sort((a, b) => (a.path < b.path ? -1 : 1)),
    doubts: [...doubts, ...replies.flatMap((reply) => reply.doubts)],
  };
}

/** Returns the servers that published problems of a file they do not serve, such as a configuration file. */
export function unaskedSpeakers(router: Router, path: string): readonly Session[] {
  const alive = router.slots.flatMap(({ session }) => (session?.alive ? [session] : []));
  return alive.filter(
    ({ diagnostics }) => (diagnostics.disk.published(path, undefined)?.items.length ?? 0) > 0,
  );
}

/** Returns an entry for each server of a file that has not been heard. */
export function unheardFrom(
  { router }: DiagnosticsContext,
  path: string,
  heard: (slot: ServerSlot) => boolean,
): readonly FileProblems[] {
  const silent = router.serving(path, 'diagnostics').filter((slot) => !heard(slot));
  return silent.map(({ definition }) => notHeard(path, definition.id));
}

function notHeard(path: string, server: string): FileProblems {
  return { path, state: 'pending', problems: [], unheard: [server] };
}

/** Marks the unheard servers as mute: asking again would yield no more. */
function muted(file: FileProblems): FileProblems {
  return { ...file, mute: file.unheard };
}

/** Joins reports about one related file, which may come with several files and from several servers. */
async function joinRelated(
  sources: DiagnosticsContext,
  related: readonly FileProblems[],
): Promise<readonly FileProblems[]> {
  const byPath = groupBy(related, ({ path }) => path);
  const joined = [...byPath].map(async ([path, spoken]): Promise<FileProblems> => {
    const speakers = new Set(spoken.flatMap(({ problems }) => problems.map(({ server }) => server)));
    const silent = unheardFrom(sources, path, ({ definition }) => speakers.has(definition.id));
    return { ...(await mergeFileProblems(path, [...spoken, ...silent])), related: true };
  });
  return Promise.all(joined);
}

async function problemsOf(
  sources: DiagnosticsContext,
  path: string,
  call: Call,
  said: Manner['said'],
): Promise<Reply<ServerDiagnostics>> {
  const { router, workspace, use } = sources;
  const unasked = router.serves(path) ? [] : unaskedSpeakers(router, path);
  if (unasked.length > 0) {
    return { answer: { own: await unaskedProblems(unasked, workspace, path), related: [] }, doubts: [] };
  }
  const asked = router.forFile(path, 'diagnostics').map((slot) => ({
    server: slot.definition.id,
    reply: answered(said(slot, path)) ?? problemsFrom(slot, use, workspace, path, call),
  }));
  const { replies, doubts } = await collectReplies(asked);
  const silent = doubts.map(({ server = '', kind }) =>
    kind === 'server_unavailable' ? muted(notHeard(path, server)) : notHeard(path, server),
  );
  return {
    answer: {
      own: await mergeFileProblems(path, [...replies.map(({ answer }) => answer.own), ...silent]),
      related: replies.flatMap(({ answer }) => answer.related),
    },
    doubts: [...doubts, ...replies.flatMap((reply) => reply.doubts), ...(await blockedDoubts(sources, path))],
  };
}

/** A server that is there for components knows more of another file only if that imports one. */
async function blockedDoubts(
  { router, workspace }: Pick<DiagnosticsContext, 'router' | 'workspace'>,
  path: string,
): Promise<readonly Doubt[]> {
  const doubts = router.blockedByTrust(path, 'diagnostics');
  if (doubts.length === 0) return doubts;
  const text = (await workspace.read(path).catch(() => undefined))?.text ?? '';
  const modules = importedModules(path, text).map((module) => module.replace(/\?.*/, ''));
  const isConcerned = (kind: string) => [path, ...modules].some((one) => one.endsWith(`.${kind}`));
  return doubts.filter(({ server }) => router.componentsOf(server)?.some(isConcerned) ?? true);
}

function answered(own: FileProblems | undefined): Promise<Reply<ServerDiagnostics>> | undefined {
  return own && Promise.resolve({ answer: { own, related: [] }, doubts: [] });
}

async function problemsFrom(
  slot: ServerSlot,
  use: UseSlot,
  workspace: Workspace,
  path: string,
  call: Call,
): Promise<Reply<ServerDiagnostics>> {
  const work = (session: Session, inner: Call) => askDiagnostics(session, workspace, path, inner);
  const { value, restarted } = await use(slot, 'diagnostics', call, work);
  const standing = slot.session?.doubtsAbout('diagnostics') ?? [];
  const beside = await unsavedImportDoubts(slot, workspace, call);
  // A server that just started, must restart, or could not load the project may miss problems.
  const inTrouble = slot.session?.readiness.trouble !== undefined;
  const isUnsure = (restarted || slot.outdated || inTrouble) && value.own.problems.length === 0;
  const unsure = notHeard(path, slot.definition.id);
  // Such trouble lasts until a person fixes it.
  const doubtful = inTrouble ? muted(unsure) : unsure;
  const doubts = [
    ...standing,
    ...beside,
    ...(restarted ? [restartedDoubt(slot.definition, restarted)] : []),
    ...(slot.outdated ? [outdatedDoubt(slot.definition)] : []),
  ];
  return { answer: { own: isUnsure ? doubtful : value.own, related: value.related }, doubts };
}

async function unaskedProblems(
  sessions: readonly Session[],
  workspace: Workspace,
  path: string,
): Promise<FileProblems> {
  const document = await workspace.read(path);
  const spoken = await Promise.all(sessions.map((session) => publishedProblems(session, document)));
  return mergeFileProblems(path, spoken);
}
