import { closeSync, constants, fchmodSync, fsyncSync, openSync, writeFileSync } from 'node:fs';

/** Creates a new file for its owner alone, regardless of the umask; returns its descriptor. */
export function createPrivateFile(file: string): number {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const descriptor = openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  fchmodSync(descriptor, 0o600);
  return descriptor;
}

/** Like `createPrivateFile`, but writes a text and waits until it is on the disk. */
export function writePrivateFile(file: string, text: string): void {
  const descriptor = createPrivateFile(file);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Waits until the names in a folder are on the disk, which Windows does not offer. */
export function syncNames(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
