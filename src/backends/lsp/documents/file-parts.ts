import { basename, dirname, join } from 'node:path';
import { limits } from '../../../core/limits.ts';
import { isPathWithin } from '../../../platform/files/path-within.ts';
import type { ProjectFacts, ServerDefinition } from '../../../servers/definition.ts';
import {
  includedSources,
  includesAsPart,
  mayBePart,
  mayNeedOthers,
} from '../../../source-text/c-fragments.ts';
import { type Document, documentOf } from '../../../workspace/texts/document.ts';
import type { Change, Workspace } from '../../../workspace/workspace.ts';
import { aliasOf, type DocumentAliases } from '../protocol/document-aliases.ts';

/** What `FileParts` needs of a session. */
export interface PartsContext {
  readonly workspace: Pick<Workspace, 'uri' | 'unsaved'>;
  readonly facts: ProjectFacts;
  readonly definition: ServerDefinition;
  readonly aliases: DocumentAliases;
}

/**
 * Opens parts of other files under an alias. The server knows a part from the file that includes it: opened under its own
 * name, it would be read alone, and replace that for as long as the server runs.
 */
export class FileParts {
  readonly #context: PartsContext;
  readonly #compiled: () => ReadonlySet<string>;
  /** Whether files are parts, as of the last change. */
  readonly #known = new Map<string, boolean>();
  /** The names of files other than headers that compiled files include, as of the last change. */
  #included: ReadonlySet<string> | undefined;
  /** Parts that the server was sent under their own name, because their text was not that of the disk. */
  readonly #replaced = new Set<string>();
  #hasChanged = false;

  constructor(context: PartsContext, compiled: (facts: ProjectFacts) => ReadonlySet<string>) {
    this.#context = context;
    let found: ReadonlySet<string> | undefined;
    this.#compiled = () => {
      found ??= compiled(context.facts);
      return found;
    };
  }

  /** True if what the server knows of a part is not what the disk has: only a new one reads it again. */
  get isOutdated(): boolean {
    const unsaved = this.#context.workspace.unsaved();
    return this.#hasChanged || [...this.#replaced].some((path) => !unsaved.has(path));
  }

  /** Chooses the name under which a document is opened. */
  onOpening({ path, text }: Pick<Document, 'path' | 'text'>): void {
    const { workspace, facts, aliases } = this.#context;
    if (!this.isPart(path)) return;
    // The files that include it must be read with a text that is not on the disk.
    const isOnDisk = !workspace.unsaved().has(path) && documentOf(path, facts.read(path) ?? '').text === text;
    if (!isOnDisk) this.#replaced.add(path);
    else aliases.add(workspace.uri(path));
  }

  onClosed(path: string): void {
    this.#context.aliases.remove(this.#context.workspace.uri(path));
  }

  /** Notes changes on the disk: a changed part, and a file that has become one or is none any more. */
  note(changes: readonly Change[]): void {
    const changed = changes.map(({ path }) => path).filter(mayBePart);
    if (this.#hasChanged || changed.length === 0) return;
    this.#included = undefined;
    const texts = changed.map((path) => this.#context.facts.read(path) ?? '');
    // All others are what they were: whether a file is a part is for those to say that include it.
    const concerned = [...this.#known].filter(
      ([path, isPart]) =>
        isPart || changed.includes(path) || texts.some((text) => text.includes(basename(path))),
    );
    for (const [path] of concerned) this.#known.delete(path);
    this.#hasChanged =
      changes.some(({ path, unsaved }) => !unsaved && this.isPart(path)) ||
      concerned.some(([path, isPart]) => this.isPart(path) !== isPart);
  }

  /** Returns whether a file that is not compiled by itself is included by one that is, and needs the text around it. */
  isPart(path: string): boolean {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    // Files may include each other.
    this.#known.set(path, false);
    const isPart =
      this.#mayBePart(path) &&
      (this.#isIncludedByCompiled(path) || this.#includersOf(path).some((file) => this.#isRead(file)));
    this.#known.set(path, isPart);
    return isPart;
  }

  #mayBePart(path: string): boolean {
    const { exists, read } = this.#context.facts;
    if (!mayBePart(path) || !mayNeedOthers(path, read(path) ?? '')) return false;
    const name = basename(path);
    return ![...this.#compiled()].some((file) => basename(file) === name) && !exists(aliasOf(path));
  }

  /** Returns whether a compiled file, wherever it is, includes a file of this name that is no header. */
  #isIncludedByCompiled(path: string): boolean {
    const { read } = this.#context.facts;
    const files = [...this.#compiled()].slice(0, limits.compiledFilesRead);
    this.#included ??= new Set(files.flatMap((file) => includedSources(read(file) ?? '')));
    return this.#included.has(basename(path));
  }

  /** Returns the files in the folder of a part, or above it, that include it. */
  #includersOf(path: string): readonly string[] {
    const { root, list, read } = this.#context.facts;
    const name = basename(path);
    const found: string[] = [];
    for (let folder = dirname(path); isPathWithin(root, folder); folder = dirname(folder)) {
      const files = list(folder).map((one) => join(folder, one));
      found.push(
        ...files.filter((file) => {
          const text = file === path || !mayBePart(file) ? '' : (read(file) ?? '');
          return text.includes(name) && includesAsPart(text, path);
        }),
      );
      if (folder === dirname(folder)) break;
    }
    return found;
  }

  #isRead(file: string): boolean {
    const { headers } = this.#context.definition.sync ?? {};
    return this.#compiled().has(file) || headers?.test(file) === true || this.isPart(file);
  }
}

/** Returns the parts of a server that reads some files only with others. */
export function filePartsOf(context: PartsContext): FileParts | undefined {
  const compiled = context.definition.projects?.compiled;
  return compiled && new FileParts(context, compiled);
}
