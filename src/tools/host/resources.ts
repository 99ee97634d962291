import type { AnswerSource } from '../../core/backend.ts';
import { beginCall, type Call } from '../../core/call.ts';
import { type CancelSignal, CancelSource } from '../../core/runtime/cancellation.ts';
import { getDiagnostics } from '../diagnostics/get-diagnostics.ts';
import type { ContextsByCaller } from '../run/callers.ts';
import type { Outcome, RunOptions } from '../run/tool.ts';
import { completePath, completeSymbol, type Matches } from './complete.ts';

/** What a frontend can offer beside tools. Only the problems of a file start a server. */
export interface McpResources {
  /** The files that running servers have told problems of, as they are shown, in order. */
  filesWithProblems(): readonly string[];
  /** What get_diagnostics tells of one file. */
  problemsOf(
    file: string,
    options?: Partial<Pick<RunOptions, 'signal' | 'report' | 'scope'>>,
  ): Promise<Outcome>;
  /** The real path of a file of the workspace. Rejects as the gate does. */
  locate(file: string): Promise<string>;
  /** Called when the problems of a file may have changed, by its real path; without one, those of any file. */
  onProblems(listener: (path?: string) => void): () => void;
  completePath(typed: string, signal: CancelSignal, scope?: string): Promise<Matches>;
  /** Of one file, where it is given. */
  completeSymbol(
    typed: string,
    file: string | undefined,
    signal: CancelSignal,
    scope?: string,
  ): Promise<Matches>;
}

/** What worlds can tell beside their tools, to each who asks in its own. */
export function mcpResourcesOf(
  contexts: ContextsByCaller,
  {
    onDiagnostics,
    ...options
  }: Pick<RunOptions, 'deadline' | 'maxTokens' | 'log'> & Pick<AnswerSource, 'onDiagnostics'>,
): McpResources {
  const { workspace, backend } = contexts.of(undefined);
  const during = async <T>(
    signal: CancelSignal,
    work: (call: Call) => Promise<T>,
    scope?: string,
  ): Promise<T> => {
    const call = beginCall({ time: options.deadline, scope }, signal);
    return work(call).finally(() => call[Symbol.dispose]());
  };
  return {
    filesWithProblems: () =>
      backend.servers
        .filesWithProblems()
        .filter((path) => workspace.rootOf(path) !== undefined)
        .map((path) => workspace.show(path))
        .sort(),
    problemsOf: (file, { signal = never(), report = () => {}, scope } = {}) => {
      const asked = { ...options, shown: 'text', signal, report, scope } as const;
      return getDiagnostics.run(contexts.of(scope), { file_path: file }, asked);
    },
    // After the barrier: what changes from then on is told to who follows the file.
    locate: (file) =>
      during(never(), async (call) => {
        await workspace.refresh(call);
        return workspace.resolve(file);
      }),
    onProblems: (listener) => {
      // So that listeners hear of changes without a call; a barrier that cannot be passed now is passed by the next one,
      // which says why.
      const look = () => void during(never(), (call) => workspace.refresh(call)).catch(() => {});
      const ends = [
        onDiagnostics(listener),
        workspace.onChanges(() => listener()),
        workspace.onMaybeChanged(look),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
    completePath: (typed, signal, scope) =>
      during(signal, (call) => completePath(contexts.of(scope), typed, call), scope),
    completeSymbol: (typed, file, signal, scope) =>
      during(signal, (call) => completeSymbol(contexts.of(scope), typed, file, call), scope),
  };
}

function never(): CancelSignal {
  return new CancelSource();
}
