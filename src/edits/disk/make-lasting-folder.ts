import path from 'node:path';
import { codeOf, type FileSystem } from './file-system.ts';

/** Makes a folder of lspan's own, and those above it that are missing, so that no loss of power takes them away again. */
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
