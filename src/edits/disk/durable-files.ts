import type { FileSystem, NewFile } from './file-system.ts';

/** Makes a file with a content, which is on the disk when this ends unless it need not last. */
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
