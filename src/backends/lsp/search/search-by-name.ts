import type { Reply } from '../../../core/backend.ts';
import type { Call } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { limits } from '../../../core/limits.ts';
import type { Range } from '../../../core/position.ts';
import type { Place, Span } from '../../../core/question.ts';
import { groupBy } from '../../../core/runtime/group-by.ts';
import { eachInSlices } from '../../../core/runtime/slices.ts';
import type { ExportedUnderAnyName } from '../../../servers/definition.ts';
import { wordAt } from '../../../source-text/words.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { ProjectLoader, SearchSession } from './load-projects.ts';

/** Dependencies of a search by name. */
export interface NameSearch<T> {
  readonly session: SearchSession;
  readonly workspace: Workspace;
  readonly projects: ProjectLoader;
  /** Asks the session once. */
  readonly ask: () => Promise<Reply<T>>;
  /** Returns the uses in an answer. */
  readonly found: (answer: T) => readonly Span[];
}

/**
 * Searches for the symbol at a place after making the server see every file that mentions it, also under the
 * aliases that turn up: a file that uses an alias need not mention the first name.
 */
export async function searchByName<T>(
  { session, workspace, projects, ask, found }: NameSearch<T>,
  place: Place,
  call: Call,
): Promise<Reply<T>> {
  const names = new Set<string | undefined>([await nameAt(workspace, place)]);
  const concerned = () => mentioningAny(workspace, names, call);
  for (let round = 1; ; round += 1) {
    const doubts = await projects.load(session, concerned);
    const reply = await ask();
    const known = { answer: reply.answer, doubts: [...doubts, ...reply.doubts] };
    if (await projects.seesAll(session)) return known;
    const more = await namesIn(
      session.definition.search?.exportedUnderAnyName,
      workspace,
      found(reply.answer),
    );
    if ([...more].every((name) => names.has(name))) return known;
    if (round === limits.searchRounds) return { ...known, doubts: [...known.doubts, tooManyNames(session)] };
    for (const name of more) names.add(name);
  }
}

function tooManyNames({ definition: { id } }: SearchSession): Doubt {
  const detail = `The symbol has too many aliases: ${id} did not get all files that mention them.`;
  return { kind: 'project_not_loaded', server: id, detail };
}

/** Returns the word at a place, by which other files mention the symbol. */
export async function nameAt(workspace: Workspace, { path, position }: Place): Promise<string | undefined> {
  return wordAt((await workspace.read(path)).line(position.line), position.character);
}

/** Returns the files that mention one of the names; `undefined` if the symbol has no name or may have any. */
async function mentioningAny(
  workspace: Workspace,
  names: ReadonlySet<string | undefined>,
  call: Call,
): Promise<readonly string[] | undefined> {
  const files = new Set<string>();
  for (const name of names) {
    const found = name === undefined ? undefined : await workspace.mentioning(name, call);
    if (found === undefined) return undefined;
    for (const file of found) files.add(file);
  }
  return [...files];
}

/** Returns the names in the uses of a symbol; includes `undefined` if a line exports it under any name. */
export async function namesIn(
  anyName: ExportedUnderAnyName | undefined,
  workspace: Workspace,
  spans: readonly Span[],
): Promise<ReadonlySet<string | undefined>> {
  const names = new Set<string | undefined>();
  const inside = spans.filter(({ standing }) => standing === 'inside');
  for (const [path, uses] of groupBy(inside, (span) => span.path)) {
    const document = await workspace.read(path).catch(() => undefined);
    if (!document) continue;
    await eachInSlices(uses, ({ range }) => {
      const name = wordAt(document.line(range.start.line), range.start.character);
      if (name !== undefined) names.add(name);
      if (anyName && isExportedUnderAnyName(anyName, document, range)) names.add(undefined);
    });
  }
  return names;
}

/** Looks two lines back and ahead, since a statement may span lines. */
function isExportedUnderAnyName(
  { before, after }: ExportedUnderAnyName,
  document: Document,
  { start, end }: Range,
): boolean {
  const line = (offset: number) => document.line(start.line + offset);
  const left = [line(-2), line(-1), line(0).slice(0, start.character)].join('\n');
  const right = [document.line(end.line).slice(end.character), line(1), line(2)].join('\n');
  return before.test(left) || after.test(right);
}

/** Identifies a span by its start; servers differ in ends. */
export function startKey({ path, range: { start } }: Span): string {
  return `${path}\0${start.line}:${start.character}`;
}
