import type { Reply } from '../../core/backend.ts';
import type { Doubt } from '../../core/doubts.ts';
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

/**
 * Replaces definitions that are mere imports, since the server could not follow them, by what they lead to in the sources
 * of the workspace, and puts the source before a definition in a file that is built from it.
 */
export async function followImports(
  context: ToolContext,
  definitions: readonly Span[],
): Promise<Reply<readonly Span[]>> {
  const follower = new Follower(context);
  const answer: Span[] = [];
  const doubts: Doubt[] = [];
  for (const definition of definitions) {
    const found = definition.standing === 'inside' ? await follower.follow(definition) : undefined;
    if (found?.source) answer.push(found.source);
    if (!found?.source || found.isBuilt) answer.push(definition);
    if (found && !found.source && !found.isBuilt) doubts.push(notFollowed(found.module));
  }
  return { answer, doubts };
}

function notFollowed(module: string): Doubt {
  const detail = `${JSON.stringify(module)} cannot be resolved: this is the import, not the definition.`;
  return { kind: 'unverified', detail };
}

interface Followed {
  readonly module: string;
  readonly isBuilt: boolean;
  readonly source: Span | undefined;
}

class Follower {
  readonly #context: ToolContext;
  #packages: Promise<Packages> | undefined;

  constructor(context: ToolContext) {
    this.#context = context;
  }

  /** Returns what a definition leads to; `undefined` if it is neither an import nor in a built file. */
  async follow({ path, range }: Span): Promise<Followed | undefined> {
    const document = await documentAt(this.#context, path);
    if (document === undefined) return undefined;
    const imported = importedNameAt(path, document.text, document.offsetAt(range.start));
    if (imported) {
      const source = await this.#exported(imported, path, new Set());
      return { module: imported.module, isBuilt: false, source };
    }
    if (!/\.d\.[cm]?ts$/.test(path)) return undefined;
    const sources = (await this.#read()).sourcesOfBuilt(path).filter((source) => source !== path);
    const name = wordAt(document.line(range.start.line), range.start.character);
    const source = name === undefined ? undefined : await this.#exportedBy(sources, name, new Set());
    return { module: '', isBuilt: true, source };
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
