import { basename } from 'node:path';
import type { Call } from '../../../core/call.ts';
import { limits } from '../../../core/limits.ts';
import type { Place, Span } from '../../../core/question.ts';
import { codeOnly, enclosing } from '../../../source-text/brackets.ts';
import {
  declaresProperty,
  exportedProperties,
  type Part,
  type PropertyGiven,
  propertyGiven,
  spreadTags,
  untypedProperty,
} from '../../../source-text/names/svelte-props.ts';
import { wordAround } from '../../../source-text/words.ts';
import { type Document, rangeAt } from '../../../workspace/texts/document.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';
import { ImportFollower } from '../import-follower.ts';
import type { Meaning } from '../meaning/imported-symbol.ts';
import type { SearchedSymbol } from '../meaning/searched-symbol.ts';

/**
 * Knows whether a symbol is a property of a component of Svelte, and which attributes give it. Its server does not join them
 * where the property has no type, or is declared by `export let`.
 */
export class ComponentProps {
  readonly #context: ToolContext;
  readonly #follower: ImportFollower;
  readonly #place: Place;
  readonly #name: string;
  #spreading: Promise<Spreading> | undefined;
  #isProperty: Promise<boolean> | undefined;

  constructor(context: ToolContext, follower: ImportFollower, { place, name }: SearchedSymbol) {
    this.#context = context;
    this.#follower = follower;
    this.#place = place;
    this.#name = name;
  }

  /** Returns what an attribute of a component means; `undefined` if the mention or the symbol is none. */
  async meaningOf({ path, range }: Span): Promise<Meaning | undefined> {
    if (!isSvelte(path) || !isSvelte(this.#place.path)) return undefined;
    const document = await documentAt(this.#context, path);
    if (!document) return undefined;
    const word = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
    const listed = path === this.#place.path ? await this.#listedMeaning(document, word) : undefined;
    if (listed) return listed;
    const given = propertyGiven(document.text, word);
    if (!given) return undefined;
    this.#isProperty ??= this.#declares();
    if (!(await this.#isProperty)) return undefined;
    const { files, modules } = await componentOf(document, given, this.#follower);
    const own = this.#place.path;
    if (files.includes(own)) return 'use';
    // An alias in its path may lead anywhere, but not to a file of another name.
    const isOther = (module: string) => isSvelte(module) && basename(module) !== basename(own);
    const isKnown = files.length > 0 || (modules.length > 0 && modules.every(isOther));
    return isKnown ? 'other_symbol' : 'unverified';
  }

  /**
   * Returns what a mention means that is another symbol by itself: what a spread gives to the component may be the property,
   * if it is a key where the spread is, or in what is imported there, or is given to the component with the spread.
   */
  async withSpreads(mention: Span, meaning: Meaning, call: Call): Promise<Meaning> {
    if (meaning !== 'other_symbol' || !isSvelte(this.#place.path)) return meaning;
    this.#isProperty ??= this.#declares();
    if (!(await this.#isProperty)) return meaning;
    const document = await documentAt(this.#context, mention.path);
    if (!document) return meaning;
    const word = { start: document.offsetAt(mention.range.start), end: document.offsetAt(mention.range.end) };
    this.#spreading ??= this.#findSpreading(call);
    const { files, near } = await this.#spreading;
    const given = isSvelte(mention.path) ? propertyGiven(document.text, word) : undefined;
    if (given) {
      const component = await componentOf(document, given, this.#follower);
      return component.files.some((file) => files.has(file)) ? 'unverified' : meaning;
    }
    return near.has(mention.path) && isKey(document.text, word) ? 'unverified' : meaning;
  }

  async #findSpreading(call: Call): Promise<Spreading> {
    const [files, near] = [new Set<string>(), new Set<string>()];
    const name = basename(this.#place.path, '.svelte');
    const named = (await this.#context.workspace.mentioning(name, call)) ?? [];
    for (const path of named.filter(isSvelte).slice(0, limits.mentions.files)) {
      const document = await documentAt(this.#context, path);
      if (!document || !(await this.#isSpreadIn(document))) continue;
      files.add(path);
      for (const one of [path, ...(await this.#importedBy(document))]) near.add(one);
    }
    return { files, near };
  }

  /** True if a file gives properties to the component by a spread. */
  async #isSpreadIn(document: Document): Promise<boolean> {
    const components = await Promise.all(
      spreadTags(document.text).map((tag) => componentOf(document, { tag }, this.#follower)),
    );
    return components.some(({ files }) => files.includes(this.#place.path));
  }

  async #importedBy(document: Document): Promise<readonly string[]> {
    const packages = await this.#follower.packages();
    return this.#follower.linksIn(document).flatMap(({ module }) => packages.sources(module, document.path));
  }

  /** Returns what a word of `export { a as b }` means: the variable, or the property that it becomes. */
  async #listedMeaning({ text }: Document, { start, end }: Part): Promise<Meaning | undefined> {
    const isAt = (part: Part) => part.start === start && part.end === end;
    const listed = exportedProperties(text).find(({ local, name }) => isAt(local) || isAt(name));
    if (!listed || (await this.#variable()) !== text.slice(listed.local.start, listed.local.end))
      return undefined;
    return isAt(listed.local) ? 'use' : 'other_symbol';
  }

  /** Returns the name of the symbol, if it is a variable of the component as a whole. */
  async #variable(): Promise<string | undefined> {
    const own = await this.#word();
    if (!own) return undefined;
    const script = own.document.text.slice(0, own.start);
    const opened = script.lastIndexOf('<script');
    const isOutermost = opened >= 0 && enclosing(codeOnly(script.slice(opened))) === undefined;
    return isOutermost ? own.document.text.slice(own.start, own.end) : undefined;
  }

  async #word(): Promise<(Part & { readonly document: Document }) | undefined> {
    const { path, position } = this.#place;
    const document = await documentAt(this.#context, path);
    const word = document && wordAround(document.line(position.line), position.character);
    if (!word) return undefined;
    const start = document.offsetAt({ line: position.line, character: word.start });
    return { document, start, end: start + word.text.length };
  }

  async #declares(): Promise<boolean> {
    const own = await this.#word();
    if (!own) return false;
    const { text } = own.document;
    const variable = await this.#variable();
    const isListed = exportedProperties(text).some(
      ({ local, name }) =>
        text.slice(local.start, local.end) === variable && text.slice(name.start, name.end) === this.#name,
    );
    return isListed || declaresProperty(text, own);
  }
}

/**
 * Returns where a component of Svelte declares the property that an attribute gives, if its server does not know: a property
 * without a type. `undefined` if there is none.
 */
export async function propertyMeant(
  context: ToolContext,
  { path, position }: Place,
): Promise<Place | undefined> {
  const document = isSvelte(path) ? await documentAt(context, path) : undefined;
  const word = document && wordAround(document.line(position.line), position.character);
  if (!word) return undefined;
  const start = document.offsetAt({ line: position.line, character: word.start });
  const given = propertyGiven(document.text, { start, end: start + word.text.length });
  // In the short form, the word is also a variable of its own file.
  if (!given || given.isShorthand) return undefined;
  const { files } = await componentOf(document, given, new ImportFollower(context));
  const [component, ...others] = files;
  const declaring =
    component !== undefined && others.length === 0 ? await documentAt(context, component) : undefined;
  const declared = declaring && untypedProperty(declaring.text, word.text);
  return declared && { path: declaring.path, position: rangeAt(declaring, declared.start, 0).start };
}

/** The files with a spread of properties, and those with what they import. */
interface Spreading {
  readonly files: ReadonlySet<string>;
  readonly near: ReadonlySet<string>;
}

/** True if a word is a key of an object. */
function isKey(text: string, { start, end }: Part): boolean {
  return (
    /[{,]\s*['"]?$/.test(text.slice(Math.max(0, start - limits.mentions.ahead), start)) &&
    /^['"]?\s*[:,}]/.test(text.slice(end))
  );
}

function isSvelte(path: string): boolean {
  return path.endsWith('.svelte');
}

/** The component of a tag: its files, as far as an import leads to them, and the modules that it is imported from. */
interface Component {
  readonly files: readonly string[];
  readonly modules: readonly string[];
}

async function componentOf(
  document: Document,
  { tag }: Pick<PropertyGiven, 'tag'>,
  follower: ImportFollower,
): Promise<Component> {
  if (tag === 'svelte:self') return { files: [document.path], modules: [] };
  const packages = await follower.packages();
  const links = follower.linksIn(document).filter(({ local }) => local?.name === tag);
  const found = await Promise.all(
    links.map(async ({ module, name, local }) => {
      if (name === 'default') return packages.sources(module, document.path);
      const followed = local && (await follower.followImport(document, local.offset));
      return (followed?.sources ?? []).map(({ path }) => path);
    }),
  );
  return { files: [...new Set(found.flat())].filter(isSvelte), modules: links.map(({ module }) => module) };
}
