import type { Doubt } from '../../../core/doubts.ts';
import { languageOf } from '../../../servers/language-of.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import type { DiagnosticsContext } from './file-diagnostics.ts';
import type { ServerWorkspaceDiagnostics } from './server-diagnostics.ts';

/** How much of the workspace the servers checked. */
interface Reached {
  readonly surveys: ReadonlyMap<ServerSlot, ServerWorkspaceDiagnostics>;
  /** Files that all their servers were asked about one by one. */
  readonly now: readonly string[];
  readonly checked: (slot: ServerSlot, path: string) => boolean;
}

/** Returns a doubt for each server that has not checked all files it serves, with a file to name next. */
export function uncheckedFileDoubts(
  sources: DiagnosticsContext,
  slots: readonly ServerSlot[],
  reached: Reached,
): readonly Doubt[] {
  const installed = slots.filter(({ definition }) => sources.router.installed.has(definition));
  return installed.flatMap((slot) => uncheckedFileDoubt(sources, slot, reached));
}

function uncheckedFileDoubt(
  sources: DiagnosticsContext,
  slot: ServerSlot,
  { surveys, now, checked }: Reached,
): readonly Doubt[] {
  const server = slot.definition.id;
  const extent = surveys.get(slot)?.extent;
  if (extent === 'whole') return [];
  if (extent === 'partly') {
    const count = surveys.get(slot)?.files.size ?? 0;
    const detail = `${server} had not finished checking the workspace (${files(count)} so far): ask again, or name the files to check.`;
    return [{ kind: 'indexing', server, detail }];
  }
  const missed = firstMissed(sources, slot, checked);
  if (missed === undefined) return [];
  const count = now.filter((path) => sources.router.serving(path, 'diagnostics').includes(slot)).length;
  const next = `to check them, such as ${sources.workspace.show(missed)}.`;
  const detail =
    count === 0
      ? `${server} has looked at no file yet: name files ${next}`
      : `${server} checked only the ${files(count)} that it has looked at: name others ${next}`;
  return [{ kind: 'project_not_loaded', server, detail }];
}

function files(count: number): string {
  return `${count} file${count === 1 ? '' : 's'}`;
}

/** Returns the first file by name that a server serves and has not checked. */
function firstMissed(
  { router, workspace }: DiagnosticsContext,
  slot: ServerSlot,
  checked: Reached['checked'],
): string | undefined {
  const served = [...workspace.files()].filter(
    (path) => languageOf(path, slot.definition) !== undefined && !checked(slot, path),
  );
  return served.sort().find((path) => router.serving(path, 'diagnostics').includes(slot));
}
