import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { realFile } from '../../../platform/files/real-file.ts';

/** The folders below the user's home that a path means whose parts may be `*`; of several the last by name comes first. */
export function homeFolders(
  pattern: string,
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const home = environment.HOME || homedir();
  return pattern.split('/').reduce<string[]>(
    (folders, part) => {
      if (part !== '*') return folders.map((folder) => path.join(folder, part));
      return folders.flatMap((folder) => namesIn(folder).map((name) => path.join(folder, name)));
    },
    [home],
  );
}

function namesIn(folder: string): string[] {
  return realFile(folder)?.stats.isDirectory() ? readdirSync(folder).sort().reverse() : [];
}
