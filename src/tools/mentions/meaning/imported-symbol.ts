import type { Span } from '../../../core/question.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { Followed, ImportFollower } from '../import-follower.ts';
import type { SpanSet } from '../span-set.ts';

/**
 * What a mention in code is: a use that the server resolves but did not list, a use behind an import that the server
 * cannot follow, something else, or not known.
 */
export type Meaning = 'use' | 'imported_use' | 'other_symbol' | 'unverified';

/** Tells whether imports that the server cannot resolve lead to a symbol. */
export class ImportedSymbol {
  readonly #follower: ImportFollower;
  readonly #known: SpanSet;
  /** The modules of Python, and the headers of C, in which uses are known. */
  #modules: ReadonlySet<string> | undefined;
  /** Many mentions have the same definition. */
  readonly #meanings = new Map<string, Promise<Meaning>>();

  /** `known` are the uses of the symbol that the server lists, its declaration included. */
  constructor(follower: ImportFollower, known: SpanSet) {
    this.#follower = follower;
    this.#known = known;
  }

  /** Returns what a mention means whose definition, according to the server, is this one and not the symbol. */
  meaningOf(definition: Span): Promise<Meaning> {
    const { line, character } = definition.range.start;
    const place = `${definition.path}:${line}:${character}`;
    const meaning = this.#meanings.get(place) ?? this.#followDefinition(definition);
    this.#meanings.set(place, meaning);
    return meaning;
  }

  async #followDefinition(definition: Span): Promise<Meaning> {
    if (definition.standing !== 'inside' || installed.test(definition.path))
      return this.#isCopy(definition.path) ? 'unverified' : 'other_symbol';
    // A server that can follow an import answers with what it leads to, not with the import.
    const meaning = await this.meaningAt(definition);
    return meaning ?? ((await this.#follower.isSource(definition.path)) ? 'other_symbol' : 'unverified');
  }

  /** Returns what a name in an import, or in a built file, means; `undefined` if it is in neither. */
  async meaningAt(span: Pick<Span, 'path' | 'range'>): Promise<Meaning | undefined> {
    const followed = await this.#follower.follow(span);
    return followed && this.#meaningOf(followed);
  }

  /**
   * Returns what a member means of that which is imported at an offset; `undefined` if nothing is imported there, or the
   * member is not known.
   */
  async memberMeaning(document: Document, offset: number, member: string): Promise<Meaning | undefined> {
    const followed = await this.#follower.followMember(document, offset, member);
    const isKnown = followed !== undefined && (followed.isForeign || followed.sources.length > 0);
    return isKnown ? this.#meaningOf(followed) : undefined;
  }

  /** Returns whether an import takes a name from a module outside the workspace; `undefined` if it is not an import. */
  async isForeignAt(document: Document, offset: number): Promise<boolean | undefined> {
    return (await this.#follower.followImport(document, offset))?.isForeign;
  }

  /** True if a file of an installed package is called like one of the symbol: another copy, or the same one installed. */
  #isCopy(path: string): boolean {
    this.#modules ??= new Set(this.#known.paths.flatMap(moduleNames));
    return moduleNames(path).some((name) => this.#modules?.has(name));
  }

  /** If it may mean declarations in several files of which only some are the symbol, it is not known. */
  #meaningOf({ sources, isForeign }: Followed): Meaning {
    if (sources.length === 0) return isForeign ? 'other_symbol' : 'unverified';
    const files = new Set(sources.map(({ path }) => path));
    const same = new Set(sources.filter((source) => this.#known.meets(source)).map(({ path }) => path));
    if (same.size === 0) return 'other_symbol';
    return same.size === files.size ? 'imported_use' : 'unverified';
  }
}

/**
 * Returns the last two names of a module of Python, or only its own if no package holds it, and the name of a header of C. A
 * package of the workspace may be installed too, and then its tests import what is installed.
 */
function moduleNames(path: string): readonly string[] {
  const [folder = '', file = ''] = path.split('/').slice(-2);
  if (/\.(?:h|hh|hpp|hxx)$/.test(file)) return [file];
  if (!/\.pyi?$/.test(file)) return [];
  const module = file.replace(/i$/, '');
  return [/^(?:site-packages|dist-packages|src|lib)$/.test(folder) ? module : `${folder}/${module}`];
}

/** Installed packages: those of the workspace are linked there, and servers name the real path. */
const installed = /\/(?:node_modules|site-packages|dist-packages)\//;
