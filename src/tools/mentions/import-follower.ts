import { limits } from '../../core/limits.ts';
import type { Span } from '../../core/question.ts';
import {
  declarationOf,
  type ExportedWord,
  exportedNameOf,
  exportedWords,
} from '../../source-text/exports.ts';
import { isPython, linkAt, linksOf, modulesPassedOn, receiverAt } from '../../source-text/imports.ts';
import type { ImportedName, ModuleLink } from '../../source-text/module-links.ts';
import type { Packages } from '../../source-text/packages/packages.ts';
import { wordAt } from '../../source-text/words.ts';
import { type Document, rangeAt } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';

/** What an import, or a definition in a built file, leads to in the sources of the workspace. */
export interface Followed {
  readonly isBuilt: boolean;
  /** The module of the import; empty for a built file. */
  readonly module: string;
  /** True if the module is known not to be of this workspace. */
  readonly isForeign: boolean;
  /** The declarations that it may mean: several if packages or conditions of `exports` differ. */
  readonly sources: readonly Span[];
}

/** Follows imports by the text, for servers that cannot resolve them. */
export class ImportFollower {
  readonly #context: ToolContext;
  readonly #links = new Map<Document, readonly ModuleLink[]>();
  readonly #followedNames = new Map<string, Promise<readonly Span[]>>();
  #packages: Promise<Packages> | undefined;

  constructor(context: ToolContext) {
    this.#context = context;
  }

  /** Returns what a definition leads to; `undefined` if it is neither an import nor in a built file. */
  async follow({ path, range }: Pick<Span, 'path' | 'range'>): Promise<Followed | undefined> {
    const document = await documentAt(this.#context, path);
    // A file that cannot be read is none of the sources.
    if (document === undefined) return { ...built, sources: [] };
    const offset = document.offsetAt(range.start);
    const imported = await this.followImport(document, offset);
    return imported ?? this.#followBuilt(document, offset);
  }

  /** True if a file is one of the workspace, and not ignored. */
  async isSource(path: string): Promise<boolean> {
    return (await this.packages()).has(path);
  }

  /** Returns what the name at an offset is imported from; `undefined` if it does not stand in an import. */
  async followImport(document: Document, offset: number): Promise<Followed | undefined> {
    const { path } = document;
    const link = linkAt(path, document.text, offset);
    return link && this.#followed(link, path, await this.#exported(link, path, new Set()));
  }

  /**
   * Returns what a name outside of imports is, for which the server knows no definition: what the file imports under it,
   * or a member of a module that the file imports. `undefined` if no import gives it.
   */
  async followUse(document: Document, offset: number): Promise<Followed | undefined> {
    const { line, character } = document.positionAt(offset);
    const name = wordAt(document.line(line), character);
    const receiver = receiverAt(document.text, offset);
    if (name === undefined) return undefined;
    if (receiver !== undefined) {
      const from = document.positionAt(receiver);
      const module = this.#importOf(document, wordAt(document.line(from.line), from.character));
      return module && this.followMember(document, module.offset, name);
    }
    if (/\.\s*$/.test(document.line(line).slice(0, character))) return undefined;
    const imported = this.#importOf(document, name);
    return imported && this.followImport(document, imported.offset);
  }

  /** Returns where a file gives a name to an import; `undefined` also if it may be one of several. */
  #importOf(document: Document, name: string | undefined): ModuleLink['local'] {
    const links = this.linksIn(document).filter(({ local }) => local !== undefined && local.name === name);
    const isOne = new Set(links.map((link) => `${link.module} ${link.name}`)).size === 1;
    return isOne ? links[0]?.local : undefined;
  }

  /** Returns what a member of the module that is imported at an offset is; `undefined` if no module is imported there. */
  async followMember(document: Document, offset: number, member: string): Promise<Followed | undefined> {
    const { path } = document;
    const link = linkAt(path, document.text, offset);
    if (link === undefined) return undefined;
    const modules = await this.#modulesOf(link, path, new Set());
    return this.#followed(link, path, await this.#exportedBy(modules, member, new Set()));
  }

  /** Returns what a module has under a name; `*` is the module itself. */
  exportedBy(module: string, name: string, from: string): Promise<readonly Span[]> {
    return this.#exported({ module, name }, from, new Set());
  }

  /** Reads the packages of the workspace, once. */
  packages(): Promise<Packages> {
    this.#packages ??= this.#context.workspace.packages();
    return this.#packages;
  }

  /** Returns every place where a file takes a name from a module. */
  linksIn(document: Document): readonly ModuleLink[] {
    const links = this.#links.get(document) ?? linksOf(document.path, document.text);
    this.#links.set(document, links);
    return links;
  }

  async #followed({ module }: ModuleLink, path: string, sources: readonly Span[]): Promise<Followed> {
    const packages = await this.packages();
    const isForeign = packages.sources(module, path).length === 0 && packages.isForeign(module, path);
    return { isBuilt: false, module, isForeign, sources };
  }

  /** Only a name that a built file exports is that of a source: its members may have the same name. */
  async #followBuilt({ path, text }: Document, offset: number): Promise<Followed | undefined> {
    if (!mayBeBuilt.test(path)) return undefined;
    const packages = await this.packages();
    if (packages.has(path)) return undefined;
    const name = exportedNameOf(path, text, offset);
    if (name === undefined) return { ...built, sources: [] };
    return { ...built, sources: await this.#exportedBy(packages.sourcesOfBuilt(path), name, new Set()) };
  }

  async #exported({ module, name }: ImportedName, from: string, seen: Set<string>): Promise<readonly Span[]> {
    const sources = (await this.packages()).sources(module, from);
    if (name !== '*') {
      if (seen.size > 0) return this.#exportedBy(sources, name, seen);
      // Thousands of mentions may be behind the same import.
      const key = [name, ...sources].join('\n');
      const known = this.#followedNames.get(key) ?? this.#exportedBy(sources, name, seen);
      this.#followedNames.set(key, known);
      return known;
    }
    const documents = await Promise.all(sources.map((source) => documentAt(this.#context, source)));
    return documents.flatMap((document) => (document ? wholeOf(document) : []));
  }

  async #exportedBy(sources: readonly string[], name: string, seen: Set<string>): Promise<readonly Span[]> {
    const found: Span[] = [];
    for (const source of sources) {
      const key = `${source} ${name}`;
      if (seen.has(key) || seen.size > limits.mentions.reexports) continue;
      seen.add(key);
      const document = await documentAt(this.#context, source);
      if (document) found.push(...(await this.#exportedIn(document, name, seen)));
    }
    return found;
  }

  async #exportedIn(document: Document, name: string, seen: Set<string>): Promise<readonly Span[]> {
    const { path, text } = document;
    const { words, links } = this.#exports(document, name);
    if (links.length > 0) {
      const found = await Promise.all(links.map((link) => this.#exported(link, path, seen)));
      return found.flat();
    }
    if (words.length > 0)
      return distinct(words, text).map((word) =>
        spanAt(document, declarationOf(text, word), word.name.length),
      );
    const packages = await this.packages();
    const further = modulesPassedOn(path, text).flatMap((module) => packages.sources(module, path));
    return this.#exportedBy(further, name, seen);
  }

  /** Returns the files of the module that a link takes as a whole, through others that pass it on under a name. */
  async #modulesOf(
    { module, name }: ImportedName,
    from: string,
    seen: Set<string>,
  ): Promise<readonly string[]> {
    const packages = await this.packages();
    const sources = packages.sources(module, from);
    if (name === '*') return sources;
    if (isPython(from))
      return packages.sources(module.endsWith('.') ? `${module}${name}` : `${module}.${name}`, from);
    const found: string[] = [];
    for (const source of sources) {
      if (seen.has(source) || seen.size > limits.mentions.reexports) continue;
      seen.add(source);
      const document = await documentAt(this.#context, source);
      if (document) found.push(...(await this.#modulesIn(document, name, seen)));
    }
    return found;
  }

  /** Returns the files of the module that a file exports under a name. */
  async #modulesIn(document: Document, name: string, seen: Set<string>): Promise<readonly string[]> {
    const { path, text } = document;
    const { words, links } = this.#exports(document, name);
    const isOwn = links.length + words.length > 0;
    const passed = isOwn ? [] : modulesPassedOn(path, text).map((module) => ({ module, name }));
    const found: string[] = [];
    for (const link of [...links, ...passed]) found.push(...(await this.#modulesOf(link, path, seen)));
    // The default of a module of CommonJS is the module.
    if (name === 'default' && !isOwn && passed.length === 0) found.push(path);
    return found;
  }

  /** Returns what a file exports under a name: words of its own, and links if it is imported, there or before. */
  #exports(
    document: Document,
    name: string,
  ): { readonly words: readonly ExportedWord[]; readonly links: readonly ModuleLink[] } {
    const words = exportedWords(document.path, document.text, name);
    const inner = new Set(words.map((word) => word.name));
    const links = this.linksIn(document).filter(
      ({ exported, local }) => exported === name || (local !== undefined && inner.has(local.name)),
    );
    return { words, links };
  }
}

const built = { isBuilt: true, module: '', isForeign: false } as const;

/** Files that may be built: declarations, and what is below the usual folders. */
const mayBeBuilt = /\.d\.[cm]?ts$|\/(?:dist|lib|build|out|es|esm|cjs|types|typings)\//;

/** Leaves out overloads: an interface and a constant of one name are two declarations, two functions are one. */
function distinct(words: readonly ExportedWord[], text: string): readonly ExportedWord[] {
  const keywords = words.map(
    ({ offset }) => /(\w*)\s*$/.exec(text.slice(Math.max(0, offset - 40), offset))?.[1],
  );
  return words.filter((_, index) => keywords.indexOf(keywords[index]) === index);
}

/** A module is its file, or the value that it exports as a whole. */
function wholeOf(document: Document): readonly Span[] {
  const whole = isPython(document.path)
    ? undefined
    : exportedWords(document.path, document.text, 'default').find(({ isWhole }) => isWhole);
  return [whole ? spanAt(document, whole.offset, whole.name.length) : spanAt(document, 0, 0)];
}

function spanAt(document: Document, offset: number, length: number): Span {
  return { path: document.path, range: rangeAt(document, offset, length), standing: 'inside' };
}
