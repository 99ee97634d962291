import type { Workspace } from '../../../workspace/workspace.ts';

/** Tells which files changed on the disk from now on, as far as it has been noticed, until it is ended. */
export interface ChangesSince {
  has(path: string): boolean;
  end(): void;
}

/** Begins to take note of changes. */
export function changesSince(workspace: Workspace): ChangesSince {
  const paths = new Set<string>();
  const end = workspace.onChanges((changes) => {
    for (const { path } of changes) paths.add(path);
  });
  return { has: (path) => paths.has(path), end };
}
