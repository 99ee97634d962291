import { closeSync, constants, fchmodSync, fsyncSync, openSync, writeFileSync } from 'node:fs';

/** Makes a file that is not there yet, for its owner alone whatever the process masks; gives its descriptor. */
export function createPrivateFile(file: string): number {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const descriptor = openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  fchmodSync(descriptor, 0o600);
  return descriptor;
}

/** Makes such a file with a text, which is on the disk when this ends. */
export function writePrivateFile(file: string, text: string): void {
  const descriptor = createPrivateFile(file);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Has the names in a folder on the disk. Windows cannot be asked to. */
export function syncNames(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
