import type { OutlineSymbol, Span } from '../../../core/question.ts';
import { takenFrom } from '../../../source-text/destructuring.ts';
import { isPython } from '../../../source-text/imports.ts';
import { isFunctionAt, typeWrittenAfter, valueBefore } from '../../../source-text/members/written-class.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import { documentAt } from '../../show/document-at.ts';
import { definitionsAt, outlineOf, spanOf } from '../definitions-at.ts';
import type { Followed } from '../import-follower.ts';
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
  const all = members.flat();
  const uses = all.filter((one) => known.meets(one));
  // A class may have a member for itself and one for its objects, of one name.
  if (uses.length > 0) return uses.length === all.length ? 'imported_use' : 'unverified';
  const mayBe = await Promise.all(all.map((one) => relatives.mayHave(one, call)));
  return mayBe.includes(true) ? 'unverified' : 'other_symbol';
}

/** Returns where the classes are declared of which the value before a member may be. */
async function typesBefore(
  document: Document,
  offset: number,
  resolving: Resolving,
): Promise<readonly Span[]> {
  const { path, text } = document;
  const value = valueBefore(text, offset) ?? takenWhole(path, text, offset);
  // Where the class of a value is asked for, it may be another one than is written.
  if (value === undefined || (isPython(path) && narrowing.test(text))) return [];
  const origin = await originOf(document, value, resolving);
  if (origin === undefined) return [];
  if ('sources' in origin) {
    const types = await Promise.all(origin.sources.map((source) => typesOfValue(source, resolving)));
    return types.flat();
  }
  const { holder, declared } = origin;
  const written = typeWrittenAfter(holder.path, holder.text, declared);
  const type = written === undefined ? undefined : await originOf(holder, written, resolving);
  return type && 'sources' in type ? type.sources : [];
}

const narrowing = /\b(?:isinstance|issubclass|cast)\s*\(|^\s*match\s/m;

/** Returns the value from which the word at an offset is taken, if it is neither awaited nor has another type. */
function takenWhole(path: string, text: string, offset: number): number | undefined {
  const value = takenFrom(path, text, offset);
  return value !== undefined && /\}\s*=\s*$/.test(text.slice(0, value)) ? value : undefined;
}

/** What an import gives under a name, or the offset at which a file declares it. */
type Origin = Followed | { readonly holder: Document; readonly declared: number };

/** Finds where the name at an offset comes from; some servers know nothing of a name whose import they cannot follow. */
async function originOf(
  document: Document,
  offset: number,
  { context, follower, call }: Resolving,
): Promise<Origin | undefined> {
  const definitions = await definitionsAt(context, spanOf(document, offset), call);
  if (definitions?.length === 0) return follower.followUse(document, offset);
  const [only, ...others] = definitions ?? [];
  if (!only || others.length > 0 || only.standing !== 'inside') return undefined;
  const holder = await documentAt(context, only.path);
  const declared = holder?.offsetAt(only.range.start) ?? 0;
  return holder && ((await follower.followImport(holder, declared)) ?? { holder, declared });
}

/** Returns the classes of a value where it is declared, or itself if it is one. */
async function typesOfValue(source: Span, { context, call }: Resolving): Promise<readonly Span[]> {
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
  { context, call }: Pick<Resolving, 'context' | 'call'>,
): Promise<readonly Span[]> {
  if (standing !== 'inside') return [];
  const type = declaredAt(await outlineOf(context, path, call), range);
  const own = (type?.children ?? []).filter((child) => child.name === name);
  return own.map(({ selection }: OutlineSymbol) => ({ path, range: selection, standing }));
}
