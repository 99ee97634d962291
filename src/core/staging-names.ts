/** Returns the name of a temporary entry, which exists only while an edit is written, from 24 hex digits. */
export function stagingName(digits: string): string {
  return `.lspan-${digits}`;
}

/** Returns whether a name is a staging name; such entries are ignored, since they are gone in a moment. */
export function isStagingName(name: string): boolean {
  return /^\.lspan-[0-9a-f]{24}$/.test(name);
}
