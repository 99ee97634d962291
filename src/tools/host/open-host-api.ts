import { beginCall, type Call } from '../../core/call.ts';
import { type Doubt, uniqueDoubts } from '../../core/doubts.ts';
import { doubtInHostWords, errorInHostWords } from '../../core/host-words.ts';
import type { Log } from '../../core/log.ts';
import { noWorkspace } from '../../workspace/no-workspace.ts';
import type { Worlds } from '../run/callers.ts';
import { answerSteadily } from '../run/retry-on-unsaved-change.ts';
import type { World } from '../run/tool.ts';
import { checkFile } from './check-file.ts';
import type { Desk, DeskOptions } from './host-api.ts';
import { knownProblems } from './host-problems.ts';
import { hostServer } from './host-server.ts';
import type { Sidelights } from './resources.ts';

/** What a desk needs beside worlds. */
interface DeskSettings {
  /** How long a question may take, in milliseconds. */
  readonly deadline: number;
  readonly log: Log;
  /** Ends what was left half done in the workspace, before anybody looks at it; never rejects. */
  readonly prepare: () => Promise<void>;
  readonly sidelights: Pick<Sidelights, 'onProblems'>;
}

/** What a program around lspan can ask of worlds beside tools. */
export function openDesk(worlds: Worlds, { deadline, log, prepare, sidelights }: DeskSettings): Desk {
  const { workspace, backend } = worlds.of(undefined);
  const during = async <T>(
    { signal, report, scope }: DeskOptions,
    work: (world: World, call: Call) => Promise<T>,
  ): Promise<T> => {
    await prepare();
    const call = beginCall({ time: deadline, scope, ...(report ? { report } : {}) }, signal);
    return work(worlds.of(scope), call)
      .catch(failing)
      .finally(() => call[Symbol.dispose]());
  };
  const steadily = async <T extends { readonly doubts: readonly Doubt[] }>(
    options: DeskOptions,
    work: (world: World, call: Call) => Promise<T>,
  ): Promise<T> =>
    inHostWords(await during(options, (world, call) => answerSteadily(workspace, () => work(world, call))));
  const failing = (thrown: unknown): never => {
    const error = errorInHostWords(thrown);
    if (error.code === 'internal') log('error', 'desk_failed', { error: thrown });
    throw error;
  };
  return {
    check: (file, text, options = {}) =>
      steadily(options, (world, call) => checkFile(world, file, text, call)),
    problems: (options = {}) => steadily(options, knownProblems),
    servers: (options = {}) =>
      during(options, async (_, call) => {
        // Which servers there could be is up to the files that are there.
        await workspace.refresh(call);
        const statuses = await backend.status();
        const shown = statuses.filter(({ spare }) => !spare);
        return shown.map((status) => hostServer(status, workspace.roots.length > 1));
      }),
    hold: (file, text) => workspace.hold(file, text ?? undefined),
    onProblems: (listener) =>
      sidelights.onProblems((path) => {
        if (path === undefined) listener();
        else if (workspace.rootOf(path) !== undefined) listener(workspace.show(path));
      }),
  };
}

/** The same without what is said twice, and in words that fit. */
function inHostWords<T extends { readonly doubts: readonly Doubt[] }>(told: T): T {
  return { ...told, doubts: uniqueDoubts(told.doubts.map(doubtInHostWords)) };
}

/** The desk of a bridge, which has one wherever a workspace is known. Throws what every call is told elsewhere. */
export function needDesk(desk: Desk | undefined): Desk {
  if (desk === undefined) throw noWorkspace();
  return desk;
}
