import type { Workspace } from '../../../workspace/workspace.ts';

/** Records which files changed on disk, as far as noticed, until `end` is called. */
export interface ChangesDuringCall {
  has(path: string): boolean;
  end(): void;
}

/** Starts to record changes. */
export function changesDuringCall(workspace: Workspace): ChangesDuringCall {
  const paths = new Set<string>();
  const end = workspace.onChanges((changes) => {
    for (const { path } of changes) paths.add(path);
  });
  return { has: (path) => paths.has(path), end };
}
