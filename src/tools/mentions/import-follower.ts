import { limits } from '../../core/limits.ts';
import type { Span } from '../../core/question.ts';
import {
  defaultExportOf,
  type ImportedName,
  importedNameAt,
  isExportedAt,
  isPython,
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
  /** The declarations that it may mean: several if packages or conditions of `exports` differ. */
  readonly sources: readonly Span[];
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
    if (document === undefined) return { ...built, sources: [] };
    const offset = document.offsetAt(range.start);
    const imported = await this.followImport(document, offset);
    return imported ?? this.#followBuilt(document, offset);
  }

  /** True if a file is one of the workspace, and not ignored. */
  async isSource(path: string): Promise<boolean> {
    return (await this.#read()).has(path);
  }

  /** Returns what the name at an offset is imported from; `undefined` if it does not stand in an import. */
  async followImport({ path, text }: Document, offset: number): Promise<Followed | undefined> {
    const imported = importedNameAt(path, text, offset);
    if (imported === undefined) return undefined;
    const { module } = imported;
    const sources = await this.#exported(imported, path, new Set());
    const packages = await this.#read();
    const isForeign = packages.sources(module, path).length === 0 && packages.isForeign(module, path);
    return { isBuilt: false, module, isForeign, sources };
  }

  /** Only a name that a built file exports is that of a source: its members may have the same name. */
  async #followBuilt(document: Document, offset: number): Promise<Followed | undefined> {
    const { path, text } = document;
    if (!mayBeBuilt.test(path)) return undefined;
    const packages = await this.#read();
    if (packages.has(path)) return undefined;
    const { line, character } = document.positionAt(offset);
    const name = wordAt(document.line(line), character);
    if (name === undefined || !isExportedAt(path, text, offset)) return { ...built, sources: [] };
    return { ...built, sources: await this.#exportedBy(packages.sourcesOfBuilt(path), name, new Set()) };
  }

  async #exported({ module, name }: ImportedName, from: string, seen: Set<string>): Promise<readonly Span[]> {
    const sources = (await this.#read()).sources(module, from);
    if (name !== '*') return this.#exportedBy(sources, name, seen);
    const documents = await Promise.all(sources.map((source) => documentAt(this.#context, source)));
    return documents.flatMap((document) => (document ? [spanAt(document, 0, 0)] : []));
  }

  async #exportedBy(sources: readonly string[], name: string, seen: Set<string>): Promise<readonly Span[]> {
    const found: Span[] = [];
    for (const source of sources) {
      if (seen.has(source) || seen.size > limits.mentions.reexports) continue;
      seen.add(source);
      const document = await documentAt(this.#context, source);
      if (document) found.push(...(await this.#exportedIn(document, name, seen)));
    }
    return found;
  }

  async #exportedIn(document: Document, name: string, seen: Set<string>): Promise<readonly Span[]> {
    const { path, text } = document;
    if (name === 'default' && !isPython(path)) {
      const exported = defaultExportOf(text);
      return exported ? [spanAt(document, exported.offset, exported.length)] : [];
    }
    const offsets = occurrences(text, name);
    const kinds = lexicalAt(path, text, offsets);
    const [exported] = offsets.filter((at, index) => kinds[index] === 'code' && isExportedAt(path, text, at));
    if (exported !== undefined) {
      const [again] = offsets.flatMap((at) => importedNameAt(path, text, at) ?? []);
      return again ? this.#exported(again, path, seen) : [spanAt(document, exported, name.length)];
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

const built = { isBuilt: true, module: '', isForeign: false } as const;

/** Files that may be built: declarations, and what is below the usual folders. */
const mayBeBuilt = /\.d\.[cm]?ts$|\/(?:dist|lib|build|out|es|esm|cjs|types|typings)\//;

function spanAt(document: Document, offset: number, length: number): Span {
  const range = { start: document.positionAt(offset), end: document.positionAt(offset + length) };
  return { path: document.path, range, standing: 'inside' };
}
