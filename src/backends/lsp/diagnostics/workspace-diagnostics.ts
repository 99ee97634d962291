import type { Reply } from '../../../core/backend.ts';
import { type Call, withinPart } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { limits } from '../../../core/limits.ts';
import { mergeFileProblems } from '../../../core/merge-problems.ts';
import type { FileProblems, WorkspaceProblems } from '../../../core/problems.ts';
import { groupBy } from '../../../core/runtime/group-by.ts';
import { languageOf } from '../../../servers/language-of.ts';
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

/** How much of the workspace the servers checked. */
interface Reached {
  readonly surveys: ReadonlyMap<ServerSlot, ServerWorkspaceDiagnostics>;
  /** Files that all their servers were asked about one by one. */
  readonly now: readonly string[];
  readonly checked: (slot: ServerSlot, path: string) => boolean;
}

/** Returns a doubt for each server that has not checked all files it serves, with a file to name next. */
function uncheckedFileDoubts(
  sources: DiagnosticsContext,
  slots: readonly ServerSlot[],
  reached: Reached,
): readonly Doubt[] {
  const installed = slots.filter(({ definition }) => sources.router.installed.has(definition));
  return installed.flatMap((slot) => uncheckedFileDoubt(sources, slot, reached));
}

function uncheckedFileDoubt(
  sources: DiagnosticsContext,
  slot: ServerSlot,
  { surveys, now, checked }: Reached,
): readonly Doubt[] {
  const server = slot.definition.id;
  const extent = surveys.get(slot)?.extent;
  if (extent === 'whole') return [];
  if (extent === 'partly') {
    const count = surveys.get(slot)?.files.size ?? 0;
    const detail = `${server} has not finished checking the workspace (${files(count)} so far): ask again, or name the files to check.`;
    return [{ kind: 'indexing', server, detail }];
  }
  const missed = firstMissed(sources, slot, checked);
  if (missed === undefined) return [];
  const count = now.filter((path) => sources.router.serving(path, 'diagnostics').includes(slot)).length;
  const next = `to check them, such as ${sources.workspace.show(missed)}.`;
  const detail =
    count === 0
      ? `${server} has checked no file yet: name files ${next}`
      : `${server} checked only the ${files(count)} it has opened: name others ${next}`;
  return [{ kind: 'project_not_loaded', server, detail }];
}

function files(count: number): string {
  return `${count} file${count === 1 ? '' : 's'}`;
}

/** Returns the first file by name that a server serves and has not checked. */
function firstMissed(
  { router, workspace }: DiagnosticsContext,
  slot: ServerSlot,
  checked: Reached['checked'],
): string | undefined {
  const served = [...workspace.files()].filter(
    (path) => languageOf(path, slot.definition) !== undefined && !checked(slot, path),
  );
  return served.sort().find((path) => router.serving(path, 'diagnostics').includes(slot));
}
