import path from 'node:path';
import { codeOf, type FileSystem, type NewFile } from './file-system.ts';

/** Creates a file with a content; waits until it is on the disk, unless it need not last. */
export async function writeNew(
  files: FileSystem,
  place: string,
  bytes: Buffer,
  { isLasting = true, equip }: { isLasting?: boolean; equip?: (file: NewFile) => Promise<void> } = {},
): Promise<void> {
  const file = await files.create(place);
  const writing = async () => {
    await file.write(bytes);
    await equip?.(file);
    if (isLasting) await file.sync();
  };
  await writing().finally(() => file.close());
}

/** Makes a folder of lspan's own, and missing ones above it, so that they survive a power loss. */
export async function makeLastingFolder(files: FileSystem, folder: string): Promise<void> {
  if (files.look(folder)) return;
  const above = path.dirname(folder);
  await makeLastingFolder(files, above);
  await Promise.resolve()
    .then(() => files.makeFolder(folder, 0o700))
    .catch((thrown: unknown) => {
      // Another lspan was faster.
      if (codeOf(thrown) !== 'EEXIST') throw thrown;
    });
  await files.syncFolder(above);
}
