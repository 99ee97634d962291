import type { Reply } from '../../../core/backend.ts';
import type { Call } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { limits } from '../../../core/limits.ts';
import type { Place, Span } from '../../../core/question.ts';
import type { Service } from '../../../servers/definition.ts';
import { hasOddNames, isReserved } from '../../../source-text/reserved-words.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { SearchSession } from './load-projects.ts';
import { type NameSearch, nameAt, searchByName } from './search-by-name.ts';

/**
 * Searches for one kind of use, such as calls, after making the server see every file that uses the symbol in
 * any way: a caller need not mention the name, since the symbol may be renamed on the way. Does the same for
 * the results, since the same question may find their users.
 */
export async function searchByUses<T>(
  wide: NameSearch<T>,
  { service, uses }: { readonly service: Service; readonly uses: UsesOf },
  place: Place,
  call: Call,
): Promise<Reply<T>> {
  const { session, workspace, projects, ask, found } = wide;
  const doubts: Doubt[] = [];
  const looked = new Set([keyOf(place)]);
  for (let next: readonly Place[] = [place]; ; ) {
    for (const one of next) doubts.push(...(await loadUsers(wide, { service, uses }, one, call)));
    const reply = await ask();
    const answered = () => ({ answer: reply.answer, doubts: [...doubts, ...reply.doubts] });
    if (await projects.seesAll(session)) return answered();
    const named = await namedPlaces(workspace, found(reply.answer));
    next = named.filter((one) => !looked.has(keyOf(one)));
    const room = limits.hierarchy.followed - looked.size;
    if (next.length > room) doubts.push(tooMany(session, next.length - room));
    if (next.length === 0 || room <= 0) return answered();
    next = next.slice(0, room);
    for (const one of next) looked.add(keyOf(one));
  }
}

/** Makes the server see the files that use the symbol at a place. */
async function loadUsers<T>(
  wide: NameSearch<T>,
  { service, uses }: { readonly service: Service; readonly uses: UsesOf },
  place: Place,
  call: Call,
): Promise<readonly Doubt[]> {
  const { session, projects } = wide;
  const stays = session.definition.search?.projectOnly?.includes(service) === true;
  if (!stays && (await projects.seesAll(session))) return [];
  const search = { ...wide, ask: () => uses(place), found: (spans: readonly Span[]) => spans };
  const { answer, doubts } = await searchByName(search, place, call);
  return stays ? [...doubts, ...(await besideDoubts(wide, place, answer))] : doubts;
}

type UsesOf = (place: Place) => Promise<Reply<readonly Span[]>>;

/** Reports uses in other projects if the server does not search there. */
async function besideDoubts(
  { session, projects }: Pick<NameSearch<unknown>, 'session' | 'projects'>,
  { path }: Place,
  used: readonly Span[],
): Promise<readonly Doubt[]> {
  const { id } = session.definition;
  const count = await projects.projectsBeside(
    session,
    path,
    used.map((span) => span.path),
  );
  if (count === 0) return [];
  const detail = `${id} searches only the project of the file, not others that use it (${count}): find_references finds all uses.`;
  return [{ kind: 'project_not_loaded', server: id, detail }];
}

/**
 * Skips libraries, where nothing is renamed, and what has no name: nobody can use the object of a `return {`, while the
 * word `function` there is mentioned everywhere.
 */
async function namedPlaces(workspace: Workspace, spans: readonly Span[]): Promise<readonly Place[]> {
  const places: Place[] = [];
  for (const { path, range, standing } of spans) {
    if (standing !== 'inside') continue;
    const place = { path, position: range.start };
    const name = await nameAt(workspace, place).catch(() => undefined);
    if (name === undefined ? hasOddNames(path) : !isReserved(path, name)) places.push(place);
  }
  return places;
}

function keyOf({ path, position: { line, character } }: Place): string {
  return `${line}:${character}:${path}`;
}

function tooMany({ definition: { id } }: SearchSession, left: number): Doubt {
  const detail = `Too many results: projects that use the last ${left} were not loaded in ${id}.`;
  return { kind: 'project_not_loaded', server: id, detail };
}
