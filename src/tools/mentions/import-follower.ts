import { limits } from '../../core/limits.ts';
import type { Span } from '../../core/question.ts';
import {
  defaultExportOf,
  type ImportedName,
  importedNameAt,
  isExportedAt,
  modulesPassedOn,
} from '../../source-text/imports.ts';
import { lexicalAt } from '../../source-text/lexical.ts';
import { Packages } from '../../source-text/packages.ts';
import { occurrences, wordAt } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';

/** What an import, or a definition in a built file, leads to in the sources of the workspace. */
export interface Followed {
  readonly isBuilt: boolean;
  /** The module of the import; empty for a built file. */
  readonly module: string;
  /** True if the module is known not to be of this workspace. */
  readonly isForeign: boolean;
  readonly source: Span | undefined;
}

/** Follows imports by the text, for servers that cannot resolve them. */
export class ImportFollower {
  readonly #context: ToolContext;
  #packages: Promise<Packages> | undefined;

  constructor(context: ToolContext) {
    this.#context = context;
  }

  /** Returns what a definition leads to; `undefined` if it is neither an import nor in a built file. */
  async follow({ path, range }: Pick<Span, 'path' | 'range'>): Promise<Followed | undefined> {
    const document = await documentAt(this.#context, path);
    // A file that cannot be read is none of the sources.
    if (document === undefined) return { isBuilt: true, module: '', isForeign: false, source: undefined };
    const offset = document.offsetAt(range.start);
    const imported = await this.followImport(document, offset);
    return imported ?? this.#followBuilt(document, offset);
  }

  /** Returns what the name at an offset is imported from; `undefined` if it does not stand in an import. */
  async followImport({ path, text }: Document, offset: number): Promise<Followed | undefined> {
    const imported = importedNameAt(path, text, offset);
    if (imported === undefined) return undefined;
    const { module } = imported;
    const source = await this.#exported(imported, path, new Set());
    const packages = await this.#read();
    const isForeign = packages.sources(module, path).length === 0 && packages.isForeign(module, path);
    return { isBuilt: false, module, isForeign, source };
  }

  async #followBuilt(document: Document, offset: number): Promise<Followed | undefined> {
    const { path } = document;
    const packages = await this.#read();
    if (packages.has(path)) return undefined;
    const { line, character } = document.positionAt(offset);
    const name = wordAt(document.line(line), character);
    const sources = name === undefined ? [] : packages.sourcesOfBuilt(path);
    const source = name === undefined ? undefined : await this.#exportedBy(sources, name, new Set());
    return { isBuilt: true, module: '', isForeign: false, source };
  }

  async #exported(
    { module, name }: ImportedName,
    from: string,
    seen: Set<string>,
  ): Promise<Span | undefined> {
    const [source, ...others] = (await this.#read()).sources(module, from);
    if (source === undefined) return undefined;
    if (name === '*') return spanAt(await documentAt(this.#context, source), 0, 0);
    return this.#exportedBy([source, ...others], name, seen);
  }

  async #exportedBy(sources: readonly string[], name: string, seen: Set<string>): Promise<Span | undefined> {
    for (const source of sources) {
      if (seen.has(source) || seen.size > limits.mentions.reexports) continue;
      seen.add(source);
      const document = await documentAt(this.#context, source);
      const found = document && (await this.#exportedIn(document, name, seen));
      if (found) return found;
    }
    return undefined;
  }

  async #exportedIn(document: Document, name: string, seen: Set<string>): Promise<Span | undefined> {
    const { path, text } = document;
    const byDefault = name === 'default' ? defaultExportOf(text) : undefined;
    if (byDefault) return spanAt(document, byDefault.offset, byDefault.length);
    const offsets = occurrences(text, name);
    const kinds = lexicalAt(path, text, offsets);
    const [exported] = offsets.filter((at, index) => kinds[index] === 'code' && isExportedAt(path, text, at));
    if (exported !== undefined) {
      const [again] = offsets.flatMap((at) => importedNameAt(path, text, at) ?? []);
      return again ? this.#exported(again, path, seen) : spanAt(document, exported, name.length);
    }
    const packages = await this.#read();
    const further = modulesPassedOn(path, text).flatMap((module) => packages.sources(module, path));
    return this.#exportedBy(further, name, seen);
  }

  #read(): Promise<Packages> {
    const read = async (file: string) => (await documentAt(this.#context, file))?.text;
    this.#packages ??= Packages.read(this.#context.workspace.files(), read);
    return this.#packages;
  }
}

function spanAt(document: Document | undefined, offset: number, length: number): Span | undefined {
  if (document === undefined) return undefined;
  const range = { start: document.positionAt(offset), end: document.positionAt(offset + length) };
  return { path: document.path, range, standing: 'inside' };
}
