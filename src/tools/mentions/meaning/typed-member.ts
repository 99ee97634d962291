import type { Call } from '../../../core/call.ts';
import type { OutlineSymbol, Span } from '../../../core/question.ts';
import { takenFrom } from '../../../source-text/destructuring.ts';
import { isFunctionAt, typeWrittenAfter, valueBefore } from '../../../source-text/members/written-class.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';
import { definitionsAt, outlineOf, spanOf } from '../definitions-at.ts';
import type { Meaning } from './imported-symbol.ts';
import { declaredAt } from './relatives.ts';
import type { Resolving } from './resolving.ts';

/**
 * Returns what a member means of a value that is imported, or whose type is, where the server cannot follow the import:
 * the class to which the import leads has a member of that name. `undefined` if that is not known.
 */
export async function typedMeaning(
  document: Document,
  offset: number,
  member: string,
  resolving: Resolving,
): Promise<Meaning | undefined> {
  const types = await typesBefore(document, offset, resolving);
  const members = await Promise.all(types.map((type) => membersOf(type, member, resolving)));
  return meaningOfMembers(members, resolving);
}

/** Returns what a name means that is one of several groups of members; `undefined` if there are none, or one is empty. */
export async function meaningOfMembers(
  members: readonly (readonly Span[])[],
  { known, relatives, call }: Resolving,
): Promise<Meaning | undefined> {
  if (members.length === 0 || members.some((own) => own.length === 0)) return undefined;
  const uses = members.filter((own) => own.some((one) => known.meets(one)));
  if (uses.length > 0) return uses.length === members.length ? 'imported_use' : 'unverified';
  const mayBe = await Promise.all(members.flat().map((one) => relatives.mayHave(one, call)));
  return mayBe.includes(true) ? 'unverified' : 'other_symbol';
}

/** Returns where the classes are declared of which the value before a member may be. */
async function typesBefore(
  { path, text }: Document,
  offset: number,
  resolving: Resolving,
): Promise<readonly Span[]> {
  const { context, call } = resolving;
  const value = valueBefore(text, offset) ?? takenFrom(path, text, offset);
  const document = await documentAt(context, path);
  if (value === undefined || !document) return [];
  const [declared, ...others] = (await definitionsAt(context, spanOf(document, value), call)) ?? [];
  if (!declared || others.length > 0 || declared.standing !== 'inside') return [];
  const holder = await documentAt(context, declared.path);
  return holder ? typesAt(holder, holder.offsetAt(declared.range.start), resolving) : [];
}

/** Returns the classes that an imported value is, or is of, or that the declaration of a value names and an import gives. */
async function typesAt(
  document: Document,
  offset: number,
  { context, follower, call }: Resolving,
): Promise<readonly Span[]> {
  const value = await follower.followImport(document, offset);
  if (value) {
    const types = await Promise.all(value.sources.map((source) => typesOfValue(source, context, call)));
    return types.flat();
  }
  const written = typeWrittenAfter(document.path, document.text, offset);
  if (written === undefined) return [];
  const [named, ...others] = (await definitionsAt(context, spanOf(document, written), call)) ?? [];
  const from = named && others.length === 0 ? await documentAt(context, named.path) : undefined;
  const type = from && named && (await follower.followImport(from, from.offsetAt(named.range.start)));
  return type?.sources ?? [];
}

/** Returns the classes of a value where it is declared, or itself if it is one. */
async function typesOfValue(source: Span, context: ToolContext, call: Call): Promise<readonly Span[]> {
  const document = await documentAt(context, source.path);
  if (!document || isFunctionAt(document.text, document.offsetAt(source.range.start))) return [];
  const place = { path: source.path, position: source.range.start };
  const asked = context.backend.ask({ kind: 'type', place }, call);
  const { answer } = await asked.catch(() => ({ answer: [] }));
  return answer.length > 0 ? answer : [source];
}

/** Returns the members of a name that a class declares itself. */
export async function membersOf(
  { path, range, standing }: Span,
  name: string,
  { context, call }: Resolving,
): Promise<readonly Span[]> {
  if (standing !== 'inside') return [];
  const type = declaredAt(await outlineOf(context, path, call), range);
  const own = (type?.children ?? []).filter((child) => child.name === name);
  return own.map(({ selection }: OutlineSymbol) => ({ path, range: selection, standing }));
}
