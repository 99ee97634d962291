import { LspanError } from '../../core/errors.ts';
import { quotePath } from '../../core/wording/quote-path.ts';
import { inParallel, writeNew } from '../disk/durable-files.ts';
import { codeOf, type Facts, type NewFile } from '../disk/file-system.ts';
import type { PinnedDisk } from '../disk/pinned-disk.ts';
import { syncFoldersOf } from '../disk/sync-folders.ts';
import type { Content, Operation } from '../plan.ts';
import type { Journal } from './journal.ts';
import type { Step } from './step.ts';

/** Makes everything that will be put in place, next to its future place, under the names in the journal. */
export async function stageFiles(
  { steps }: Journal,
  operations: readonly Operation[],
  facts: ReadonlyMap<number, Facts>,
  disk: PinnedDisk,
): Promise<void> {
  await inParallel(steps.entries(), async ([index, step]) => {
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
    throw new LspanError('refused', `${quotePath(path)} belongs to a user or group that it would lose.`, {
      nextStep: 'Nothing was changed. Have its owner make the change.',
    });
  });
}
