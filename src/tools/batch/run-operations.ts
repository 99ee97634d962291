import { type Call, cancelSignalOf } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import type { Outcome } from '../run/tool.ts';
import type { BatchOperation } from './batch-operations.ts';

/** An operation and its outcome, or why it was not run. */
export type AnsweredOperation = BatchOperation &
  ({ readonly outcome: Outcome } | { readonly skipped: string });

/** How the operations of a batch are run. */
interface RunMode {
  readonly parallel: boolean;
  /** True if operations that change files only preview. */
  readonly dry_run: boolean;
  readonly stop_on_error: boolean;
}

/**
 * Runs operations, and returns their outcomes in order. In parallel, those that change nothing run together; one that
 * changes files or servers waits for all before it, and all after it wait for it. The results are the same as if they
 * ran one after the other.
 */
export async function runOperations(
  operations: readonly BatchOperation[],
  mode: RunMode,
  run: (operation: BatchOperation) => Promise<Outcome>,
  call: Call,
): Promise<readonly AnsweredOperation[]> {
  const answered: AnsweredOperation[] = [];
  let failed: string | undefined;
  for (const group of mode.parallel ? groupParallel(operations, mode) : operations.map((one) => [one])) {
    const isOver = failed !== undefined || cancelSignalOf(call).aborted;
    const outcomes = isOver ? [] : await runTogether(group, run);
    for (const [index, operation] of group.entries()) {
      const one = toAnswered(operation, outcomes[index], failed);
      answered.push(one);
      if (mode.stop_on_error && 'outcome' in one && one.outcome.isError) failed = operation.id;
    }
  }
  return answered;
}

function toAnswered(
  operation: BatchOperation,
  outcome: Outcome | undefined,
  failed: string | undefined,
): AnsweredOperation {
  if (failed !== undefined) return { ...operation, skipped: `${JSON.stringify(failed)} failed` };
  return outcome ? { ...operation, outcome } : { ...operation, skipped: 'the batch ran out of time' };
}

function groupParallel(
  operations: readonly BatchOperation[],
  { dry_run }: RunMode,
): readonly BatchOperation[][] {
  const groups: BatchOperation[][] = [];
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
  group: readonly BatchOperation[],
  run: (operation: BatchOperation) => Promise<Outcome>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = group.entries();
  const work = async () => {
    for (const [index, operation] of waiting) outcomes[index] = await run(operation);
  };
  await Promise.all(group.slice(0, limits.batch.together).map(work));
  return outcomes;
}
