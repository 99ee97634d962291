import { type Call, endOf } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import type { Outcome } from '../run/tool.ts';
import type { Operation } from './batch-operations.ts';

/** An operation and what became of it, or why it was not run. */
export type Answered = Operation & ({ readonly outcome: Outcome } | { readonly skipped: string });

/** How the operations of a batch are run. */
export interface Manner {
  readonly parallel: boolean;
  /** Whether those that change files only preview. */
  readonly dry_run: boolean;
  readonly stop_on_error: boolean;
}

/**
 * Runs operations, and gives what became of them in their order. In parallel, those that change nothing run together;
 * one that changes files or servers waits for all before it, and all after it wait for it. The results are those that
 * running them one after the other would give.
 */
export async function runOperations(
  operations: readonly Operation[],
  manner: Manner,
  run: (operation: Operation) => Promise<Outcome>,
  call: Call,
): Promise<readonly Answered[]> {
  const answered: Answered[] = [];
  let failed: string | undefined;
  for (const group of manner.parallel ? grouped(operations, manner) : operations.map((one) => [one])) {
    const isOver = failed !== undefined || endOf(call).aborted;
    const outcomes = isOver ? [] : await runTogether(group, run);
    for (const [index, operation] of group.entries()) {
      const one = answer(operation, outcomes[index], failed);
      answered.push(one);
      if (manner.stop_on_error && 'outcome' in one && one.outcome.isError) failed = operation.id;
    }
  }
  return answered;
}

function answer(operation: Operation, outcome: Outcome | undefined, failed: string | undefined): Answered {
  if (failed !== undefined) return { ...operation, skipped: `${JSON.stringify(failed)} failed` };
  return outcome ? { ...operation, outcome } : { ...operation, skipped: 'the time of the batch was over' };
}

function grouped(operations: readonly Operation[], { dry_run }: Manner): readonly Operation[][] {
  const groups: Operation[][] = [];
  let isOpen = false;
  for (const operation of operations) {
    const { effects } = operation.tool;
    const isFree = effects === 'none' || (effects === 'files' && dry_run);
    if (isFree && isOpen) groups.at(-1)?.push(operation);
    else groups.push([operation]);
    isOpen = isFree;
  }
  return groups;
}

async function runTogether(
  group: readonly Operation[],
  run: (operation: Operation) => Promise<Outcome>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = group.entries();
  const work = async () => {
    for (const [index, operation] of waiting) outcomes[index] = await run(operation);
  };
  await Promise.all(group.slice(0, limits.batch.together).map(work));
  return outcomes;
}
