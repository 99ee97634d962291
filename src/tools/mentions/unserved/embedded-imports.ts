import { limits } from '../../../core/limits.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { ImportFollower } from '../import-follower.ts';

/**
 * Returns whether a file of a language with scripts in it, which no server reads for a symbol of a script, may use it: its
 * text imports something of the workspace. What is mostly prose must import the name itself.
 */
export async function mayUseByImport(
  follower: ImportFollower,
  { path, text }: Document,
  name: string,
): Promise<boolean> {
  const isProse = prose.test(path);
  if (!isProse && !components.test(path)) return false;
  const packages = await follower.packages();
  const code = isProse ? text.replace(fenced, '') : text;
  let left = limits.mentions.embeddedImports;
  for (const { groups } of code.matchAll(importing)) {
    const { names = '', module = groups?.required ?? '' } = groups ?? {};
    // Samples in documents import the package by its name.
    const isMeant = !isProse || (own.test(module) && (names.match(words)?.includes(name) ?? false));
    if (isMeant && packages.sources(module, path).length > 0) return true;
    left -= 1;
    if (left === 0) return true;
  }
  return false;
}

const components = /\.(?:astro|vue|svelte|marko|riot|coffee|civet|imba)$/i;
const prose = /\.(?:mdx|html?)$/i;

const own = /^(?:\.{0,2}\/|[@~]\/)/;

/** Samples of code in a document. */
const fenced = /^ {0,3}(```|~~~)[\s\S]*?^ {0,3}\1/gm;
const importing =
  /\b(?:import|export)\b(?<names>[^'"`;]{0,2000}?)(?<quote>["'])(?<module>[^"'\n]{1,500})\k<quote>|\brequire\s{0,9}\(?\s{0,99}(?<q>["'])(?<required>[^"'\n]{1,500})\k<q>/g;
const words = /[\p{ID_Continue}$]+/gu;
