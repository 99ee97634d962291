import path from 'node:path';

/** True if two paths differ only in the spelling of the last name, which some file systems do not distinguish. */
export function isRespelling(from: string, to: string): boolean {
  return from !== to && path.dirname(from) === path.dirname(to) && folded(from) === folded(to);
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
