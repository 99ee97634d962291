import path from 'node:path';
import type { ReadFile } from './compiler-options.ts';

/** Reads the paths under which packages of a workspace are imported in Go: of its modules, and of what they replace. */
export async function readGoModules(files: Iterable<string>, read: ReadFile): Promise<readonly string[]> {
  const manifests = [...files].filter((file) => /^go\.(?:mod|work)$/.test(path.basename(file)));
  const texts = await Promise.all(manifests.map(read));
  return [...new Set(texts.flatMap((text = '') => pathsIn(text)))];
}

function pathsIn(text: string): readonly string[] {
  const own = /^[ \t]*module[ \t]+["`]?([^\s"`]+)/m.exec(text)?.[1];
  const replaced = Array.from(text.matchAll(replacement), ([, name = '']) => name);
  return own === undefined ? replaced : [own, ...replaced];
}

/** Replaces a module by a folder. */
const replacement =
  /^[ \t]*(?:replace[ \t]+)?["`]?([^\s"`()]+)["`]?(?:[ \t]+v\S+)?[ \t]+=>[ \t]+["`]?\.{0,2}\//gm;

/** True if the path of an import of Go is in no module of a workspace. */
export function isForeignToGo(imported: string, modules: readonly string[]): boolean {
  if (modules.length === 0 || imported === 'C' || /^\.{1,2}\//.test(imported)) return false;
  return !modules.some((one) => imported === one || imported.startsWith(`${one}/`));
}

/** Returns the path that a line of Go imports. */
export function importedOnLine(line: string): string | undefined {
  return importing.exec(line)?.[2];
}

const importing = /^\s*(?:import\b[\s(]*)?(?:[\p{L}_][\p{L}\p{N}_]*\s+)?(["`])([^"`\n]+)\1/u;
