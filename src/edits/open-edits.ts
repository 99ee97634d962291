import { LspanError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Edits, Grounds } from './edits.ts';

/** Opens the engine. */
export function openEdits(_options: {
  readonly grounds: Grounds;
  readonly folder: string;
  readonly log: Log;
}): Edits {
  const fail = (): never => {
    throw new LspanError('not_supported', 'Edits are not there yet.');
  };
  return {
    plan: fail,
    find: fail,
    apply: fail,
    planUndo: fail,
    history: () => [],
    recover: async () => ({ undone: [], completed: [], conflicts: [] }),
  };
}
