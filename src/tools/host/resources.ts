import type { AnswerSource } from '../../core/backend.ts';
import { beginCall, type Call } from '../../core/call.ts';
import { type CancelSignal, CancelSource } from '../../core/runtime/cancellation.ts';
import { getDiagnostics } from '../diagnostics/get-diagnostics.ts';
import type { ContextsByCaller } from '../run/callers.ts';
import type { Outcome, RunOptions } from '../run/tool.ts';
import { completePath, completeSymbol, type Matches } from './complete.ts';

/** Offers of a frontend besides tools. Only the problems of a file start a server. */
export interface McpResources {
  /** Returns the files for which running servers have reported problems, as they are shown, in order. */
  filesWithProblems(): Promise<readonly string[]>;
  /** Returns what get_diagnostics answers for one file. */
  problemsOf(
    file: string,
    options?: Partial<Pick<RunOptions, 'signal' | 'report' | 'scope'>>,
  ): Promise<Outcome>;
  /** Returns the real path of a file of the workspace. Rejects as the gate does. */
  locate(file: string): Promise<string>;
  /** Called when the problems of a file may have changed, with its real path, or without one for any file. */
  onProblems(listener: (path?: string) => void): () => void;
  completePath(typed: string, signal: CancelSignal, scope?: string): Promise<Matches>;
  /** Completes a name of one file, if that is given. */
  completeSymbol(
    typed: string,
    file: string | undefined,
    signal: CancelSignal,
    scope?: string,
  ): Promise<Matches>;
}

/** Makes the resources of contexts; each caller gets those of its own. */
export function mcpResourcesOf(
  contexts: ContextsByCaller,
  {
    onDiagnostics,
    ...options
  }: Pick<RunOptions, 'deadline' | 'maxTokens' | 'log'> & Pick<AnswerSource, 'onDiagnostics'>,
): McpResources {
  const { workspace, backend } = contexts.of(undefined);
  const withCall = async <T>(
    signal: CancelSignal,
    work: (call: Call) => Promise<T>,
    scope?: string,
  ): Promise<T> => {
    const call = beginCall({ time: options.deadline, scope }, signal);
    return work(call).finally(() => call[Symbol.dispose]());
  };
  return {
    filesWithProblems: async () =>
      backend.servers
        .filesWithProblems()
        .filter((path) => workspace.rootOf(path) !== undefined)
        .map((path) => workspace.show(path))
        .sort(),
    problemsOf: (file, { signal = never(), report = () => {}, scope } = {}) => {
      const running = { ...options, shown: 'text', signal, report, scope } as const;
      return getDiagnostics.run(contexts.of(scope), { file_path: file }, running);
    },
    // Refreshes first, so that every later change is reported to those who follow the file.
    locate: (file) =>
      withCall(never(), async (call) => {
        await workspace.refresh(call);
        return workspace.resolve(file);
      }),
    onProblems: (listener) => {
      // Lets listeners hear of changes without a call. If this refresh fails, the next call repeats it and says why.
      const refresh = () => void withCall(never(), (call) => workspace.refresh(call)).catch(() => {});
      const ends = [
        onDiagnostics(listener),
        workspace.onChanges(() => listener()),
        workspace.onMaybeChanged(refresh),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
    completePath: (typed, signal, scope) =>
      withCall(signal, (call) => completePath(contexts.of(scope), typed, call), scope),
    completeSymbol: (typed, file, signal, scope) =>
      withCall(signal, (call) => completeSymbol(contexts.of(scope), typed, file, call), scope),
  };
}

function never(): CancelSignal {
  return new CancelSource();
}
