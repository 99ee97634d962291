import { basename } from 'node:path';
import type { Place, Span } from '../../../core/question.ts';
import {
  declaresProperty,
  type PropertyGiven,
  propertyGiven,
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
  #isProperty: Promise<boolean> | undefined;

  constructor(context: ToolContext, follower: ImportFollower, { place }: SearchedSymbol) {
    this.#context = context;
    this.#follower = follower;
    this.#place = place;
  }

  /** Returns what an attribute of a component means; `undefined` if the mention or the symbol is none. */
  async meaningOf({ path, range }: Span): Promise<Meaning | undefined> {
    if (!isSvelte(path) || !isSvelte(this.#place.path)) return undefined;
    const document = await documentAt(this.#context, path);
    if (!document) return undefined;
    const word = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
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

  async #declares(): Promise<boolean> {
    const { path, position } = this.#place;
    const document = await documentAt(this.#context, path);
    const word = document && wordAround(document.line(position.line), position.character);
    if (!word) return false;
    const start = document.offsetAt({ line: position.line, character: word.start });
    return declaresProperty(document.text, { start, end: start + word.text.length });
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
  { tag }: PropertyGiven,
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
