import { LspanError } from '../../../core/errors.ts';
import type { ServerSlot } from '../session/server-slot.ts';

/** Stops the least recently used idle server when as many run as may; a busy one is never stopped. */
export async function makeRoom(slots: readonly ServerSlot[], room: number): Promise<void> {
  const running = slots.filter((slot) => slot.running);
  if (running.length < room) return;
  const idle = running.filter((slot) => !slot.busy).sort((a, b) => a.lastUsed - b.lastUsed)[0];
  if (!idle) {
    throw new LspanError('busy', `${running.length} language servers are running and all are busy.`, {
      nextStep: 'Call again in a moment.',
    });
  }
  await idle.stop();
}
