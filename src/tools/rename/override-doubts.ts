import { type Call, cancelSignalOf } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { asLspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { contains } from '../../core/position.ts';
import type { OutlineSymbol, Span } from '../../core/question.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import { nameSome } from '../../core/wording/name-some.ts';
import { occurrences, wordsOf } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { Mention } from '../mentions/mentions.ts';
import type { ToolContext } from '../run/tool.ts';
import { plural } from '../show/render-location.ts';
import { partsOfName } from '../target/symbol-path.ts';

/** A member that is renamed. */
interface RenamedMember {
  readonly name: string;
  /** The places that are renamed. */
  readonly spans: readonly Span[];
  readonly definitions: readonly Span[];
  /** The mentions of the name that are not renamed. */
  readonly found: readonly Mention[];
}

interface SearchedMember extends RenamedMember {
  /** Files whose classes no server told. */
  readonly unread: Set<string>;
}

/**
 * Some servers rename a method, but not what overrides it or is overridden by it, so that one call would no longer
 * reach the other. Classes are related by their headers, as far as they are found in files that mention the names
 * there.
 */
export async function overrideDoubts(
  context: ToolContext,
  member: RenamedMember,
  call: Call,
): Promise<Doubt[]> {
  const unread = new Set<string>();
  const doubts = await relativeDoubts(context, { ...member, unread }, call);
  return doubts.length > 0 || unread.size === 0 ? doubts : [notRead(member.name, unread.size)];
}

async function relativeDoubts(context: ToolContext, member: SearchedMember, call: Call): Promise<Doubt[]> {
  const { name, spans, definitions, found } = member;
  const staying = new Set(found.filter((one) => canDeclare(context, one)).map(({ path }) => path));
  if (staying.size === 0) return [];
  const known = definitions.length > 0 ? definitions : spans;
  const own = new Set(known.filter(({ standing }) => standing === 'inside').map(({ path }) => path));
  const renamed = await classesIn(context, [...own].slice(0, limits.overrides.files), member, call);
  // An overload that stays shows that members of one name need not be the same.
  if (!renamed.some(isRenamed) || renamed.some((one) => isRenamed(one) && one.kept.length > 0)) return [];
  const others = [...staying].filter((path) => !own.has(path));
  const searched = others.slice(0, limits.overrides.files);
  const direct = [...renamed, ...(await classesIn(context, searched, member, call))];
  const classes = await withBases(context, direct, member, call);
  const places = relativesOf(classes).flatMap(({ name: holder, path, kept }) =>
    kept.map(
      ({ selection: { start } }) => `${holder}.${name} (${context.workspace.show(path)}:${start.line + 1})`,
    ),
  );
  if (places.length === 0) return others.length > searched.length ? [tooMany(name, others.length)] : [];
  const detail = `The server does not rename this member in related classes: ${nameSome(places)}.`;
  return [{ kind: 'unexpected_edit', detail }];
}

/** Adds the classes that some inherit from, which need not have the member themselves. */
async function withBases(
  context: ToolContext,
  some: readonly Class[],
  member: SearchedMember,
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
function canDeclare({ workspace }: ToolContext, { path, range: { start }, reason }: Mention): boolean {
  if (reason !== 'other_symbol') return false;
  const line = workspace.cached(path)?.line(start.line) ?? '';
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

/** A class, the words of its header, and its members of the name. */
interface Class {
  readonly path: string;
  readonly name: string;
  readonly header: readonly string[];
  readonly renamed: readonly OutlineSymbol[];
  readonly kept: readonly OutlineSymbol[];
}

function isRenamed({ renamed }: Class): boolean {
  return renamed.length > 0;
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

async function classesIn(
  context: ToolContext,
  paths: readonly string[],
  member: SearchedMember,
  call: Call,
): Promise<readonly Class[]> {
  const read = async (path: string) => {
    const document = await context.workspace.read(path);
    const { answer } = await context.outlines.of(context, path, call);
    return classesOf(document, answer, member);
  };
  const all = await Promise.all(
    paths.map((path) =>
      read(path).catch((thrown: unknown) => {
        cancelSignalOf(call).throwIfAborted();
        if (asLspanError(thrown).code !== 'not_supported') member.unread.add(path);
        return [];
      }),
    ),
  );
  return all.flat();
}

function classesOf(document: Document, level: readonly OutlineSymbol[], member: RenamedMember): Class[] {
  const { path } = document;
  const own = member.spans.filter((span) => span.path === path);
  return level.flatMap((symbol) => {
    const inner = classesOf(document, symbol.children, member);
    if (!holders.has(symbol.kind)) return inner;
    const members = symbol.children.filter((child) => partsOfName(child.name).at(-1) === member.name);
    const isOne = ({ selection }: OutlineSymbol) => own.some(({ range }) => contains(range, selection.start));
    const name = partsOfName(symbol.name).at(-1) ?? symbol.name;
    const renamed = members.filter(isOne);
    const kept = members.filter((one) => !isOne(one));
    return [{ path, name, header: headerOf(document, symbol), renamed, kept }, ...inner];
  });
}

const holders: ReadonlySet<string> = new Set(['class', 'interface', 'struct']);

/** Returns the words between the name of a class and its body. */
function headerOf(document: Document, { selection, range, children }: OutlineSymbol): string[] {
  const from = selection.end;
  const last = Math.min(
    range.end.line,
    from.line + limits.rename.headerLines,
    children[0]?.range.start.line ?? Infinity,
  );
  const lines = Array.from({ length: last - from.line + 1 }, (_, index) => document.line(from.line + index));
  const text = [lines[0]?.slice(from.character) ?? '', ...lines.slice(1)].join('\n');
  return wordsOf(text.split(/\{|:\s*(?:#.*)?$/m)[0] ?? '').map((word) => word.text);
}
