import path from 'node:path';

/** Whether two paths are one name in one folder, spelled in another way: file systems differ in whether that is the same. */
export function isRespelling(from: string, to: string): boolean {
  return from !== to && path.dirname(from) === path.dirname(to) && folded(from) === folded(to);
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
