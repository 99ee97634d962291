import { mkdirSync } from 'node:fs';

/** Makes a folder of lspan's own that nobody else can look into; those above it that are missing too. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}
