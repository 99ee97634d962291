import { dirname, join } from 'node:path';
import { limits } from '../../../core/limits.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { ImportFollower } from '../import-follower.ts';

/**
 * Returns whether a file of a language with scripts in it, which no server reads for a symbol of a script, may use it: its
 * text imports something of the workspace. What is mostly prose must import the name itself, or load the script.
 */
export async function mayUseByImport(
  follower: ImportFollower,
  { path, text }: Document,
  { name, definedIn }: { readonly name: string; readonly definedIn: string },
): Promise<boolean> {
  const isProse = prose.test(path);
  if (!isProse && !components.test(path)) return false;
  if (isPage(path) && loadsScript(path, text, definedIn)) return true;
  const packages = await follower.packages();
  const code = isProse ? text.replace(fenced, '') : text;
  let left = limits.mentions.embeddedImports;
  for (const { groups } of code.matchAll(importing)) {
    const { names = '', module = groups?.required ?? '' } = groups ?? {};
    // Samples in documents import the package by its name.
    const isOwn = own.test(module) || packages.isAlias(module, path);
    const isMeant = !isProse || (isOwn && (names.match(words)?.includes(name) ?? false));
    if (isMeant && packages.sources(module, path).length > 0) return true;
    left -= 1;
    if (left === 0) return true;
  }
  return false;
}

/** True for a page of HTML: its server knows each page alone, and takes an import for what it imports. */
export function isPage(path: string): boolean {
  return /\.html?$/i.test(path);
}

/** Returns whether a page loads a script as no module, so that what it declares is there by its name. */
function loadsScript(path: string, text: string, script: string): boolean {
  for (const [, attributes = ''] of text.matchAll(scriptTags)) {
    const given = scriptSource.exec(attributes)?.[1]?.replace(/[?#].*$/, '') ?? '';
    const isSame = given.startsWith('/') ? script.endsWith(given) : join(dirname(path), given) === script;
    if (given !== '' && isSame && !/\btype\s{0,9}=\s{0,9}["']?module\b/i.test(attributes)) return true;
  }
  return false;
}

const scriptTags = /<script\b([^<>]{1,1000})>/gi;
const scriptSource = /\bsrc\s{0,9}=\s{0,9}["']?([^"'\s>]{1,500})/i;

const components = /\.(?:astro|vue|svelte|marko|riot|coffee|civet|imba)$/i;
const prose = /\.(?:mdx|html?)$/i;

const own = /^(?:\.{0,2}\/|[@~]\/)/;

/** Samples of code in a document. */
const fenced = /^ {0,3}(```|~~~)[\s\S]*?^ {0,3}\1/gm;
const importing =
  /\b(?:import|export)\b(?<names>[^'"`;]{0,2000}?)(?<quote>["'])(?<module>[^"'\n]{1,500})\k<quote>|\brequire\s{0,9}\(?\s{0,99}(?<q>["'])(?<required>[^"'\n]{1,500})\k<q>/g;
const words = /[\p{ID_Continue}$]+/gu;
