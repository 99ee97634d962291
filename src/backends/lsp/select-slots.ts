import type { ServerSelector } from '../../core/backend.ts';
import type { ServerSlot } from './server-slot.ts';

/** The slots that a selector means: every part of it must fit. */
export function selectSlots(
  slots: readonly ServerSlot[],
  { server, language, extensions }: ServerSelector,
): readonly ServerSlot[] {
  return slots.filter(({ definition }) => {
    const served = definition.extensions;
    if (server !== undefined && definition.id !== server) return false;
    if (language !== undefined && !Object.values(served).includes(language)) return false;
    return extensions === undefined || extensions.some((name) => Object.hasOwn(served, name));
  });
}
