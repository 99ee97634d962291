import type { Doubt } from '../../core/doubts.ts';
import type { Span } from '../../core/question.ts';
import { nameSome } from '../../core/wording/name-some.ts';
import type { ToolContext } from '../run/tool.ts';
import { type Class, isRenamed, keyOfClass, keyOfPlace, type SearchedMember } from './holding-classes.ts';
import type { DefinedInBase } from './members-of-bases.ts';

/** A member of Python that is renamed. */
export interface RenamedMember extends SearchedMember {
  readonly to: string;
}

/** What the server said about members of bases, and what that means for a rename. */
export class KnownBases {
  readonly #context: ToolContext;
  readonly #member: RenamedMember;
  readonly #found = new Map<string, DefinedInBase[]>();
  /** Where what is renamed begins, and what it overrides. */
  readonly #renamed: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;

  constructor(context: ToolContext, member: RenamedMember, found: readonly DefinedInBase[]) {
    this.#context = context;
    this.#member = member;
    this.#renamed = new Set(member.spans.map(keyOfPlace));
    for (const one of found) {
      const key = keyOfClass(one.holder);
      this.#found.set(key, [...(this.#found.get(key) ?? []), one]);
    }
    const above = found.filter((one) => isRenamed(one.holder) && one.member === member.name);
    this.#origins = new Set(above.flatMap(({ definitions }) => definitions.filter(isOwn).map(keyOfPlace)));
  }

  /** Returns the members of the workspace that renamed ones override, and that stay. */
  overridden(renamed: readonly Class[]): readonly Span[] {
    const all = renamed.flatMap((one) => this.#of(one, this.#member.name));
    return all.flatMap(({ definitions }) => definitions.filter((one) => isOwn(one) && !this.#isRenamed(one)));
  }

  /** True if a base of a class has the renamed member, or what that overrides. */
  isOverriding(one: Class): boolean {
    return this.#of(one, this.#member.name).some((base) => this.#isRelated(base));
  }

  /** Returns the members that stay and take the place of a renamed one, or the reverse, in a class with both bases. */
  joined(joining: readonly Class[]): readonly Span[] {
    return joining.flatMap((one) => {
      const bases = this.#of(one, this.#member.name);
      if (!bases.some((base) => this.#isRelated(base))) return [];
      const others = bases.filter((base) => !this.#isRelated(base));
      return others.flatMap(({ definitions }) => definitions.filter(isOwn));
    });
  }

  /** Returns doubts about what overrides a member of a library, which does not know the new name. */
  ofLibraries(some: readonly Class[]): Doubt[] {
    const { name } = this.#member;
    const overriding = some.flatMap((one) => {
      const bases = this.#of(one, name);
      const isConcerned = isRenamed(one) || bases.some((base) => this.#isRelated(base));
      const foreign = isConcerned ? bases.filter(({ definitions }) => definitions.some(isForeign)) : [];
      return foreign.map(({ base }) => `${one.name} (that of ${one.bases[base]?.text})`);
    });
    if (overriding.length === 0) return [];
    const classes = nameSome([...new Set(overriding)]);
    const detail = `${name} overrides a member of a library, which still asks for ${name}: in ${classes}.`;
    return [{ kind: 'unexpected_edit', detail }];
  }

  /** Returns doubts about what would override another member under the new name, or be overridden. */
  collisions(some: readonly Class[], taking: readonly Class[]): Doubt[] {
    const { name, to } = this.#member;
    const above = some.flatMap((one) => {
      // What a class inherits beside the renamed member collides with it there.
      const bases = this.#of(one, to).filter(({ definitions }) => definitions.some(isMember));
      const beside = isRenamed(one) ? bases : bases.filter(({ base }) => !this.#hasRelated(one, base));
      if (!isRenamed(one) && !this.isOverriding(one)) return [];
      return beside.map(({ base }) => `${one.name} inherits it from ${one.bases[base]?.text}`);
    });
    const below = taking.filter((one) => this.#of(one, name).some((base) => this.#isRelated(base)));
    const places = below.flatMap((one) =>
      one.kept.map(({ selection: { start } }) => this.render(one, to, start.line)),
    );
    const all = [...new Set([...above, ...places])];
    if (all.length === 0) return [];
    const detail = `${to} already names a member of a related class, so one would override the other: ${nameSome(all)}.`;
    return [{ kind: 'unexpected_edit', detail }];
  }

  render(one: Pick<Class, 'name' | 'path'>, member: string, line: number): string {
    return `${one.name}.${member} (${this.#context.workspace.show(one.path)}:${line + 1})`;
  }

  #of(one: Class, member: string): readonly DefinedInBase[] {
    return (this.#found.get(keyOfClass(one)) ?? []).filter((base) => base.member === member);
  }

  #hasRelated(one: Class, base: number): boolean {
    return this.#of(one, this.#member.name).some((found) => found.base === base && this.#isRelated(found));
  }

  #isRenamed(span: Span): boolean {
    return this.#renamed.has(keyOfPlace(span));
  }

  #isRelated({ definitions }: DefinedInBase): boolean {
    return definitions.some((one) => this.#isRenamed(one) || this.#origins.has(keyOfPlace(one)));
  }
}

function isOwn({ standing }: Span): boolean {
  return standing === 'inside';
}

/** Those of `ABCMeta` are members of classes alone, as is `register`, so that no member of a class overrides them. */
function isMember({ path }: Span): boolean {
  return !/[\\/](?:_py_)?abc\.pyi?$/.test(path);
}

function isForeign(span: Span): boolean {
  return !isOwn(span) && isMember(span);
}
