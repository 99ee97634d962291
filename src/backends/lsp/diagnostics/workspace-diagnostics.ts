import type { Reply } from '../../../core/backend.ts';
import { type Call, withinPart } from '../../../core/call.ts';
import { limits } from '../../../core/limits.ts';
import { mergeFileProblems } from '../../../core/merge-problems.ts';
import type { FileProblems, WorkspaceProblems } from '../../../core/problems.ts';
import { groupBy } from '../../../core/runtime/group-by.ts';
import { collectReplies } from '../routing/collect-answers.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import { publishedProblems } from './ask-diagnostics.ts';
import {
  type DiagnosticsContext,
  fileDiagnostics,
  unaskedSpeakers,
  unheardFrom,
} from './file-diagnostics.ts';
import { type ServerWorkspaceDiagnostics, serverWorkspaceDiagnostics } from './server-diagnostics.ts';
import { uncheckedFileDoubts } from './unchecked-files.ts';

/**
 * Collects the problems of the whole workspace: from workspace diagnostics if the server supports them, else
 * from the files that it has checked; a doubt says if those are not all.
 */
export async function collectWorkspaceDiagnostics(
  sources: DiagnosticsContext,
  call: Call,
): Promise<Reply<WorkspaceProblems>> {
  const { router } = sources;
  const slots = router.forWorkspace('diagnostics');
  const { surveys, doubts } = await surveyAll(sources, slots.filter(isWorthAsking), call);
  const known = knownFiles(sources);
  const now = known.slice(0, limits.diagnostics.asked);
  const said = (slot: ServerSlot, path: string) => {
    const told = surveys.get(slot)?.files.get(path);
    return told?.state === 'fresh' ? told : undefined;
  };
  const asked = await fileDiagnostics(sources, now, call, { said, lenient: true });
  const others = await othersThan(new Set(now), sources, surveys);
  const left = await Promise.all(known.slice(now.length).map((path) => unasked(sources, path)));
  const checked = (slot: ServerSlot, path: string) => now.includes(path) || said(slot, path) !== undefined;
  const all = [
    ...doubts,
    ...asked.doubts,
    ...uncheckedFileDoubts(sources, slots, { surveys, now, checked }),
    ...router.blockedByTrustAnywhere('diagnostics'),
  ];
  const files = await joinSame([...asked.answer, ...left, ...others]);
  const whole = all.length === 0 && files.every(({ state }) => state === 'fresh');
  return { answer: { files, whole }, doubts: all };
}

/** A server that knows no files before they are opened is not started for files the caller has not named. */
function isWorthAsking({ definition, running }: ServerSlot): boolean {
  const { diagnostics, projects } = definition;
  return running || (diagnostics?.checksFilesAlone !== true && projects?.loadsOnOpen !== true);
}

async function surveyAll(sources: DiagnosticsContext, slots: readonly ServerSlot[], call: Call) {
  const ask = (slot: ServerSlot, part: Call) => ({
    server: slot.definition.id,
    reply: serverWorkspaceDiagnostics(sources, slot, part),
  });
  const { replies, doubts } = await withinPart(call, { share: limits.shares.workspaceDiagnostics }, (part) =>
    collectReplies(
      slots.map((slot) => ask(slot, part)),
      { lenient: true },
    ),
  );
  const surveys = new Map(replies.map(({ answer }) => [answer.slot, answer]));
  return { surveys, doubts: [...doubts, ...replies.flatMap((reply) => reply.doubts)] };
}

/** Returns the files that some server has checked, open ones first. */
function knownFiles({ router, workspace }: DiagnosticsContext): readonly string[] {
  const sessions = router.slots.flatMap(({ session }) => (session?.alive ? [session] : []));
  const isKnown = (path: string) =>
    workspace.rootOf(path) !== undefined && (router.serves(path) || unaskedSpeakers(router, path).length > 0);
  const open = sessions.flatMap(({ documents }) => documents.paths);
  const spoken = sessions.flatMap(({ diagnostics }) => diagnostics.disk.paths());
  return [...new Set([...open.sort(), ...spoken.sort()])].filter(isKnown);
}

/** Returns the files in workspace diagnostics that were not asked about one by one. */
async function othersThan(
  asked: ReadonlySet<string>,
  sources: DiagnosticsContext,
  surveys: ReadonlyMap<ServerSlot, ServerWorkspaceDiagnostics>,
): Promise<readonly FileProblems[]> {
  const told = [...surveys.values()].flatMap(({ files }) => [...files.values()]);
  const byPath = groupBy(
    told.filter(({ path }) => !asked.has(path)),
    ({ path }) => path,
  );
  const merged = [...byPath].map(([path, spoken]) => {
    const heard = (slot: ServerSlot) =>
      surveys.get(slot)?.extent === 'whole' || surveys.get(slot)?.files.has(path) === true;
    return mergeFileProblems(path, [...spoken, ...unheardFrom(sources, path, heard)]);
  });
  return Promise.all(merged);
}

/** Returns what is known of a file without asking, if there are too many files to ask about each. */
async function unasked({ router, workspace }: DiagnosticsContext, path: string): Promise<FileProblems> {
  const sessions = router.slots.flatMap(({ session }) =>
    session?.diagnostics.disk.knows(path) ? [session] : [],
  );
  const read = workspace
    .read(path)
    .then((document) => Promise.all(sessions.map((session) => publishedProblems(session, document))))
    .then((spoken) => mergeFileProblems(path, spoken));
  return read.catch(() => ({ path, state: 'unavailable', problems: [], unheard: [] }));
}

async function joinSame(files: readonly FileProblems[]): Promise<readonly FileProblems[]> {
  const byPath = [...groupBy(files, ({ path }) => path)].sort(([a], [b]) => (a < b ? -1 : 1));
  const joined = byPath.map(([path, same]) =>
    same.length === 1 && same[0] ? same[0] : mergeFileProblems(path, same),
  );
  return Promise.all(joined);
}
