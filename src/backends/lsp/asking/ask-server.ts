import type { Reply } from '../../../core/backend.ts';
import type { Call } from '../../../core/call.ts';
import type { AnswerOf, Place, Question, QuestionKind, Span } from '../../../core/questions.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { unsavedFileDoubts } from '../doubts/unsaved-files.ts';
import { unsavedImportDoubts } from '../doubts/unsaved-imports.ts';
import { refusedSilently } from '../errors/refusals.ts';
import { cappedDoubts, emptyAfterCrash, outdatedDoubt, restartedDoubt } from '../errors/server-errors.ts';
import { type FollowUp, type Row, type SearchRule, searchOf } from '../questions/row.ts';
import { rows } from '../questions/table.ts';
import { aliasedUses } from '../search/aliased-uses.ts';
import type { ProjectLoader } from '../search/load-projects.ts';
import { searchByName } from '../search/search-by-name.ts';
import { searchByUses } from '../search/search-by-uses.ts';
import { type UseSearch, unreportedUses } from '../search/unreported-uses.ts';
import type { ServerSlot, UseSlot } from '../session/server-slot.ts';
import type { Session } from '../session/session.ts';
import { askSession, isCapable } from './ask-session.ts';

/** What a server is asked with. */
export interface AskContext {
  readonly workspace: Workspace;
  readonly projects: ProjectLoader;
  /** How servers are used: as anybody does, or as who has them alone. */
  readonly use: UseSlot;
  /** The files that may be concerned, where the question is about no document; any when absent. */
  readonly candidateFiles?: readonly string[] | undefined;
}

/** Asks the server of a slot, prepared for the question, and says what is doubtful about its answer. */
export async function askServer<K extends QuestionKind>(
  asking: AskContext,
  row: Row<K>,
  question: Question<K>,
  slot: ServerSlot,
  call: Call,
): Promise<Reply<AnswerOf<K>>> {
  const { definition } = slot;
  const { value: plain, restarted } = await asking.use(slot, question.kind, call, async (session, inner) => {
    const { optional } = row;
    const isWanted = await wants(asking, row, question, session, inner);
    if (optional && !isWanted) return { answer: optional.nothing, doubts: [] };
    const { answer, doubts } = await askWithCoverage(asking, row, question, session, inner);
    const size = row.count(answer, question);
    const capped = cappedDoubts(definition, question.kind, size);
    // What was found by position is right whatever else may be missing.
    const isSearch = searchOf(row, question) || size === 0;
    const asked = { service: question.kind, path: row.path(question) };
    const standing = isSearch
      ? session.doubtsAbout(question.kind)
      : unsavedFileDoubts(session, asking.workspace, asked);
    const beside = await unsavedImportDoubts(session, asking.workspace, inner);
    const own = (await row.doubts?.(question, definition, asking.workspace)) ?? [];
    return { answer, doubts: [...capped, ...standing, ...beside, ...own, ...doubts] };
  });
  const value = slot.outdated ? { ...plain, doubts: [...plain.doubts, outdatedDoubt(definition)] } : plain;
  const isEmpty = row.count(value.answer, question) === 0;
  if (restarted && isEmpty) throw emptyAfterCrash(definition);
  if (row.refusal && isEmpty) throw refusedSilently(definition.id, row.refusal, value.doubts);
  if (!restarted) return value;
  return { answer: value.answer, doubts: [...value.doubts, restartedDoubt(definition)] };
}

/** Whether the server wants to be asked, where that is not for all. */
async function wants<K extends QuestionKind>(
  { workspace }: AskContext,
  row: Row<K>,
  question: Question<K>,
  session: Session,
  call: Call,
): Promise<boolean> {
  const { optional, method, capability } = row;
  if (!optional) return true;
  if (!(await isCapable(session, row, call))) return false;
  return optional.wants(question, session.capabilities.everyOptions(method, capability), workspace);
}

function askWithCoverage<K extends QuestionKind>(
  asking: AskContext,
  row: Row<K>,
  question: Question<K>,
  session: Session,
  call: Call,
): Promise<Reply<AnswerOf<K>>> {
  const ask = () => askSession(session, asking.workspace, question, call);
  const search = searchOf(row, question);
  if (!search) return ask();
  const place = search.from?.(question);
  if (place) return searchFrom(asking, search, { place, question }, { session, ask }, call);
  return searchAmong(asking, session, ask);
}

/** Asks after the server was made to see the files that may be concerned. */
async function searchAmong<T>(
  { projects, candidateFiles }: AskContext,
  session: Session,
  ask: () => Promise<Reply<T>>,
): Promise<Reply<T>> {
  const unloaded = await projects.load(session, async () => candidateFiles);
  const { answer, doubts } = await ask();
  return { answer, doubts: [...unloaded, ...doubts] };
}

/** The same for what is at a place, with the uses that the server overlooks. */
async function searchFrom<K extends QuestionKind>(
  { workspace, projects }: AskContext,
  { found, follow, add, byUses }: SearchRule<K>,
  { place, question }: { readonly place: Place; readonly question: Question<K> },
  { session, ask }: { readonly session: Session; readonly ask: () => Promise<Reply<AnswerOf<K>>> },
  call: Call,
): Promise<Reply<AnswerOf<K>>> {
  const wide = { workspace, projects, session, ask, found };
  const uses = { service: question.kind, uses: usesOf(session, workspace, call) };
  const reply = await (byUses ? searchByUses(wide, uses, place, call) : searchByName(wide, place, call));
  const lookout = useSearchOf(session, workspace, call);
  const further = await follow?.(reply.answer, question, followUpOf(lookout, session, question, call), call);
  const whole = further ? { ...further, doubts: [...reply.doubts, ...further.doubts] } : reply;
  const find = async (known: readonly Span[]) =>
    unreportedUses(lookout, place, await aliasedUses(lookout, known), call);
  const more = await add?.(whole.answer, find, question, workspace);
  return more ? { answer: more.answer, doubts: [...whole.doubts, ...more.doubts] } : whole;
}

function followUpOf<K extends QuestionKind>(
  { workspace, definition, means }: UseSearch,
  session: Session,
  question: Question<K>,
  call: Call,
): FollowUp<K> {
  const again = async (place: Place) =>
    (await askSession(session, workspace, { ...question, place }, call)).answer;
  return { definition, workspace, again, means };
}

/** How a session is asked for the uses of what is at a place; it knows of none where it cannot be asked. */
function usesOf(session: Session, workspace: Workspace, call: Call) {
  const { method, capability } = rows.references;
  return async (place: Place): Promise<Reply<readonly Span[]>> =>
    session.capabilities.supports(method, capability)
      ? askSession(session, workspace, { kind: 'references', place }, call)
      : { answer: [], doubts: [] };
}

function useSearchOf(session: Session, workspace: Workspace, call: Call): UseSearch {
  const answerTo = async (kind: 'definition' | 'references', place: Place) =>
    (await askSession(session, workspace, { kind, place }, call)).answer;
  const isAble = session.capabilities.supports(rows.references.method, rows.references.capability);
  return {
    workspace,
    definition: session.definition,
    root: session.root,
    means: (place) => answerTo('definition', place),
    // Some servers rename without being able to tell where.
    uses: async (place) => (isAble ? answerTo('references', place) : []),
  };
}
