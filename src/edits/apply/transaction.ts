import { type Call, cancelSignalOf } from '../../core/call.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Log } from '../../core/log.ts';
import { inParallel } from '../../core/runtime/in-parallel.ts';
import { quotePath } from '../../core/wording/quote-path.ts';
import { isPathWithin } from '../../platform/files/path-within.ts';
import { writeNew } from '../disk/durable-files.ts';
import { codeOf, type Facts, type FileSystem, lacksLinks, type NewFile } from '../disk/file-system.ts';
import { type PinnedDisk, pinDisk } from '../disk/pinned-disk.ts';
import { PinnedFolders, type Proof } from '../disk/pinned-folders.ts';
import { syncFoldersOf } from '../disk/sync-folders.ts';
import { changedMeanwhile, halfDone, notApplied } from '../edit-errors.ts';
import type { Content, Edit, Operation, Plan } from '../plan.ts';
import { applySteps } from './apply-steps.ts';
import { finishJournal } from './finish-journal.ts';
import { editOf, type Journal, journalOf, type WrittenJournal } from './journal.ts';
import { type Journals, phases } from './journal-store.ts';
import { actionsOf } from './plan-steps.ts';
import { checkRequirements } from './requirements.ts';
import type { Step } from './step.ts';
import { changedSince, changedWhileApplied } from './verify.ts';

/** Everything that a transaction needs. */
export interface TransactionContext {
  readonly files: FileSystem;
  readonly journals: Journals;
  readonly roots: readonly string[];
  readonly log: Log;
  /** How folders are pinned; by default as the system allows. */
  readonly proof: Proof | undefined;
  /** Throws if the plan would change files that must not be changed now. */
  readonly permit: (plan: Plan) => void;
}

/** Applies a plan, all of it or nothing, while its roots are locked. Reports what is on the disk. */
export async function runTransaction(
  plan: Plan,
  at: number,
  context: TransactionContext,
  call: Call,
): Promise<Edit> {
  const pins = new PinnedFolders(context.files, context.roots, context.proof);
  const disk = pinDisk(context.files, pins);
  const transact = (links: boolean) =>
    transaction(journalOf(plan, at, links, call.id), plan, context, disk, call);
  try {
    // Some file systems lack hard links: there, only the last check shows that a replaced file was unchanged.
    return (await transact(true)) ?? (await transact(false)) ?? fail(notApplied(undefined));
  } finally {
    pins.close();
  }
}

async function transaction(
  written: WrittenJournal,
  plan: Plan,
  context: TransactionContext,
  disk: PinnedDisk,
  call: Call,
): Promise<Edit | undefined> {
  const { journal } = written;
  const { journals } = context;
  const applyPlan = async () => {
    const { unmet, facts } = await checkRequirements(actionsOf(journal.steps), disk);
    if (unmet.length > 0) throw changedMeanwhile(unmet);
    context.permit(plan);
    checkRoom(plan, written, context);
    await journals.begin(written);
    await stageFiles(journal, plan.operations, facts, disk);
    await journals.enter(journal.id, 'staging', 'prepared');
    await replace(journal, disk, call, () => context.permit(plan));
    await journals.enter(journal.id, 'prepared', 'committed');
  };
  const failure = await applyPlan().then(
    () => undefined,
    (thrown: unknown) => ({ thrown }),
  );
  if (!failure) return complete(journal, [], journals, disk);
  const end = () => endFailed(journal, context, disk);
  // Whatever made the first attempt fail may be gone.
  const edit = await end()
    .catch(end)
    .catch((thrown: unknown) => {
      throw halfDone(journal.id, thrown, journals.folder);
    });
  if (edit) return edit;
  if (written.links && lacksLinks(failure.thrown)) return undefined;
  throw notApplied(failure.thrown);
}

/** Once this has checked the signal, the call cannot be cancelled any more. */
async function replace(journal: Journal, disk: PinnedDisk, call: Call, permit: () => void): Promise<void> {
  const { unmet, facts } = await checkRequirements(actionsOf(journal.steps), disk);
  if (unmet.length > 0) throw changedMeanwhile(unmet);
  cancelSignalOf(call).throwIfAborted();
  permit();
  await applySteps(journal, facts, disk);
  const changed = [...(await changedWhileApplied(journal, disk)), ...disk.pins.swapped()];
  if (changed.length > 0) throw changedMeanwhile(changed);
}

/** Finishes a failed edit by its record on the disk; returns `undefined` if it was undone. */
async function endFailed(
  journal: Journal,
  { journals, log }: TransactionContext,
  disk: PinnedDisk,
): Promise<Edit | undefined> {
  const { id } = journal;
  const phase = phases.find((one) => one !== 'conflict' && journals.has(id, one));
  if (phase === 'committed') return complete(journal, ['a power loss now may lose it'], journals, disk);
  const ending = phase && (await finishJournal({ id, phase }, journal, journals, disk));
  if (ending?.conflict) log('warn', 'edit.conflict', { message: ending.conflict.message });
  return undefined;
}

/** The edit is on the disk: a failure from here on is only a warning. */
async function complete(
  journal: Journal,
  warnings: string[],
  journals: Journals,
  disk: PinnedDisk,
): Promise<Edit> {
  const changed = await changedSince(journal, disk).catch(() => []);
  if (changed.length > 0)
    warnings.push(`another program changed ${changed.map(quotePath).join(', ')} right after`);
  const ended = finishJournal({ id: journal.id, phase: 'committed' }, journal, journals, disk);
  await ended.catch((thrown: unknown) => {
    warnings.push(
      `files named .lspan-… are left in its folders (${codeOf(thrown)}); the next call removes them`,
    );
  });
  return editOf(journal, warnings);
}

function fail(error: Error): never {
  throw error;
}

/** Refuses a plan for which there may not be room: twice the bytes that it writes must be free. */
function checkRoom(plan: Plan, { bytes }: WrittenJournal, { files, journals }: TransactionContext): void {
  const needed = new Map([[journals.folder, bytes.reduce((sum, { length }) => sum + length, 0)]]);
  for (const operation of plan.operations) {
    if (operation.kind !== 'put' || operation.after.kind !== 'file') continue;
    const root = plan.roots.find((one) => isPathWithin(one, operation.path));
    if (root !== undefined) needed.set(root, (needed.get(root) ?? 0) + operation.after.bytes.length);
  }
  for (const [folder, size] of needed) {
    if (files.room(folder) < 2 * size)
      throw new LspanError('refused', `There is too little space on the disk of ${quotePath(folder)}.`, {
        nextStep: `Nothing was applied. Free ${Math.ceil((2 * size) / 1024 ** 2)} MiB there and call again.`,
      });
  }
}

/** Makes everything that will be put in place, next to its future place, under the names in the journal. */
async function stageFiles(
  { steps }: Journal,
  operations: readonly Operation[],
  facts: ReadonlyMap<number, Facts>,
  disk: PinnedDisk,
): Promise<void> {
  await inParallel(steps.entries(), limits.undo.atOnce, async ([index, step]) => {
    const operation = operations[index];
    if (operation) await stageStep(step, operation, facts.get(index), disk);
  });
  await syncFoldersOf(
    steps.flatMap(({ staged, copied }) => [staged, copied].filter((name) => name !== undefined)),
    disk,
  );
}

async function stageStep(step: Step, operation: Operation, facts: Facts | undefined, disk: PinnedDisk) {
  const { staged, copied } = step;
  if (operation.kind === 'make_folder' && staged) {
    const place = disk.pins.entry(staged);
    disk.files.makeFolder(place, 0o700);
    await disk.files.setMode(place, operation.mode);
    // The sync of the folder above covers its name, but not its mode.
    await disk.files.syncFolder(place);
  }
  if (operation.kind !== 'put') return;
  const { before, after, path } = operation;
  if (staged) await stageContent(staged, after, path, facts, disk);
  // After the other: if only this one is left, the step was applied.
  if (copied) await stageContent(copied, before ?? emptyFile, path, before && facts, disk);
}

const emptyFile: Content = { kind: 'file', bytes: Buffer.alloc(0), hash: '', mode: 0o600 };

async function stageContent(
  name: string,
  content: Content,
  path: string,
  facts: Facts | undefined,
  { files, pins }: PinnedDisk,
): Promise<void> {
  const place = pins.entry(name);
  if (content.kind === 'link') return files.makeLink(content.target, place);
  const equip = async (file: NewFile) => {
    if (facts) await keepOwner(file, facts, path);
    // After the owner, since changing that clears bits of the mode.
    await file.chmod(content.mode);
  };
  await writeNew(files, place, content.bytes, { equip });
}

async function keepOwner(file: NewFile, { owner, group }: Facts, path: string): Promise<void> {
  const made = await file.owner();
  if (made.owner === owner && made.group === group) return;
  await file.chown(owner, group).catch((thrown: unknown) => {
    if (codeOf(thrown) !== 'EPERM') throw thrown;
    throw new LspanError('refused', `The change would lose the owner or group of ${quotePath(path)}.`, {
      nextStep: 'Nothing was changed. Its owner can make the change.',
    });
  });
}
