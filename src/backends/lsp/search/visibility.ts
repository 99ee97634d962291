import type { Visibility } from '../../../core/backend.ts';
import { limits } from '../../../core/limits.ts';
import type { Place } from '../../../core/question.ts';
import type { Router } from '../routing/router.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import type { ProjectLoader } from './load-projects.ts';

/**
 * Returns whether the servers that search for uses of a symbol see other files, or would once a question opens them: what was
 * opened by earlier questions must not matter. Of very many that are not open, some are left unseen.
 */
export async function visibilityFrom(
  { router, projects }: { readonly router: Router; readonly projects: ProjectLoader },
  place: Place,
  files: readonly string[],
): Promise<ReadonlyMap<string, Visibility>> {
  const slots = new Set([...router.serving(place.path, 'references'), ...router.seeing(place.path)]);
  const searching = new Map([...slots].map((slot) => [slot, searchOf(slot, projects, place.path)]));
  const visibilities = new Map<string, Visibility>();
  for (const file of files) {
    const own = router.serving(file, 'references').flatMap((slot) => searching.get(slot) ?? []);
    const seen = await Promise.all(own.map((reaches) => reaches(file)));
    visibilities.set(file, own.length === 0 ? 'other_language' : seen.includes(true) ? 'seen' : 'unseen');
  }
  return visibilities;
}

/** Returns a function that says whether a search by the slot's server reaches a file. */
function searchOf(
  { session, definition }: ServerSlot,
  projects: ProjectLoader,
  from: string,
): (file: string) => Promise<boolean> {
  if (!session?.alive) return async () => false;
  const leavesOut = definition.search?.excludes?.(session.facts);
  const toOpen = new Set<string>();
  return async (file) => {
    if (leavesOut?.(file, from) === true) return false;
    const door = await projects.doorTo(session, file);
    if (door !== undefined && toOpen.size < limits.loadedProjects) toOpen.add(door);
    return door === undefined || toOpen.has(door);
  };
}
