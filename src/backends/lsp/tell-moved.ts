import type { Call } from '../../core/call.ts';
import type { FileMove } from '../../core/questions.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { movedFiles, renameParams, wantedMoves } from './questions/file-operations.ts';
import type { Router } from './routing/router.ts';

/**
 * Tells the running servers that asked for it that files were moved, after what changed on the disk. One that cannot be
 * told is left to what the disk says: the files are moved all the same.
 */
export async function tellMoved(
  { router, workspace }: { readonly router: Router; readonly workspace: Workspace },
  moves: readonly FileMove[],
  call: Call,
): Promise<void> {
  const running = router.slots.filter(({ session }) => session?.alive === true);
  const told = running.map((slot) =>
    slot.use(call, async (session) => {
      await session.documents.sync([]);
      const options = session.capabilities.everyOptions(method, 'workspace.fileOperations.didRename');
      const wanted = wantedMoves(options, moves, formerFiles(moves, workspace));
      if (wanted.length > 0) session.notify(method, renameParams(wanted, workspace));
    }),
  );
  await Promise.allSettled(told);
}

const method = 'workspace/didRenameFiles';

/** Where the files were that have moved with their folders. */
function formerFiles(moves: readonly FileMove[], workspace: Workspace): readonly string[] {
  const back = moves.filter(({ isFolder }) => isFolder).map(({ from, to }) => ({ from: to, to: from }));
  return back.flatMap((move) =>
    movedFiles({ ...move, isFolder: true }, workspace.files()).map(({ to }) => to),
  );
}
