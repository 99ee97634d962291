import type { Visibility } from '../../../core/backend.ts';
import type { Place } from '../../../core/question.ts';
import type { Router } from '../routing/router.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import type { ProjectLoader } from './load-projects.ts';

/**
 * Returns whether the servers that search for uses of a symbol see other files, or would once a question opens them: what was
 * opened by earlier questions must not matter.
 */
export async function visibilityFrom(
  { router, projects }: { readonly router: Router; readonly projects: ProjectLoader },
  place: Place,
  files: readonly string[],
): Promise<ReadonlyMap<string, Visibility>> {
  const slots = new Set([...router.serving(place.path, 'references'), ...router.seeing(place.path)]);
  const searching = new Map<ServerSlot, (file: string) => boolean>();
  for (const slot of slots) searching.set(slot, await searchOf(slot, projects, place.path, files));
  const visibilities = new Map<string, Visibility>();
  for (const file of files) {
    const own = router.serving(file, 'references').flatMap((slot) => searching.get(slot) ?? []);
    const isSeen = own.some((reaches) => reaches(file));
    visibilities.set(file, own.length === 0 ? 'other_language' : isSeen ? 'seen' : 'unseen');
  }
  return visibilities;
}

/** Returns a function that says whether a search by the slot's server reaches one of the files. */
async function searchOf(
  { session, definition }: ServerSlot,
  projects: ProjectLoader,
  from: string,
  files: readonly string[],
): Promise<(file: string) => boolean> {
  if (!session?.alive) return () => false;
  const leavesOut = definition.search?.excludes?.(session.facts);
  const unseen = await projects.unseen(session, files);
  return (file) => leavesOut?.(file, from) !== true && !unseen.has(file);
}
