import { limits } from '../../core/limits.ts';
import type { Span } from '../../core/question.ts';
import { Pace } from '../../core/runtime/slices.ts';
import { exportedWords } from '../../source-text/exports.ts';
import { lexicalAt } from '../../source-text/lexical.ts';
import type { ModuleLink } from '../../source-text/module-links.ts';
import type { Packages } from '../../source-text/packages/packages.ts';
import { occurrences } from '../../source-text/words.ts';
import { type Document, rangeAt } from '../../workspace/texts/document.ts';
import { documentAt } from '../show/document-at.ts';
import { uniqueSpans } from '../show/location.ts';
import type { SearchedSymbol } from './meaning/searched-symbol.ts';
import type { FoundMentions, Mention } from './mentions.ts';
import { explain, type Search } from './search-name.ts';
import { SpanSet } from './span-set.ts';

/** Finds the uses of a default export in the files that import it under a name of their own. */
export async function searchDefault(
  search: Search,
  symbol: SearchedSymbol,
  files: ReadonlySet<string>,
): Promise<FoundMentions> {
  const packages = await search.follower.packages();
  const { chosen, left } = await importersOf(search, packages, files);
  const known = await SpanSet.from(symbol.references);
  const isNew = ({ path, range }: Span) => !known.has(path, range.start);
  const taken = await takenIn(search, chosen, { files, packages, wholes: await wholeModules(search, files) });
  const asked = uniqueSpans(taken.asked.filter(isNew));
  const found = await explain(search, { ...symbol, name: 'default' }, asked);
  const explained = await SpanSet.from([...found.found, ...found.uses]);
  const unnamed = taken.loaded.filter((one) => isNew(one) && !explained.has(one.path, one.range.start));
  return { ...found, found: [...found.found, ...unnamed], left };
}

interface Exporters {
  readonly files: ReadonlySet<string>;
  /** Those of the files that are one value as a whole: `module.exports = name`. */
  readonly wholes: ReadonlySet<string>;
  readonly packages: Packages;
}

/** Returns where files take a default, and where they load a module that has one without a word of what they take. */
async function takenIn(
  { context, follower }: Search,
  paths: readonly string[],
  exporters: Exporters,
): Promise<{ readonly asked: readonly Mention[]; readonly loaded: readonly Mention[] }> {
  const [asked, loaded, pace]: [Mention[], Mention[], Pace] = [[], [], new Pace()];
  for (const path of paths) {
    if (pace.isLate()) await pace.rest();
    const document = await documentAt(context, path);
    if (!document) continue;
    for (const link of follower.linksIn(document)) {
      const reach = reachOf(link, path, exporters);
      if (reach === 'none') continue;
      asked.push(...defaultsAt(document, link, reach).map((offset) => mentionAt(document, offset)));
      if (link.isWhole || (reach === 'perhaps' && link.name === 'default'))
        loaded.push(mentionAt(document, link.local?.offset ?? link.start));
    }
  }
  return { asked, loaded };
}

/** Returns the files that name a module which may be one of these files. */
async function importersOf(
  { context, call }: Search,
  packages: Packages,
  files: ReadonlySet<string>,
): Promise<{ readonly chosen: readonly string[]; readonly left: number }> {
  const found = new Set<string>();
  for (const file of files) {
    for (const name of packages.namesOf(file))
      for (const path of (await context.workspace.mentioning(name, call)) ?? []) found.add(path);
    for (const path of packages.besides(file)) found.add(path);
  }
  const all = [...found].filter((path) => !files.has(path));
  return {
    chosen: all.slice(0, limits.mentions.importers),
    left: Math.max(0, all.length - limits.mentions.importers),
  };
}

/** Returns those of the files that are one value as a whole. */
async function wholeModules({ context }: Search, files: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const wholes = new Set<string>();
  for (const file of files) {
    const document = await documentAt(context, file);
    const words = document ? exportedWords(file, document.text, 'default') : [];
    if (words.some(({ isWhole }) => isWhole)) wholes.add(file);
  }
  return wholes;
}

type Reach = 'value' | 'module' | 'perhaps' | 'none';

/**
 * Tells whether a link leads to one of the files: to one that is the value as a whole, or to its module. A module that
 * leads nowhere may be one of them, if it is called so.
 */
function reachOf({ module }: ModuleLink, from: string, { files, wholes, packages }: Exporters): Reach {
  const sources = packages.sources(module, from);
  if (sources.some((source) => wholes.has(source))) return 'value';
  if (sources.some((source) => files.has(source))) return 'module';
  if (sources.length > 0 || packages.isForeign(module, from)) return 'none';
  return [...files].some((file) => packages.isCalledLike(module, file)) ? 'perhaps' : 'none';
}

/** Returns the offsets where a link takes the default of its module, itself or through the name of the module. */
function defaultsAt(document: Document, { name, local, start }: ModuleLink, reach: Reach): number[] {
  if (name === 'default') return [local?.offset ?? start];
  if (name !== '*') return [];
  const members = defaultMembers(document);
  return reach === 'value' && local ? [local.offset, ...members] : members;
}

/** Returns where a text takes a member called `default`. */
function defaultMembers({ path, text }: Document): number[] {
  const offsets = occurrences(text, 'default');
  const kinds = lexicalAt(path, text, offsets);
  return offsets.filter((offset, index) => {
    const before = text.slice(Math.max(0, offset - limits.mentions.ahead), offset);
    const after = text.slice(offset, offset + limits.mentions.ahead);
    const isTaken = /[{,]\s*$/.test(before) && /^default\s*:\s*[\p{ID_Start}$_]/u.test(after);
    return kinds[index] === 'code' && (/\.\s*$/.test(before) || isTaken);
  });
}

function mentionAt(document: Document, offset: number): Mention {
  const [name = ''] =
    /^[\p{ID_Continue}$]*/u.exec(document.text.slice(offset, offset + limits.mentions.ahead)) ?? [];
  const range = rangeAt(document, offset, name.length);
  return { path: document.path, range, standing: 'inside', reason: 'unverified' };
}
