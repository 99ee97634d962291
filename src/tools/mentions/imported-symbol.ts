import type { Span } from '../../core/question.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { type Followed, ImportFollower } from './import-follower.ts';
import type { SpanSet } from './span-set.ts';

/**
 * What a mention in code is: a use that the server resolves but did not list, a use behind an import that the server
 * cannot follow, something else, or not known.
 */
export type Meaning = 'use' | 'imported_use' | 'other_symbol' | 'unverified';

/** Tells whether imports that the server cannot resolve lead to a symbol. */
export class ImportedSymbol {
  readonly #follower: ImportFollower;
  readonly #known: SpanSet;

  /** `known` are the uses of the symbol that the server lists, its declaration included. */
  constructor(context: ToolContext, known: SpanSet) {
    this.#follower = new ImportFollower(context);
    this.#known = known;
  }

  /** Returns what a mention means whose definition, according to the server, is this one and not the symbol. */
  async meaningOf(definition: Span): Promise<Meaning> {
    if (definition.standing !== 'inside') return 'other_symbol';
    // A server that can follow an import answers with what it leads to, not with the import.
    return (await this.meaningAt(definition)) ?? 'other_symbol';
  }

  /** Returns what a name in an import, or in a built file, means; `undefined` if it is in neither. */
  async meaningAt(span: Pick<Span, 'path' | 'range'>): Promise<Meaning | undefined> {
    const followed = await this.#follower.follow(span);
    return followed && this.#meaningOf(followed);
  }

  /** Returns whether an import takes a name from a module outside the workspace; `undefined` if it is not an import. */
  async isForeignAt(document: Document, offset: number): Promise<boolean | undefined> {
    return (await this.#follower.followImport(document, offset))?.isForeign;
  }

  #meaningOf({ source, isForeign }: Followed): Meaning {
    if (source === undefined) return isForeign ? 'other_symbol' : 'unverified';
    return this.#known.meets(source) ? 'imported_use' : 'other_symbol';
  }
}
