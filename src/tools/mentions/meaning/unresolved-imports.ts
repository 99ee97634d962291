import type { Call } from '../../../core/call.ts';
import { limits } from '../../../core/limits.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';
import { definitionsAt, spanOf } from '../definitions-at.ts';
import type { ImportFollower } from '../import-follower.ts';

/** Knows which files import something of the workspace that the server cannot follow, so that it lacks types there. */
export class UnresolvedImports {
  readonly #context: ToolContext;
  readonly #follower: ImportFollower;
  readonly #files = new Map<string, Promise<boolean>>();

  constructor(context: ToolContext, follower: ImportFollower) {
    this.#context = context;
    this.#follower = follower;
  }

  /** True if a file has such an import. */
  areIn(path: string, call: Call): Promise<boolean> {
    const known = this.#files.get(path) ?? this.#search(path, call);
    this.#files.set(path, known);
    return known;
  }

  async #search(path: string, call: Call): Promise<boolean> {
    const document = await documentAt(this.#context, path);
    if (!document) return false;
    const packages = await this.#follower.packages();
    const links = this.#follower.linksIn(document);
    const byModule = new Map(links.flatMap(({ module, local }) => (local ? [[module, local]] : [])));
    const ofWorkspace = [...byModule].filter(([module]) => packages.sources(module, path).length > 0);
    for (const [, { offset }] of ofWorkspace.slice(0, limits.mentions.modules)) {
      const definitions = await definitionsAt(this.#context, spanOf(document, offset), call);
      // A server that cannot follow an import answers with the import.
      if (definitions === undefined || definitions.every((one) => one.path === path)) return true;
    }
    return ofWorkspace.length > limits.mentions.modules;
  }
}
