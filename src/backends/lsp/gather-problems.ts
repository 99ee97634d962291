import type { Reply } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import { mergeFileProblems } from '../../core/merge-problems.ts';
import type { FileProblems } from '../../core/problems.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { askProblems, publishedProblems } from './ask-problems.ts';
import { gather } from './gather.ts';
import type { UseSlot } from './lease.ts';
import type { Router } from './router.ts';
import type { ServerSlot } from './server-slot.ts';
import { restartedDoubt } from './server-troubles.ts';
import type { Session } from './session.ts';

/** Where problems come from. */
interface Sources {
  readonly router: Router;
  readonly workspace: Workspace;
  readonly use: UseSlot;
}

/** The problems of files, from all servers of each; a file that nobody can check does not hide those of the others. */
export async function gatherProblems(
  sources: Sources,
  files: readonly string[],
  call: Call,
): Promise<Reply<readonly FileProblems[]>> {
  const { replies, doubts } = await gather(files.map((file) => ({ reply: problemsOf(sources, file, call) })));
  const spoken = new Map(replies.map(({ answer }) => [answer.path, answer]));
  const unavailable = (path: string): FileProblems => ({ path, state: 'unavailable', problems: [] });
  return {
    answer: files.map((path) => spoken.get(path) ?? unavailable(path)),
    doubts: [...doubts, ...replies.flatMap((reply) => reply.doubts)],
  };
}

/** Servers that published problems of a file that they do not serve, as of a configuration file. */
export function unaskedSpeakers(router: Router, path: string): readonly Session[] {
  const alive = router.slots.flatMap(({ session }) => (session?.alive ? [session] : []));
  return alive.filter(({ board }) => (board.disk.published(path, undefined)?.items.length ?? 0) > 0);
}

async function problemsOf(sources: Sources, path: string, call: Call): Promise<Reply<FileProblems>> {
  const { router, workspace, use } = sources;
  const unasked = router.serves(path) ? [] : unaskedSpeakers(router, path);
  if (unasked.length > 0) return { answer: await unaskedProblems(unasked, workspace, path), doubts: [] };
  const asked = router.forFile(path, 'diagnostics').map((slot) => ({
    server: slot.definition.id,
    reply: problemsFrom(slot, use, workspace, path, call),
  }));
  const { replies, doubts } = await gather(asked);
  const silent = doubts.map((): FileProblems => ({ path, state: 'pending', problems: [] }));
  return {
    answer: mergeFileProblems(path, [...replies.map(({ answer }) => answer), ...silent]),
    doubts: [...doubts, ...replies.flatMap((reply) => reply.doubts), ...router.withheld(path, 'diagnostics')],
  };
}

async function problemsFrom(
  slot: ServerSlot,
  use: UseSlot,
  workspace: Workspace,
  path: string,
  call: Call,
): Promise<Reply<FileProblems>> {
  const work = (session: Session, inner: Call) => askProblems(session, workspace, path, inner);
  const { value, restarted } = await use(slot, 'diagnostics', call, work);
  const standing = slot.session?.standingDoubts('diagnostics') ?? [];
  // A server that has just started, or that could not load the project, may not know what there is to complain about.
  const unknowing = restarted || slot.session?.readiness.trouble !== undefined;
  const state = unknowing && value.problems.length === 0 ? 'pending' : value.state;
  const doubts = restarted ? [...standing, restartedDoubt(slot.definition)] : standing;
  return { answer: { ...value, state }, doubts };
}

async function unaskedProblems(
  sessions: readonly Session[],
  workspace: Workspace,
  path: string,
): Promise<FileProblems> {
  const document = await workspace.read(path);
  return mergeFileProblems(
    path,
    sessions.map((session) => publishedProblems(session, document)),
  );
}
