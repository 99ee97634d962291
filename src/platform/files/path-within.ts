import path from 'node:path';

/** True if a path is a folder or lies in it; both are real paths. */
export function isPathWithin(folder: string, file: string): boolean {
  if (file === folder) return true;
  return file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}
