import type { Reply } from '../../../core/backend.ts';
import { type Call, cancelSignalOf, withinPart } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { limits } from '../../../core/limits.ts';
import { mergeFileProblems } from '../../../core/merge-problems.ts';
import type { FileProblems, WorkspaceProblems } from '../../../core/problems.ts';
import { inParallel } from '../../../core/runtime/in-parallel.ts';
import { accompaniesCode } from '../../../source-text/beside-code.ts';
import { collectReplies } from '../routing/collect-answers.ts';
import type { Router } from '../routing/router.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import { publishedProblems } from './ask-diagnostics.ts';
import { type CheckContext, checkFiles } from './check-files.ts';
import { type ServerWorkspaceDiagnostics, serverWorkspaceDiagnostics } from './server-diagnostics.ts';

/** Checks all files of the workspace, or some of them, with all their servers, as far as the time of the call goes. */
export async function checkWorkspace(
  context: CheckContext,
  among: readonly string[] | undefined,
  call: Call,
): Promise<Reply<WorkspaceProblems>> {
  const { router, workspace, memory } = context;
  await memory.settle();
  const served = servedFiles(router, among ?? workspace.files());
  // Throws if there is no server at all.
  if (served.size === 0) router.forWorkspace('diagnostics', among);
  const { surveys, doubts } = await checkAll(context, served, among !== undefined, call);
  const beside = among ? [] : await publishedBeside(context);
  const files = await mergeByFile(served, surveys, beside);
  const checked = new Set(files.map(({ path }) => path));
  const left = new Set(surveys.flatMap(({ left: own = [] }) => own));
  const outside = surveys.reduce((sum, one) => sum + (one.outside ?? 0), 0);
  const all = [
    ...doubts,
    ...surveys.flatMap(leftDoubt),
    ...router.blockedByTrustAnywhere('diagnostics', among),
  ];
  const isCertain = all.length === 0 && files.every(({ state }) => state === 'fresh');
  const unchecked = [...left].filter((path) => !checked.has(path)).length;
  return {
    answer: {
      files: [...files].sort((a, b) => (a.path < b.path ? -1 : 1)),
      whole: isCertain && among === undefined && outside === 0,
      ...(unchecked > 0 ? { unchecked } : {}),
      ...(outside > 0 ? { outside } : {}),
    },
    doubts: all,
  };
}

type Served = ReadonlyMap<ServerSlot, readonly string[]>;

/**
 * Returns the files of each server. A server that is not installed is missed where it checks more than files alone, and for
 * texts and data that accompany code only if nothing else is checked.
 */
function servedFiles(router: Router, files: Iterable<string>): Served {
  const [served, dispensable] = [new Map<ServerSlot, string[]>(), new Map<ServerSlot, string[]>()];
  for (const [path, slots] of router.servingEach(files, 'diagnostics'))
    for (const slot of slots) {
      const { checksFilesAlone = accompaniesCode(path) } = slot.definition.diagnostics ?? {};
      const isMissed = router.installed.has(slot.definition) || !checksFilesAlone;
      const group = isMissed ? served : dispensable;
      const own = group.get(slot);
      if (own) own.push(path);
      else group.set(slot, [path]);
    }
  return served.size > 0 ? served : dispensable;
}

/** Asks the servers, a few at once: those that know a whole project before those that check files alone. */
async function checkAll(context: CheckContext, served: Served, isNamed: boolean, call: Call) {
  const isAlone = ({ definition }: ServerSlot) => definition.diagnostics?.checksFilesAlone === true;
  const slots = [...served.keys()].sort((a, b) => Number(isAlone(a)) - Number(isAlone(b)));
  const asked: { server: string; reply: Promise<Reply<ServerWorkspaceDiagnostics>> }[] = [];
  const { replies, doubts } = await withinPart(call, { share: limits.shares.check }, async (part) => {
    await inParallel(slots, limits.check.servers, async (slot) => {
      const wanted = { files: served.get(slot) ?? [], isNamed };
      const reply = checkWith(context, slot, wanted, part);
      asked.push({ server: slot.definition.id, reply });
      await Promise.allSettled([reply]);
    });
    return collectReplies(asked, { lenient: true });
  });
  cancelSignalOf(call).throwIfAborted();
  const surveys = replies.map(({ answer }) => answer);
  return { surveys, doubts: [...doubts, ...replies.flatMap((reply) => reply.doubts)] };
}

async function checkWith(
  context: CheckContext,
  slot: ServerSlot,
  wanted: Parameters<typeof checkFiles>[2],
  call: Call,
): Promise<Reply<ServerWorkspaceDiagnostics>> {
  const { projects, diagnostics } = slot.definition;
  const isAsked = projects?.loadsOnOpen !== true && diagnostics?.checksFilesAlone !== true;
  const survey = isAsked ? await serverWorkspaceDiagnostics(context, slot, call) : undefined;
  if (survey === undefined || survey.answer.extent === 'unable')
    return checkFiles(context, slot, wanted, call);
  const meant = new Set(wanted.files);
  const files = new Map([...survey.answer.files].filter(([path]) => meant.has(path)));
  // A report about an older text than that of an open document is no report about it.
  const open = slot.session?.documents.paths ?? [];
  const missed = open.filter((path) => meant.has(path) && files.get(path)?.state !== 'fresh');
  if (missed.length === 0) return { ...survey, answer: { ...survey.answer, files } };
  const again = await checkFiles(context, slot, { files: missed, isNamed: true }, call);
  const all = new Map([...files, ...again.answer.files]);
  return { answer: { ...survey.answer, files: all }, doubts: [...survey.doubts, ...again.doubts] };
}

/** Joins what the servers of each file say; a server that has not come to it is not heard. */
async function mergeByFile(
  served: Served,
  surveys: readonly ServerWorkspaceDiagnostics[],
  beside: readonly FileProblems[],
): Promise<readonly FileProblems[]> {
  const spoken = new Map<string, FileProblems[]>();
  for (const file of [...surveys.flatMap(({ files }) => [...files.values()]), ...beside]) {
    const own = spoken.get(file.path);
    if (own) own.push(file);
    else spoken.set(file.path, [file]);
  }
  const bySlot = new Map(surveys.map((survey) => [survey.slot, survey]));
  for (const [slot, paths] of served) {
    const survey = bySlot.get(slot);
    const missed = survey ? (survey.left ?? []) : paths;
    for (const path of missed) {
      const own = spoken.get(path);
      own?.push({ path, state: 'pending', problems: [], unheard: [slot.definition.id] });
    }
  }
  const merged = [...spoken].map(([path, own]) =>
    own.length === 1 && own[0] ? own[0] : mergeFileProblems(path, own),
  );
  return Promise.all(merged);
}

/** Returns what servers published about files that are not theirs to check, such as configurations. */
async function publishedBeside({ router, workspace }: CheckContext): Promise<readonly FileProblems[]> {
  const found: FileProblems[] = [];
  for (const slot of router.slots) {
    const { session } = slot;
    if (!session?.alive) continue;
    for (const path of session.diagnostics.disk.pathsWithProblems()) {
      const isOwn =
        workspace.rootOf(path) === undefined || router.serving(path, 'diagnostics').includes(slot);
      const document = isOwn ? undefined : await workspace.read(path).catch(() => undefined);
      if (document) found.push(await publishedProblems(session, document));
    }
  }
  return found;
}

function leftDoubt({ slot, extent, files, left = [] }: ServerWorkspaceDiagnostics): readonly Doubt[] {
  if (extent !== 'partly') return [];
  const server = slot.definition.id;
  const detail =
    left.length === 0
      ? `${server} has not finished checking the workspace (${files.size} ${files.size === 1 ? 'file' : 'files'} so far): ask again, or name the files to check.`
      : `${server} has checked ${files.size} of ${files.size + left.length} files: call again to go on with the others.`;
  return [{ kind: 'indexing', server, detail }];
}
