import type { ServerVitals } from '../../../core/backend.ts';
import type { MemoryWatch } from '../process/memory-watch.ts';
import type { Router } from '../routing/router.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import type { Session } from '../session/session.ts';

/** How the servers that were asked so far are, from what is known already: nothing is looked at and nothing started. */
export function serverVitals(router: Router, memory: MemoryWatch): readonly ServerVitals[] {
  return router.slots.map((slot) => {
    const { session } = slot;
    const live = session?.alive ? session : undefined;
    const memoryBytes = live && memory.lastUseOf(live.process.pid);
    return {
      id: slot.definition.id,
      state: live ? liveState(live) : restingState(slot),
      restarts: slot.source.restarts,
      ...(memoryBytes === undefined ? {} : { memoryBytes }),
    };
  });
}

/** The state of a server that runs. */
export function liveState({ readiness: { known, tells } }: Session): ServerVitals['state'] {
  if (known) return 'ready';
  return tells ? 'indexing' : 'running';
}

/** The state of a server that does not run, and nothing keeps it from being started. */
export function restingState({ source }: ServerSlot): ServerVitals['state'] {
  if (source.starting) return 'starting';
  return source.lastError ? 'crashed' : 'stopped';
}
