import type { Call } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import { contains } from '../../core/position.ts';
import type { Span } from '../../core/question.ts';
import { mayDeclareMember } from '../../source-text/members/python-derived.ts';
import { occurrences } from '../../source-text/words.ts';
import { definitionsAt, spanOf } from '../mentions/definitions-at.ts';
import { ImportFollower } from '../mentions/import-follower.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { type Class, classesIn } from './holding-classes.ts';

/** Knows what bases of Python have that the server cannot see, since it does not follow the import of a sibling package. */
export class ImportedBases {
  readonly #context: ToolContext;
  readonly #follower: ImportFollower;
  readonly #member: string;
  readonly #call: Call;

  constructor(context: ToolContext, member: string, call: Call) {
    this.#context = context;
    this.#follower = new ImportFollower(context);
    this.#member = member;
    this.#call = call;
  }

  /** True if a base of a class, with its own bases, is one of the workspace that has no such member for certain. */
  async lack({ path, bases }: Pick<Class, 'path' | 'bases'>, index: number, depth = 0): Promise<boolean> {
    const place = await nameOfBase(this.#context, { path, bases }, index);
    const source = place && depth < limits.hierarchy.depth ? await this.#sourceOf(place) : undefined;
    if (!source) return false;
    const searched = { name: this.#member, spans: [], unread: new Set<string>() };
    const classes = await classesIn(this.#context, [source.path], searched, this.#call);
    const own = classes.find(({ symbol }) => contains(symbol.selection, source.range.start));
    if (!own || own.kept.length > 0 || (await this.#mayDeclare(own))) return false;
    for (const base of own.bases.keys()) if (!(await this.lack(own, base, depth + 1))) return false;
    return true;
  }

  /** Returns the only class that a name may be, through the imports that lead to it. */
  async #sourceOf(place: Span): Promise<Span | undefined> {
    const definitions = (await definitionsAt(this.#context, place, this.#call)) ?? [];
    const sources: Span[] = [];
    for (const one of definitions) {
      const followed = one.standing === 'inside' ? await this.#follower.follow(one) : undefined;
      sources.push(...(followed ? followed.sources : [one]));
    }
    const document = definitions.length === 0 ? await documentAt(this.#context, place.path) : undefined;
    const used = document && (await this.#follower.followUse(document, document.offsetAt(place.range.start)));
    const [only, ...others] = [...sources, ...(used?.sources ?? [])];
    return only?.standing === 'inside' && others.length === 0 ? only : undefined;
  }

  /** An attribute that a method sets need not be in the outline. */
  async #mayDeclare({ path, symbol: { range } }: Class): Promise<boolean> {
    const document = await documentAt(this.#context, path);
    if (!document) return true;
    const { text } = document;
    const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
    const isIn = (offset: number) => offset >= from && offset < to;
    return occurrences(text, this.#member).some(
      (offset) => isIn(offset) && mayDeclareMember(text, offset, this.#member),
    );
  }
}

/** Returns where the last word of a base is named in the header of a class. */
export async function nameOfBase(
  context: ToolContext,
  { path, bases }: Pick<Class, 'path' | 'bases'>,
  index: number,
): Promise<Span | undefined> {
  const { text = '', start = 0 } = bases[index] ?? {};
  const document = await documentAt(context, path);
  const name = /^\w+(?:\.\w+)*/.exec(text)?.[0];
  return document && name !== undefined ? spanOf(document, start + name.lastIndexOf('.') + 1) : undefined;
}
