import type { Sight } from '../../core/backend.ts';
import type { Place } from '../../core/questions.ts';
import type { ProjectLoader } from './project-loader.ts';
import type { Router } from './router.ts';
import type { ServerSlot } from './server-slot.ts';

/** How far the servers that search for uses of what is at a place see other files. */
export async function sightFrom(
  { router, projects }: { readonly router: Router; readonly projects: ProjectLoader },
  place: Place,
  files: readonly string[],
): Promise<ReadonlyMap<string, Sight>> {
  const searching = new Set([...router.chosenFor(place.path, 'references'), ...router.seeing(place.path)]);
  const sights = new Map<string, Sight>();
  for (const file of files) {
    const own = router.chosenFor(file, 'references').filter((slot) => searching.has(slot));
    sights.set(file, own.length === 0 ? 'other_language' : await sightOf(projects, own, file));
  }
  return sights;
}

async function sightOf(projects: ProjectLoader, slots: readonly ServerSlot[], file: string): Promise<Sight> {
  for (const { session } of slots) if (session?.alive && (await projects.sees(session, file))) return 'seen';
  return 'unseen';
}
