import { type Call, endOf } from '../../core/call.ts';
import { LspanError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { quotePath } from '../../core/quote-path.ts';
import { isWithin } from '../../platform/files/is-within.ts';
import { codeOf, type FileSystem, lacksLinks } from '../disk/file-system.ts';
import { type Bench, benchOver } from '../disk/pinned-disk.ts';
import { PinnedFolders, type Proof } from '../disk/pinned-folders.ts';
import { changedMeanwhile, halfDone, notApplied } from '../failures.ts';
import type { Edit, Plan } from '../plan.ts';
import { takeSteps } from './apply-steps.ts';
import { endJournal } from './finish-journal.ts';
import { editOf, type Journal, journalOf, type WrittenJournal } from './journal.ts';
import { type Journals, phases } from './journals.ts';
import { actionsOf } from './plan-steps.ts';
import { checkRequirements } from './requirements.ts';
import { stage } from './stage-files.ts';
import { changedSince, changedWhileTaken } from './verify.ts';

/** What a transaction is carried out with. */
export interface Means {
  readonly files: FileSystem;
  readonly journals: Journals;
  readonly roots: readonly string[];
  readonly log: Log;
  /** How folders are held; as the system allows unless given. */
  readonly proof: Proof | undefined;
  /** Throws where the plan would change what must not be changed just now. */
  readonly permit: (plan: Plan) => void;
}

/** Carries a plan out while its roots are locked: all of it or nothing. What it tells is what is on the disk. */
export async function carryOut(plan: Plan, at: number, means: Means, call: Call): Promise<Edit> {
  const pins = new PinnedFolders(means.files, means.roots, means.proof);
  const bench = benchOver(means.files, pins);
  const transact = (links: boolean) => transaction(journalOf(plan, at, links), plan, means, bench, call);
  try {
    // Some file systems have no second links: there, what is replaced is known by the last look at it alone.
    return (await transact(true)) ?? (await transact(false)) ?? fail(notApplied(undefined));
  } finally {
    pins.close();
  }
}

async function transaction(
  written: WrittenJournal,
  plan: Plan,
  means: Means,
  bench: Bench,
  call: Call,
): Promise<Edit | undefined> {
  const { journal } = written;
  const { journals } = means;
  const forth = async () => {
    const { unmet, facts } = await checkRequirements(actionsOf(journal.steps), bench);
    if (unmet.length > 0) throw changedMeanwhile(unmet);
    means.permit(plan);
    checkRoom(plan, written, means);
    await journals.begin(written);
    await stage(journal, plan.operations, facts, bench);
    await journals.enter(journal.id, 'staging', 'prepared');
    await replace(journal, bench, call, () => means.permit(plan));
    await journals.enter(journal.id, 'prepared', 'committed');
  };
  const failure = await forth().then(
    () => undefined,
    (thrown: unknown) => ({ thrown }),
  );
  if (!failure) return complete(journal, [], journals, bench);
  const end = () => endFailed(journal, means, bench);
  // What was in the way of the first attempt may have passed.
  const edit = await end()
    .catch(end)
    .catch((thrown: unknown) => {
      throw halfDone(journal.id, thrown, journals.folder);
    });
  if (edit) return edit;
  if (written.links && lacksLinks(failure.thrown)) return undefined;
  throw notApplied(failure.thrown);
}

/** From here on the call cannot be cancelled any more. */
async function replace(journal: Journal, bench: Bench, call: Call, permit: () => void): Promise<void> {
  const { unmet, facts } = await checkRequirements(actionsOf(journal.steps), bench);
  if (unmet.length > 0) throw changedMeanwhile(unmet);
  endOf(call).throwIfAborted();
  permit();
  await takeSteps(journal, facts, bench);
  const changed = [...(await changedWhileTaken(journal, bench)), ...bench.pins.swapped()];
  if (changed.length > 0) throw changedMeanwhile(changed);
}

/** Ends what failed as the record on the disk says; nothing where it was taken back. */
async function endFailed(
  journal: Journal,
  { journals, log }: Means,
  bench: Bench,
): Promise<Edit | undefined> {
  const { id } = journal;
  const phase = phases.find((one) => one !== 'conflict' && journals.has(id, one));
  if (phase === 'committed')
    return complete(journal, ['it may not survive a loss of power at this moment'], journals, bench);
  const ending = phase && (await endJournal({ id, phase }, journal, journals, bench));
  if (ending?.conflict) log('warn', 'edit.conflict', { message: ending.conflict.message });
  return undefined;
}

/** The edit is on the disk: whatever fails from here on is only told. */
async function complete(
  journal: Journal,
  warnings: string[],
  journals: Journals,
  bench: Bench,
): Promise<Edit> {
  const changed = await changedSince(journal, bench).catch(() => []);
  if (changed.length > 0)
    warnings.push(`somebody else changed ${changed.map(quotePath).join(', ')} right after`);
  const ended = endJournal({ id: journal.id, phase: 'committed' }, journal, journals, bench);
  await ended.catch((thrown: unknown) => {
    warnings.push(
      `files named .lspan-… are left in its folders (${codeOf(thrown)}), and removed by the next call`,
    );
  });
  return editOf(journal, warnings);
}

function fail(error: Error): never {
  throw error;
}

/** Refuses a plan for which there may not be room: twice what it writes must be free where it writes. */
function checkRoom(plan: Plan, { bytes }: WrittenJournal, { files, journals }: Means): void {
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
