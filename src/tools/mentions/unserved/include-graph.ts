import { basename } from 'node:path';
import type { Call } from '../../../core/call.ts';
import { limits } from '../../../core/limits.ts';
import { Pace } from '../../../core/runtime/slices.ts';
import { isC } from '../../../source-text/c-files.ts';
import { endOfPath, includedIn, mayEmbedC, namesWhenIncluded } from '../../../source-text/embedded-c.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';

/** Names that a text includes; `isCut` if it includes more. */
interface IncludedNames {
  readonly names: ReadonlySet<string>;
  readonly isCut: boolean;
}

/** Which files of C include which, during one search: each file is read once, and only if it is asked about. */
export class IncludeGraph {
  readonly #context: ToolContext;
  readonly #call: Call;
  readonly #included = new Map<string, Promise<IncludedNames>>();
  readonly #including = new Map<string, Promise<readonly string[] | undefined>>();
  readonly #pace = new Pace();
  #byName: Promise<ReadonlyMap<string, readonly string[]>> | undefined;

  constructor(context: ToolContext, call: Call) {
    this.#context = context;
    this.#call = call;
  }

  /** Returns whether a text includes what is in quotes, or in the workspace. */
  async includesOwn({ path, text }: Document): Promise<boolean> {
    const angled = new Set<string>();
    for (const { path: included, isQuoted } of includedIn(path, text)) {
      if (isQuoted || angled.size === limits.mentions.embeddedImports) return true;
      angled.add(included);
    }
    for (const included of angled) {
      this.#byName ??= this.#groupByName();
      const end = endOfPath(included);
      for (const file of (await this.#byName).get(basename(end)) ?? []) if (file.endsWith(end)) return true;
    }
    return false;
  }

  /** Returns the files that include a file, or may; `undefined` if they are too many to be read. */
  includersOf(path: string): Promise<readonly string[] | undefined> {
    const known = this.#including.get(path) ?? this.#findIncluders(path);
    this.#including.set(path, known);
    return known;
  }

  /** Returns a file and those that include it, however indirectly; `undefined` if they are too many to be read. */
  async above(path: string): Promise<ReadonlySet<string> | undefined> {
    const found = new Set([path]);
    // The set grows during the loop.
    for (const file of found) {
      const includers = await this.includersOf(file);
      if (!includers || found.size > limits.mentions.including) return undefined;
      for (const one of includers) found.add(one);
    }
    return found;
  }

  async #findIncluders(path: string): Promise<readonly string[] | undefined> {
    const found = new Set<string>();
    for (const name of namesWhenIncluded(path)) {
      const mentioning = (await this.#context.workspace.mentioning(name, this.#call)) ?? [];
      const files = mentioning.filter((file) => file !== path && (isC(file) || mayEmbedC(file)));
      if (files.length > limits.mentions.includers) return undefined;
      for (const file of files) {
        const { names, isCut } = await this.#includedBy(file);
        if (isCut || names.has(name)) found.add(file);
      }
    }
    return [...found];
  }

  #includedBy(path: string): Promise<IncludedNames> {
    const known = this.#included.get(path) ?? this.#read(path);
    this.#included.set(path, known);
    return known;
  }

  async #read(path: string): Promise<IncludedNames> {
    if (this.#pace.isLate()) await this.#pace.rest();
    const document = await documentAt(this.#context, path);
    return namesIncludedIn(path, document?.text ?? '');
  }

  async #groupByName(): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = new Map<string, string[]>();
    for (const file of this.#context.workspace.files()) {
      if (this.#pace.isDue()) await this.#pace.rest();
      const name = basename(file);
      const others = found.get(name);
      if (others) others.push(file);
      else found.set(name, [file]);
    }
    return found;
  }
}

/** Returns the names of the files that a text includes, as far as they are followed. */
export function namesIncludedIn(path: string, text: string): IncludedNames {
  const names = new Set<string>();
  for (const included of includedIn(path, text)) {
    if (names.size === limits.mentions.includes) return { names, isCut: true };
    names.add(basename(included.path));
  }
  return { names, isCut: false };
}
