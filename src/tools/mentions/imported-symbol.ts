import { limits } from '../../core/limits.ts';
import type { Span } from '../../core/question.ts';
import {
  type ImportedName,
  importedNameAt,
  isExportedAt,
  modulesPassedOn,
} from '../../source-text/imports.ts';
import { Packages } from '../../source-text/packages.ts';
import { occurrences } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import type { SpanSet } from './span-set.ts';

/**
 * What a mention in code is: a use that the server resolves but did not list, a use behind an import that the server
 * cannot follow, something else, or not known.
 */
export type Meaning = 'use' | 'imported_use' | 'other_symbol' | 'unverified';

/** Follows imports that the server cannot resolve to the sources of the workspace, to see whether they mean a symbol. */
export class ImportedSymbol {
  readonly #context: ToolContext;
  readonly #name: string;
  readonly #known: SpanSet;
  #packages: Promise<Packages> | undefined;
  #files: ReadonlySet<string> | undefined;

  /** `known` are the uses of the symbol that the server lists, its declaration included. */
  constructor(context: ToolContext, name: string, known: SpanSet) {
    this.#context = context;
    this.#name = name;
    this.#known = known;
  }

  /** Returns what a mention means whose definition, according to the server, is this one and not the symbol. */
  async meaningOf(definition: Span): Promise<Meaning> {
    const { path, range, standing } = definition;
    if (standing !== 'inside') return 'other_symbol';
    if (!this.#listed().has(path)) return this.#meaningOfBuilt(path);
    // A server that can follow an import answers with what it leads to, not with the import.
    return (await this.meaningOfImportAt({ path, range })) ?? 'other_symbol';
  }

  /** Returns what a name in an import means; `undefined` if it does not stand in one. */
  async meaningOfImportAt({ path, range }: Pick<Span, 'path' | 'range'>): Promise<Meaning | undefined> {
    const document = await documentAt(this.#context, path);
    if (document === undefined) return 'unverified';
    const imported = importedNameAt(path, document.text, document.offsetAt(range.start));
    return imported && this.#meaningOfImport(imported, path, new Set());
  }

  /** Returns whether an import takes a name from a module outside the workspace; `undefined` if it is not an import. */
  async isForeignAt({ path, text }: Document, offset: number): Promise<boolean | undefined> {
    const imported = importedNameAt(path, text, offset);
    if (imported === undefined) return undefined;
    const packages = await this.#readPackages();
    return packages.sources(imported.module, path).length === 0 && packages.isForeign(imported.module, path);
  }

  async #meaningOfImport({ module, name }: ImportedName, from: string, seen: Set<string>): Promise<Meaning> {
    if (name === '*') return 'other_symbol';
    const packages = await this.#readPackages();
    const sources = packages.sources(module, from);
    if (sources.length === 0) return packages.isForeign(module, from) ? 'other_symbol' : 'unverified';
    if (name !== this.#name && name !== 'default') return 'unverified';
    return this.#exportOf(sources, seen);
  }

  /** A file that is ignored may be built from a source. */
  async #meaningOfBuilt(path: string): Promise<Meaning> {
    const sources = (await this.#readPackages()).sourcesOfBuilt(path);
    return sources.length === 0 ? 'unverified' : this.#exportOf(sources, new Set());
  }

  /** Returns whether modules export the symbol, or something else with its name. */
  async #exportOf(sources: readonly string[], seen: Set<string>): Promise<Meaning> {
    const meanings: Meaning[] = [];
    for (const source of sources) {
      if (seen.has(source) || seen.size > limits.mentions.reexports) continue;
      seen.add(source);
      const document = await documentAt(this.#context, source);
      if (document) meanings.push(await this.#exportIn(document, seen));
    }
    return order.find((meaning) => meanings.includes(meaning)) ?? 'unverified';
  }

  async #exportIn(document: Document, seen: Set<string>): Promise<Meaning> {
    const { path, text } = document;
    const all = occurrences(text, this.#name);
    const exported = all.filter((offset) => isExportedAt(path, text, offset));
    const isKnown = (offset: number) => this.#known.has(path, document.positionAt(offset));
    if (exported.some(isKnown)) return 'imported_use';
    if (exported.length > 0) {
      // A name that is imported here may be passed on.
      const [imported] = all.flatMap((offset) => importedNameAt(path, text, offset) ?? []);
      return imported ? this.#meaningOfImport(imported, path, seen) : 'other_symbol';
    }
    const packages = await this.#readPackages();
    const further = modulesPassedOn(path, text).flatMap((module) => packages.sources(module, path));
    return this.#exportOf(further, seen);
  }

  #listed(): ReadonlySet<string> {
    this.#files ??= new Set(this.#context.workspace.files());
    return this.#files;
  }

  #readPackages(): Promise<Packages> {
    const read = async (file: string) => (await documentAt(this.#context, file))?.text;
    this.#packages ??= Packages.read(this.#listed(), read);
    return this.#packages;
  }
}

const order: readonly Meaning[] = ['imported_use', 'other_symbol'];
