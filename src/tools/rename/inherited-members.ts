import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import type { Span } from '../../core/question.ts';
import { nameSome } from '../../core/wording/name-some.ts';
import type { ToolContext } from '../run/tool.ts';
import { type Class, classesIn, isRenamed, keyOfClass, keyOfPlace } from './holding-classes.ts';
import { KnownBases, type RenamedMember } from './known-bases.ts';
import { type DefinedInBase, type MemberOfBase, membersOfBases } from './members-of-bases.ts';
import { isPrivate } from './private-names.ts';
import { derivedClassesWith, joiningClasses } from './python-classes.ts';
import { ofEveryClass, unknownBases } from './unknown-bases.ts';

/** What the bases of classes of Python show about a rename of a member. */
export interface Inherited {
  /** Members that stay, and override a renamed one or are overridden by it. */
  readonly related: readonly string[];
  readonly doubts: readonly Doubt[];
}

/**
 * Asks the server what the bases of classes have: it follows other names of a class, libraries and what a class inherits,
 * which the words of a header do not show.
 */
export async function inheritedMembers(
  context: ToolContext,
  member: RenamedMember,
  classes: readonly Class[],
  call: Call,
): Promise<Inherited> {
  const { name, to } = member;
  const renamed = classes.filter(isRenamed);
  const kept = classes.filter((one) => !isRenamed(one) && one.kept.length > 0);
  const own = new Set(renamed.map(keyOfClass));
  const named = await derivedClassesWith(context, { ...member, name: to, spans: [] }, call);
  const taking = named.filter((one) => !own.has(keyOfClass(one)));
  const derived = await joiningClasses(context, renamed, member, call);
  const joining = derived.filter((one) => !isRenamed(one));
  const isTest = name.startsWith('test') !== to.startsWith('test');
  const asked = [
    ...asking(renamed, [name, to, ofEveryClass, ...(isTest ? [ofTestCase] : [])]),
    ...asking(kept, [name, ofEveryClass]),
    ...asking(taking, [name]),
    ...asking(joining, [name, to]),
  ];
  const found = withoutCatchAlls(await membersOfBases(context, asked, call));
  const bases = new KnownBases(context, member, found);
  const unknown = await unknownBases(context, [...renamed, ...kept], { name, found }, call);
  const overriding = kept.filter((one) => bases.isOverriding(one) || unknown.given.includes(one));
  const places = [...bases.overridden(renamed), ...bases.joined(joining)];
  return {
    related: [
      ...overriding.flatMap((one) =>
        one.kept.map(({ selection }) => bases.render(one, name, selection.start.line)),
      ),
      ...(await renderedAt(context, member, places, call)),
    ],
    doubts: [
      ...(isSpecialName(name) ? [] : bases.ofLibraries([...renamed, ...joining])),
      ...bases.collisions([...renamed, ...joining], taking),
      ...testDoubts(name, found),
      ...(isPrivate(name) ? [] : unknown.doubts),
    ],
  };
}

/** A private member is another one in each class, so that none overrides it. */
function asking(holders: readonly Class[], members: readonly string[]): MemberOfBase[] {
  const wanted = members.filter((member) => !isPrivate(member));
  const asked = wanted.length === 0 ? [] : [...wanted, ofNoClass];
  return holders.flatMap((holder) =>
    holder.bases.flatMap((_, base) => asked.map((member) => ({ holder, base, member }))),
  );
}

/** A member that no class has: what is found for it has any name, as `__getattr__` does. */
const ofNoClass = 'lspan_finds_no_member';

function withoutCatchAlls(found: readonly DefinedInBase[]): readonly DefinedInBase[] {
  const keyOf = ({ holder, base }: DefinedInBase, span: Span) =>
    `${base} ${keyOfClass(holder)} ${keyOfPlace(span)}`;
  const nothing = found.filter(({ member }) => member === ofNoClass);
  const ignored = new Set(nothing.flatMap((one) => one.definitions.map((span) => keyOf(one, span))));
  return found
    .filter(({ member }) => member !== ofNoClass)
    .map((one) => ({
      ...one,
      definitions: one.definitions.filter((span) => !ignored.has(keyOf(one, span))),
    }));
}

/** Names members by their classes. */
async function renderedAt(
  context: ToolContext,
  member: RenamedMember,
  places: readonly Span[],
  call: Call,
): Promise<readonly string[]> {
  const classes = await classesIn(context, [...new Set(places.map(({ path }) => path))], member, call);
  return places.map((place) => {
    const isThere = ({ selection }: Class['symbol']) =>
      keyOfPlace({ path: place.path, range: selection }) === keyOfPlace(place);
    const holder = classes.find(({ path, kept }) => path === place.path && kept.some(isThere));
    const name = holder ? `${holder.name}.${member.name}` : member.name;
    return `${name} (${context.workspace.show(place.path)}:${place.range.start.line + 1})`;
  });
}

/** A method by which a class is known as one of the library's test cases. */
const ofTestCase = 'assertEqual';

function testDoubts(name: string, found: readonly DefinedInBase[]): Doubt[] {
  const isTestCase = found.some(({ member, definitions }) => member === ofTestCase && definitions.length > 0);
  if (!isTestCase) return [];
  const detail = `Methods of test cases run if their names begin with "test": ${name} is in one.`;
  return [{ kind: 'unexpected_edit', detail }];
}

/** True for a name by which Python itself finds a member. */
function isSpecialName(name: string): boolean {
  return /^__\w+__$/.test(name);
}

/** Returns a doubt if a name has a meaning for Python itself, as that of `__len__` in a class. */
export function specialNameDoubts({ name, to }: Pick<RenamedMember, 'name' | 'to'>): Doubt[] {
  const special = [name, to].filter(isSpecialName);
  if (special.length === 0) return [];
  return [
    { kind: 'unexpected_edit', detail: `Python itself calls members by these names: ${nameSome(special)}.` },
  ];
}
