import type { Call } from '../../../core/call.ts';
import { limits } from '../../../core/limits.ts';
import { comparePositions, contains, type Position } from '../../../core/position.ts';
import type { OutlineSymbol, Span } from '../../../core/question.ts';
import { isScript } from '../../../source-text/imports.ts';
import { basesAfter } from '../../../source-text/members/heritage.ts';
import { mixinWithParameter, namesPassedWith } from '../../../source-text/members/mixins.ts';
import { isTypeMemberAt } from '../../../source-text/members/object-keys.ts';
import { wordAt } from '../../../source-text/words.ts';
import { askedBeside } from '../../run/asked-beside.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';
import { spanKey, uniqueSpans } from '../../show/location.ts';
import { definitionsAt, outlineOf, spanOf } from '../definitions-at.ts';
import type { Followed, ImportFollower } from '../import-follower.ts';

/** A class or an interface of the workspace. */
interface Type {
  readonly path: string;
  readonly symbol: OutlineSymbol;
}

/** A type and all that it inherits from, as far as the server or the imports lead to them. */
interface Family {
  /** By place, or by module and name if a type is not of this workspace: of those no members are known. */
  readonly types: ReadonlyMap<string, OutlineSymbol | undefined>;
  /** True if the server lacks a part, so that it cannot tell what is related. */
  readonly isBroken: boolean;
  /** True if a part is not known at all. */
  readonly isOpen: boolean;
}

/**
 * Tells whether a member may be that of another class, through a base that both have: the server does not know it if it
 * cannot follow the import of the base.
 */
export class Relatives {
  readonly #context: ToolContext;
  readonly #follower: ImportFollower;
  readonly #member: string;
  readonly #own: (call: Call) => Promise<readonly Span[]>;
  readonly #families = new Map<string, Promise<Family>>();
  #ownFamilies: Promise<readonly Family[]> | undefined;
  #isMember: Promise<boolean> | undefined;
  #counterparts: Promise<readonly Span[] | undefined> | undefined;

  /** `own` finds the declarations of the member. */
  constructor(
    context: ToolContext,
    follower: ImportFollower,
    member: string,
    own: (call: Call) => Promise<readonly Span[]>,
  ) {
    this.#context = context;
    this.#follower = follower;
    this.#member = member;
    this.#own = own;
  }

  /** True if every declaration is that of a member of a class, an interface or a type. */
  isMember(call: Call): Promise<boolean> {
    this.#isMember ??= this.#areMembers(call);
    return this.#isMember;
  }

  async #areMembers(call: Call): Promise<boolean> {
    const own = await this.#own(call);
    if (own.length === 0) return false;
    const are = await Promise.all(own.map((one) => this.#isMemberAt(one, call)));
    return !are.includes(false);
  }

  async #isMemberAt({ path, range }: Span, call: Call): Promise<boolean> {
    const document = await documentAt(this.#context, path);
    if (document && isTypeMemberAt(path, document.text, document.offsetAt(range.start))) return true;
    return holderOf(await outlineOf(this.#context, path, call), range) !== undefined;
  }

  /** True if the member that is declared at a place may be related. */
  async mayHave(declaration: Span, call: Call): Promise<boolean> {
    if (declaration.standing !== 'inside' || !isScript(declaration.path)) return false;
    this.#ownFamilies ??= this.#familiesOf(this.#own(call), call);
    const own = await this.#ownFamilies;
    if (own.length === 0) return false;
    const [other] = await this.#familiesOf([declaration], call);
    return other !== undefined && own.some((one) => this.#areRelated(one, other));
  }

  /** Tells whether a method of Go implements the member, or is implemented by it: who calls the one may call the other. */
  async corresponds(declaration: Span, call: Call): Promise<'yes' | 'no' | 'unknown'> {
    if (declaration.standing !== 'inside' || !(await this.#isMethodOfGo(declaration))) return 'no';
    this.#counterparts ??= this.#askCounterparts(call);
    const counterparts = await this.#counterparts;
    if (!counterparts) return 'unknown';
    const { path, range } = declaration;
    return counterparts.some((one) => one.path === path && contains(one.range, range.start)) ? 'yes' : 'no';
  }

  async #askCounterparts(call: Call): Promise<readonly Span[] | undefined> {
    const [own] = await this.#own(call);
    if (!own || !(await this.#isMethodOfGo(own))) return [];
    const place = { path: own.path, position: own.range.start };
    const { value, doubts } = await askedBeside(
      this.#context.backend.ask({ kind: 'implementations', place }, call),
      '',
      call,
    );
    return value?.answer ?? (doubts.length > 0 ? undefined : []);
  }

  async #isMethodOfGo({ path, range }: Span): Promise<boolean> {
    if (!path.endsWith('.go')) return false;
    const line = (await documentAt(this.#context, path))?.line(range.start.line) ?? '';
    return methodOfGo.test(line);
  }

  #areRelated(one: Family, other: Family): boolean {
    if (!one.isBroken && !other.isBroken) return false;
    if (one.isOpen || other.isOpen) return true;
    const hasMember = (type: OutlineSymbol | undefined) =>
      !type || type.children.some(({ name }) => name === this.#member);
    return [...one.types].some(([key, type]) => other.types.has(key) && hasMember(type));
  }

  async #familiesOf(
    declarations: readonly Span[] | Promise<readonly Span[]>,
    call: Call,
  ): Promise<readonly Family[]> {
    const families: Family[] = [];
    for (const { path, range } of (await declarations).filter((one) => isScript(one.path))) {
      const symbol = holderOf(await outlineOf(this.#context, path, call), range);
      if (symbol) families.push(await this.#familyOf({ path, symbol }, call));
    }
    return families;
  }

  #familyOf(type: Type, call: Call): Promise<Family> {
    const key = keyOf(type);
    const known = this.#families.get(key) ?? this.#collect(type, call);
    this.#families.set(key, known);
    return known;
  }

  async #collect(first: Type, call: Call): Promise<Family> {
    const types = new Map<string, OutlineSymbol | undefined>();
    let [isBroken, isOpen] = [false, false];
    const waiting = [first];
    for (let type = waiting.pop(); type; type = waiting.pop()) {
      if (types.has(keyOf(type))) continue;
      types.set(keyOf(type), type.symbol);
      if (types.size > limits.mentions.relatives) return { types, isBroken: true, isOpen: true };
      for (const base of await this.#basesOf(type, call)) {
        isBroken ||= base.isBroken;
        isOpen ||= base.isOpen;
        if (base.foreign !== undefined) types.set(base.foreign, undefined);
        waiting.push(...base.types);
      }
    }
    return { types, isBroken, isOpen };
  }

  async #basesOf({ path, symbol }: Type, call: Call): Promise<readonly Base[]> {
    const document = await documentAt(this.#context, path);
    if (!document) return [unknownBase];
    const offsets = basesAfter(document.text, document.offsetAt(endOfName(symbol)));
    return Promise.all(
      offsets.map(async (offset) => {
        const span = spanOf(document, offset);
        const { line, character } = span.range.start;
        const name = wordAt(document.line(line), character) ?? '';
        const definitions = (await definitionsAt(this.#context, span, call)) ?? [];
        const bases = await Promise.all(definitions.map((one) => this.#baseAt(one, name, call)));
        if (bases.length > 0) return joined(bases);
        const used = await this.#follower.followUse(document, offset);
        return used ? this.#followedBase(used, name, call) : unknownBase;
      }),
    );
  }

  async #baseAt(definition: Span, name: string, call: Call): Promise<Base> {
    // The server knows all that inherits from what it found there.
    if (definition.standing !== 'inside') return { ...noBase };
    const mixed = await this.#mixedBase(definition, call);
    if (mixed) return mixed;
    const followed = await this.#follower.follow(definition);
    if (!followed) return { ...noBase, types: await this.#typesAt([definition], call) };
    return this.#followedBase(followed, name, call);
  }

  /** Returns what a class inherits that a function makes of its parameter: the classes that are named beside that function. */
  async #mixedBase({ path, range }: Span, call: Call): Promise<Base | undefined> {
    const document = await documentAt(this.#context, path);
    const mixin = document && mixinWithParameter(document.text, document.offsetAt(range.start));
    if (!mixin) return undefined;
    const files =
      mixin.name === undefined ? undefined : await this.#context.workspace.mentioning(mixin.name, call);
    if (mixin.name === undefined || !files || files.length > limits.mentions.files) return unknownBase;
    const beside = await Promise.all(files.map((file) => this.#namesBeside(file, mixin.name ?? '')));
    const names = beside.flat();
    if (names.length > limits.mentions.relatives) return unknownBase;
    const definitions = await Promise.all(names.map((one) => definitionsAt(this.#context, one, call)));
    const types = await this.#typesAt(uniqueSpans(definitions.flatMap((some) => some ?? [])), call);
    return { types, isBroken: true, isOpen: false };
  }

  /** Returns the names that are passed in the calls of a function, or beside it. */
  async #namesBeside(path: string, name: string): Promise<readonly Span[]> {
    const document = await documentAt(this.#context, path);
    return document ? namesPassedWith(document.text, name).map((at) => spanOf(document, at)) : [];
  }

  async #followedBase(followed: Followed, name: string, call: Call): Promise<Base> {
    if (followed.isForeign) return { ...noBase, isBroken: true, foreign: `${followed.module} ${name}` };
    const types = await this.#typesAt(followed.sources, call);
    return { types, isBroken: true, isOpen: types.length === 0 };
  }

  async #typesAt(spans: readonly Span[], call: Call): Promise<readonly Type[]> {
    const found = spans.map(async ({ path, range }) => {
      const symbol = declaredAt(await outlineOf(this.#context, path, call), range);
      return symbol ? [{ path, symbol }] : [];
    });
    return (await Promise.all(found)).flat();
  }
}

interface Base {
  readonly types: readonly Type[];
  readonly foreign?: string;
  readonly isBroken: boolean;
  readonly isOpen: boolean;
}

const noBase: Base = { types: [], isBroken: false, isOpen: false };
const unknownBase: Base = { types: [], isBroken: true, isOpen: true };

function joined(bases: readonly Base[]): Base {
  const foreign = bases.find((one) => one.foreign !== undefined)?.foreign;
  return {
    types: bases.flatMap(({ types }) => types),
    isBroken: bases.some((one) => one.isBroken),
    isOpen: bases.some((one) => one.isOpen),
    ...(foreign === undefined ? {} : { foreign }),
  };
}

/** Some servers give the whole text of a class without a name as its name. */
function endOfName({ selection, range, children }: OutlineSymbol): Position {
  const isWhole = children.some((child) => contains(selection, child.selection.start));
  return isWhole ? range.start : selection.end;
}

function keyOf({ path, symbol: { selection } }: Type): string {
  return spanKey({ path, range: selection, standing: 'inside' });
}

/** Returns the class or interface that has the member at a range. */
function holderOf(symbols: readonly OutlineSymbol[], { start }: Span['range']): OutlineSymbol | undefined {
  for (const symbol of symbols) {
    if (holders.has(symbol.kind) && symbol.children.some(({ selection }) => contains(selection, start)))
      return symbol;
    const inner = holderOf(symbol.children, { start, end: start });
    if (inner) return inner;
  }
  return undefined;
}

/** Returns the class or interface whose name begins at a range, or in it. */
export function declaredAt(
  symbols: readonly OutlineSymbol[],
  range: Span['range'],
): OutlineSymbol | undefined {
  for (const symbol of symbols) {
    const { start } = symbol.selection;
    const isThere = comparePositions(start, range.start) === 0 || contains(range, start);
    if (isThere && holders.has(symbol.kind)) return symbol;
    const inner = declaredAt(symbol.children, range);
    if (inner) return inner;
  }
  return undefined;
}

const holders: ReadonlySet<string> = new Set(['class', 'interface']);

/** A function with a receiver, or a line of an interface. */
const methodOfGo = /^func\s*\(|^\s+[\p{L}_][\p{L}\p{N}_]*\s*\(/u;
