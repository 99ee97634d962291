import path from 'node:path';
import type { Reply } from '../../../../src/core/backend.ts';
import { beginCall, type Call } from '../../../../src/core/call.ts';
import type { ProposedStep } from '../../../../src/core/proposal.ts';
import type { FileMove, MoveEdits, Rename, Span } from '../../../../src/core/question.ts';
import { servers as builtIn } from '../../../../src/servers/index.ts';
import { patient } from '../../../patient.ts';
import { openTestWorld, type TestSetting, type TestWorld } from '../../../test-bridge.ts';

/** A world with short ways to ask what a rename or a move would change. */
export interface RenamingWorld extends TestWorld {
  readonly call: Call;
  /** Asks at the first place where the words stand in a file, `|` being the position within them. */
  rename(file: string, at: string, newName: string): Promise<Reply<Rename | undefined>>;
  /** Paths relative to the root; one that ends in a slash is that of a folder. */
  moves(moves: Readonly<Record<string, string>>): Promise<Reply<MoveEdits>>;
  /** The same moves as the backend is told them. */
  asMoves(moves: Readonly<Record<string, string>>): readonly FileMove[];
  /** What steps change, such as `a.txt 0:9 beta`, in order. */
  shown(steps: readonly ProposedStep[]): readonly string[];
  places(spans: readonly Span[]): readonly string[];
}

/** Opens one over fake servers. */
export async function openRenamingWorld(setting: TestSetting = {}): Promise<RenamingWorld> {
  const world = await openTestWorld(setting);
  const { backend, workspace, root } = world;
  const call = beginCall({ time: 100_000 });
  const asMoves = (moves: Readonly<Record<string, string>>) =>
    Object.entries(moves).map(([from, to]) => ({
      from: path.join(root, from).replace(/\/$/, ''),
      to: path.join(root, to).replace(/\/$/, ''),
      isFolder: from.endsWith('/'),
    }));
  return {
    ...world,
    call,
    asMoves,
    rename: async (file, at, newName) => {
      await workspace.refresh(call);
      const document = await workspace.read(path.join(root, file));
      const offset = document.text.indexOf(at.replace('|', '')) + Math.max(0, at.indexOf('|'));
      const place = { path: document.path, position: document.positionAt(offset) };
      return backend.ask({ kind: 'rename', place, newName }, call);
    },
    moves: async (moves) => {
      await workspace.refresh(call);
      return backend.ask({ kind: 'moves', moves: asMoves(moves) }, call);
    },
    shown: (steps) =>
      steps
        .flatMap((step) => {
          if (step.kind !== 'edit') return [JSON.stringify(step)];
          const file = workspace.show(workspace.fromUri(step.uri).path);
          return step.edits.map(
            ({ range: { start }, newText }) => `${file} ${start.line}:${start.character} ${newText}`,
          );
        })
        .sort(),
    places: (spans) =>
      spans
        .map(({ path: file, range: { start } }) => `${workspace.show(file)} ${start.line}:${start.character}`)
        .sort(),
  };
}

/** Opens one over a real server, and those beside it. */
export function openRealRenaming(
  servers: readonly string[],
  setting: TestSetting = {},
): Promise<RenamingWorld> {
  const disabledServers = builtIn.map(({ id }) => id).filter((id) => !servers.includes(id));
  return openRenamingWorld({ ...setting, servers: {}, config: { ...patient, disabledServers } });
}
