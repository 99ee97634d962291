import { type Call, withinPart } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { Span } from '../../core/question.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import { nameSome } from '../../core/wording/name-some.ts';
import { isPython } from '../../source-text/imports.ts';
import { mayDeclareMember } from '../../source-text/members/python-derived.ts';
import { occurrences } from '../../source-text/words.ts';
import type { Mention } from '../mentions/mentions.ts';
import { askedBeside } from '../run/asked-beside.ts';
import type { ToolContext } from '../run/tool.ts';
import { plural } from '../show/render-location.ts';
import { type Class, classesIn, isRenamed } from './holding-classes.ts';
import { type Inherited, inheritedMembers, specialNameDoubts } from './inherited-members.ts';
import type { RenamedMember } from './known-bases.ts';
import { privateNameDoubts } from './private-names.ts';
import { protocolDoubts } from './protocols.ts';
import type { Renaming } from './rename-doubts.ts';

/** A member that is renamed. */
interface MemberToRename {
  readonly renaming: Renaming;
  /** The places that are renamed. */
  readonly spans: readonly Span[];
  readonly definitions: readonly Span[];
  /** The mentions of the name that are not renamed. */
  readonly found: readonly Mention[];
}

type UnreadMember = RenamedMember & Omit<MemberToRename, 'renaming'>;

/**
 * Some servers rename a method, but not what overrides it or is overridden by it, so that one call would no longer
 * reach the other. Classes are related by their headers, as far as they are found in files that mention the names
 * there; in Python also by what the server finds in their bases.
 */
export async function overrideDoubts(
  context: ToolContext,
  { renaming: { from: name, to }, ...others }: MemberToRename,
  call: Call,
): Promise<Doubt[]> {
  const unread = new Set<string>();
  const member = { name, to, ...others, unread };
  const doubts = await relativeDoubts(context, member, call);
  const all = [...doubts, ...(await privateNameDoubts(context, member, call))];
  return all.length > 0 || unread.size === 0 ? all : [notRead(name, unread.size)];
}

async function relativeDoubts(context: ToolContext, member: UnreadMember, call: Call): Promise<Doubt[]> {
  const { name, spans, definitions, found } = member;
  const staying = new Set(found.filter((one) => canDeclare(context, one)).map(({ path }) => path));
  const known = definitions.length > 0 ? definitions : spans;
  const own = new Set(known.filter(({ standing }) => standing === 'inside').map(({ path }) => path));
  if (staying.size === 0 && ![...own].some(isPython)) return [];
  const renamed = await classesIn(context, [...own].slice(0, limits.overrides.files), member, call);
  // An overload that stays shows that members of one name need not be the same.
  const isOverloaded = renamed.some((one) => isRenamed(one) && one.kept.length > 0 && !isPython(one.path));
  if (!renamed.some(isRenamed) || isOverloaded) return [];
  const others = [...staying].filter((path) => !own.has(path));
  const searched = others.slice(0, limits.overrides.files);
  const direct = [...renamed, ...(await classesIn(context, searched, member, call))];
  const classes = staying.size === 0 ? direct : await withBases(context, direct, member, call);
  const inherited = await inheritedInTime(context, member, direct, call);
  const related = relativesOf(classes).flatMap(({ name: holder, path, kept }) =>
    kept.map(
      ({ selection: { start } }) => `${holder}.${name} (${context.workspace.show(path)}:${start.line + 1})`,
    ),
  );
  const places = [...new Set([...related, ...inherited.related])];
  if (places.length === 0) {
    const capped = others.length > searched.length ? [tooMany(name, others.length)] : [];
    return [...capped, ...inherited.doubts, ...protocolDoubts(context, name, direct)];
  }
  const detail = `The server does not rename this member in related classes: ${nameSome(places)}.`;
  return [{ kind: 'unexpected_edit', detail }, ...inherited.doubts];
}

async function inheritedInTime(
  context: ToolContext,
  member: UnreadMember,
  classes: readonly Class[],
  call: Call,
): Promise<Inherited> {
  const some = classes.filter(({ path }) => isPython(path));
  if (!some.some(isRenamed)) return { related: [], doubts: [] };
  const asking = withinPart(call, { share: limits.shares.captures, margin: limits.change.margin }, (inner) =>
    inheritedMembers(context, member, some, inner),
  );
  const unknown = `It is not known whether ${member.name} overrides a member of a base. Call again.`;
  const { value, doubts } = await askedBeside(asking, unknown, call);
  const { related = [], doubts: own = [] } = value ?? {};
  return { related, doubts: [...specialNameDoubts(member), ...own, ...doubts] };
}

/** Adds the classes that some inherit from, which need not have the member themselves. */
async function withBases(
  context: ToolContext,
  some: readonly Class[],
  member: UnreadMember,
  call: Call,
): Promise<readonly Class[]> {
  const classes = [...some];
  const asked = new Set(classes.map(({ name }) => name));
  let latest = classes.filter((one) => isRenamed(one) || one.kept.length > 0);
  for (let round = 0; latest.length > 0 && round < limits.overrides.rounds; round += 1) {
    const words = [...new Set(latest.flatMap(({ header }) => header))].filter((word) => !asked.has(word));
    const files = await Promise.all(words.map((word) => declaringFiles(context, word, call)));
    for (const word of words) asked.add(word);
    const fresh = new Set(files.flat().filter((path) => !classes.some((one) => one.path === path)));
    latest = [...(await classesIn(context, [...fresh].slice(0, limits.overrides.files), member, call))];
    classes.push(...latest);
  }
  return classes;
}

/** Returns the files that declare a class of a name, according to their text. */
async function declaringFiles(
  { workspace }: ToolContext,
  name: string,
  call: Call,
): Promise<readonly string[]> {
  if (keyword.test(name)) return [];
  const files = (await workspace.mentioning(name, call)) ?? [];
  const declares = async (path: string) => {
    const { text } = workspace.cached(path) ?? (await workspace.read(path));
    const before = occurrences(text, name).map((offset) => text.slice(Math.max(0, offset - 20), offset));
    return before.some((words) => /\b(?:class|interface|struct|trait|protocol)\s+$/.test(words));
  };
  const isDeclaring = await Promise.all(files.map((path) => declares(path).catch(() => false)));
  return files.filter((_, index) => isDeclaring[index]);
}

const keyword = /^(?:extends|implements|with|where|public|private|protected|virtual|metaclass)$/;

/** Returns whether a mention may be a declaration: what is called or read mostly follows a dot. */
function canDeclare({ workspace }: ToolContext, { path, range: { start, end }, reason }: Mention): boolean {
  if (reason !== 'other_symbol') return false;
  const document = workspace.cached(path);
  if (document && isPython(path)) {
    const offset = document.offsetAt(start);
    return mayDeclareMember(document.text, offset, document.text.slice(offset, document.offsetAt(end)));
  }
  const line = document?.line(start.line) ?? '';
  return !/[.>]\s*$/.test(line.slice(0, start.character));
}

function tooMany(name: string, count: number): Doubt {
  const { files } = limits.overrides;
  return {
    kind: 'capped',
    detail: `${count} files may override ${name}; only ${files} were searched.`,
  };
}

function notRead(name: string, count: number): Doubt {
  const detail = `${plural('file', count)} could not be outlined, where a class may override ${name}. Call again.`;
  return { kind: 'unverified', detail };
}

/** Returns classes that inherit a renamed member, that it is inherited from, and that inherit it from those. */
function relativesOf(classes: readonly Class[]): Class[] {
  const byName = groupBy(classes, ({ name }) => name);
  const parentsOf = ({ name, header }: Class) =>
    header.flatMap((word) => (word === name ? [] : (byName.get(word) ?? [])));
  const above = (one: Class) => reach([one], parentsOf);
  const renamed = classes.filter(isRenamed);
  const origins = [...reach(renamed, parentsOf)].filter((one) => isRenamed(one) || one.kept.length > 0);
  return classes.filter(
    (one) => one.kept.length > 0 && !isRenamed(one) && origins.some((origin) => above(one).has(origin)),
  );
}

function reach(from: readonly Class[], next: (one: Class) => readonly Class[]): Set<Class> {
  const reached = new Set(from);
  for (const one of reached) for (const other of next(one)) reached.add(other);
  return reached;
}
