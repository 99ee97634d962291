import { dirname, join } from 'node:path';
import { type Call, cancelSignalOf, within } from '../../../core/call.ts';
import { limits } from '../../../core/limits.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { Session } from '../session/session.ts';

/** Waits, not for long, until the server has published what it finds in the configurations of the projects of files. */
export async function awaitConfigurations(
  session: Session,
  workspace: Workspace,
  files: readonly string[],
  call: Call,
): Promise<void> {
  const { diagnostics, projects } = session.definition;
  if (diagnostics?.publishesProjects !== true) return;
  const markers = new Set(
    files.flatMap((file) => markerAbove(file, projects?.markers ?? [], workspace) ?? []),
  );
  const isOpen = () => [...markers].some((marker) => !session.diagnostics.isHeardOf(marker));
  const end = performance.now() + limits.check.configuration;
  while (isOpen() && performance.now() < end)
    await within(session.nextPublication(), end - performance.now(), cancelSignalOf(call));
}

/** Returns the nearest file above another that marks a project. */
function markerAbove(
  file: string,
  names: readonly string[],
  { isSaved, rootOf }: Workspace,
): string | undefined {
  for (let folder = dirname(file); rootOf(folder) !== undefined; folder = dirname(folder)) {
    const marker = names.map((name) => join(folder, name)).find(isSaved);
    if (marker !== undefined) return marker;
  }
  return undefined;
}
