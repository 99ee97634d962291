import { beginCall, type Call } from '../core/call.ts';
import { limits } from '../core/limits.ts';
import type { Matches } from './best-matches.ts';
import { completePath, completeSymbol } from './complete.ts';
import { getDiagnostics } from './get-diagnostics.ts';
import type { Outcome, RunOptions } from './run-tool.ts';
import type { World } from './tool.ts';

/** What a frontend can offer beside tools. Only the problems of a file start a server. */
export interface Sidelights {
  /** The files that running servers have told problems of, as they are shown, in order. */
  troubledFiles(): readonly string[];
  /** What get_diagnostics tells of one file. */
  problemsOf(file: string, options?: Partial<Pick<RunOptions, 'signal' | 'report'>>): Promise<Outcome>;
  /** The real path of a file of the workspace. Rejects as the gate does. */
  locate(file: string): Promise<string>;
  /** Called when the problems of a file may have changed, by its real path; without one, those of any file. */
  onProblems(listener: (path?: string) => void): () => void;
  completePath(typed: string, signal: AbortSignal): Promise<Matches>;
  /** Of one file, where it is given. */
  completeSymbol(typed: string, file: string | undefined, signal: AbortSignal): Promise<Matches>;
}

/** What a world can tell beside its tools. */
export function sidelightsOf(
  world: World,
  options: Pick<RunOptions, 'deadline' | 'maxTokens' | 'log'>,
): Sidelights {
  const { workspace, backend } = world;
  const during = async <T>(signal: AbortSignal, work: (call: Call) => Promise<T>): Promise<T> => {
    const call = beginCall({ time: options.deadline }, signal);
    return work(call).finally(() => call[Symbol.dispose]());
  };
  return {
    troubledFiles: () =>
      backend
        .troubled()
        .filter((path) => workspace.rootOf(path) !== undefined)
        .map((path) => workspace.show(path))
        .sort(),
    problemsOf: (file, { signal = new AbortController().signal, report = () => {} } = {}) =>
      getDiagnostics.run(world, { file_path: file }, { ...options, shown: 'text', signal, report }),
    // After the barrier: what changes from then on is told to who follows the file.
    locate: (file) =>
      during(new AbortController().signal, async (call) => {
        await workspace.refresh(call);
        return workspace.resolve(file);
      }),
    onProblems: (listener) => {
      const look = () => during(new AbortController().signal, (call) => workspace.refresh(call));
      const ends = [
        backend.onDiagnostics(listener),
        workspace.onChanges(() => listener()),
        lookSoon(workspace, look),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
    completePath: (typed, signal) => during(signal, (call) => completePath(world, typed, call)),
    completeSymbol: (typed, file, signal) =>
      during(signal, (call) => completeSymbol(world, typed, file, call)),
  };
}

/** Passes the barrier soon after something has stirred, so that listeners hear of changes without a call; at most twice a second. */
function lookSoon({ onStir }: World['workspace'], look: () => Promise<unknown>): () => void {
  let timer: NodeJS.Timeout | undefined;
  const onTime = () => {
    timer = undefined;
    // A barrier that cannot be passed now is passed by the next call, which says why.
    look().catch(() => {});
  };
  const end = onStir(() => {
    timer ??= setTimeout(onTime, limits.resources.gap).unref();
  });
  return () => {
    end();
    clearTimeout(timer);
  };
}
