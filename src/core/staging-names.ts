/** A name for what stands in the tree only while an edit is written; its 24 hexadecimal digits are given. */
export function stagingName(digits: string): string {
  return `.lspan-${digits}`;
}

/** Whether a name is such a one: what has it is nobody's business, since it is gone in a moment. */
export function isStagingName(name: string): boolean {
  return /^\.lspan-[0-9a-f]{24}$/.test(name);
}
