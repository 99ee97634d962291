import { LspanError } from '../../core/errors.ts';
import { quotePath } from '../../core/quote-path.ts';
import { isWithin } from '../../platform/files/is-within.ts';
import type { Plan } from '../plan.ts';
import type { WrittenJournal } from './journal.ts';
import type { Means } from './transaction.ts';

/** Refuses a plan for which there may not be room: twice what it writes must be free where it writes. */
export function checkRoom(plan: Plan, { bytes }: WrittenJournal, { files, journals }: Means): void {
  const needed = new Map([[journals.folder, bytes.reduce((sum, { length }) => sum + length, 0)]]);
  for (const operation of plan.operations) {
    if (operation.kind !== 'put' || operation.after.kind !== 'file') continue;
    const root = plan.roots.find((one) => isWithin(one, operation.path));
    if (root !== undefined) needed.set(root, (needed.get(root) ?? 0) + operation.after.bytes.length);
  }
  for (const [folder, size] of needed) {
    if (files.room(folder) < 2 * size)
      throw new LspanError('refused', `There is too little room on the disk of ${quotePath(folder)}.`, {
        nextStep: `Nothing was applied. Free ${Math.ceil((2 * size) / 1024 ** 2)} MiB there and call again.`,
      });
  }
}
