import { occurrences } from '../words.ts';

/**
 * Returns whether only the files in the folder of a file of Go can use what it calls by a name on one of its lines: the name
 * begins with no capital letter, and is not that of a package, which is used wherever it is imported.
 */
export function isOfOwnPackage(
  file: string,
  text: string,
  { name, line }: { name: string; line: string },
): boolean {
  if (!file.endsWith('.go') || /^\p{Lu}/u.test(name) || /^\s*package\b/.test(line)) return false;
  return !importDeclarations(text).some((one) => occurrences(one, name).length > 0);
}

function importDeclarations(text: string): readonly string[] {
  return Array.from(text.matchAll(/^[ \t]*import\b(?:\s*\([^)]*|[^\n]*)/gm), ([found]) => found);
}
