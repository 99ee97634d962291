import { type Call, within } from '../../core/call.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { FileProblems } from '../../core/problems.ts';
import type { Document } from '../../workspace/document.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { ResponseError } from './message.ts';
import { pullOptions } from './pull-options.ts';
import { pullProblems, type Related, type Spoken } from './pull-problems.ts';
import { readProblems } from './read-problems.ts';
import type { CheckCommand } from './server-definition.ts';
import type { Session } from './session.ts';

/** The problems of a file, and those of files that the server told of beside it. */
export interface Asked {
  readonly own: FileProblems;
  readonly related: readonly FileProblems[];
}

/** The same, with those of the file as the server itself words them. */
interface Heard extends Asked {
  readonly sent: readonly unknown[];
}

/** What one server says about the problems in the present text of a file. */
export async function askProblems(
  session: Session,
  workspace: Workspace,
  path: string,
  call: Call,
): Promise<Heard> {
  const unopened = session.definition.answersUnopened?.includes('diagnostics') === true;
  await session.documents.sync(unopened ? [] : [path]);
  const { diagnostics, diagnosticsCold } = session.patience;
  const patience = session.readiness.known ? diagnostics : diagnosticsCold;
  const canPull = () => pullOptions(session).length > 0;
  if (!unopened && !canPull() && isOutdated(session, path)) await session.documents.retell(path);
  const doubts = await session.ready(call);
  const { state, items, related } = canPull()
    ? await pullProblems(session, workspace, path, call)
    : await awaitPublication(session, path, patience, call);
  const failure = session.board.failure(path);
  if (failure !== undefined) throw notChecked(session, failure);
  const present = doubts.length > 0 && state === 'fresh' ? 'pending' : state;
  return {
    own: await spokenOf(session, await workspace.read(path), items, present),
    related: await relatedProblems(session, workspace, related ?? []),
    sent: items,
  };
}

/** What a server said of a document, read. */
export async function spokenOf(
  { encoding, definition: { id } }: Session,
  document: Document,
  items: readonly unknown[],
  state: FileProblems['state'],
): Promise<FileProblems> {
  const problems = await readProblems(items, document, encoding, id);
  return { path: document.path, problems, state, unheard: state === 'fresh' ? [] : [id] };
}

/** Files that were told of beside, where there is something to tell; what cannot be read cannot be shown either. */
async function relatedProblems(
  session: Session,
  workspace: Workspace,
  related: readonly Related[],
): Promise<readonly FileProblems[]> {
  const telling = related.filter(({ items }) => items.length > 0);
  const read = telling.map(async ({ path, items }) => {
    const document = await workspace.read(path).catch(() => undefined);
    return document ? [await spokenOf(session, document, items, 'fresh')] : [];
  });
  return (await Promise.all(read)).flat();
}

function notChecked({ definition: { id } }: Session, failure: string): LspanError {
  return new LspanError('server_unverified', `${id} could not check the file: ${failure}.`, {
    nextStep: 'Put that right, then call again.',
  });
}

/** What a server published about a document without being asked: of the present text unless that is newer. */
export function publishedProblems(session: Session, document: Document): Promise<FileProblems> {
  const spoken = session.board.disk.published(document.path, undefined);
  const isOld = spoken === undefined || (spoken.touched && !spoken.fresh);
  return spokenOf(session, document, spoken?.items ?? [], isOld ? 'stale' : 'fresh');
}

/** Whether the server has published something before it was told something else: it may leave it at that. */
function isOutdated({ board, documents }: Session, path: string): boolean {
  return board.published(path, documents.version(path))?.fresh === false;
}

/** Waits for a publication about our version, and for the quiet after it: some servers publish in several steps. */
async function awaitPublication(
  session: Session,
  path: string,
  patience: number,
  call: Call,
): Promise<Spoken> {
  const { board, documents } = session;
  const end = performance.now() + Math.min(patience, (call.deadline - performance.now()) * shareOfCall);
  const published = () => board.published(path, documents.version(path));
  const next = (time: number) => within(session.nextPublication(), time, call.signal);
  if (published()?.fresh === false) await confirmNothing(session, path, end, call);
  if (published()?.fresh === false)
    await next(Math.min(limits.diagnostics.again, patience * shareOfPatience));
  // What it published just before it was told, or said that it is ready, may have been its last word.
  if (published()?.fresh === false && performance.now() < end) await documents.retell(path);
  while (published()?.fresh !== true && performance.now() < end) await next(end - performance.now());
  if (published()?.fresh === true && !board.settled(path)) await settle(session, path, end, call);
  const spoken = published();
  if (!spoken) return { state: 'pending', items: [] };
  if (!spoken.fresh) return { state: 'stale', items: spoken.items };
  return { state: board.settled(path) ? 'fresh' : 'pending', items: spoken.items };
}

/** After that a server is told once more, and has the rest of the time to speak of it. */
const shareOfPatience = 0.3;

/** The rest is for the answer itself: what is known by then is worth more than that the time was up. */
const shareOfCall = 0.8;

async function settle(session: Session, path: string, end: number, call: Call): Promise<void> {
  if (!(await hasChecked(session, path, end, call))) return;
  if (await becomesQuiet(session, end, call)) session.board.settle(path);
}

/** Whether the server publishes nothing for a while, before the time is up. */
async function becomesQuiet(session: Session, end: number, call: Call): Promise<boolean> {
  const quiet = session.definition.diagnosticsQuiet ?? limits.diagnostics.quiet;
  while (performance.now() + quiet < end) {
    const heard = session.nextPublication().then(() => true);
    if ((await within(heard, quiet, call.signal)) === undefined) return true;
  }
  return false;
}

/** Some servers do not publish again that there is nothing: where a check finds nothing and no word follows, it is so. */
async function confirmNothing(session: Session, path: string, end: number, call: Call): Promise<void> {
  const { board, documents, definition } = session;
  const last = () => board.published(path, documents.version(path));
  if (definition.checkedBy === undefined || last()?.items.length !== 0) return;
  const answer = await check(session, definition.checkedBy, path, end, call);
  if (!definition.checkedBy.foundNothing(answer)) return;
  const isQuiet = await becomesQuiet(session, end, call);
  if (isQuiet && last()?.fresh === false && last()?.items.length === 0) board.confirm(path);
}

/** Whether the server says in time that it has checked the file; one that cannot be asked says so by publishing. */
async function hasChecked(session: Session, path: string, end: number, call: Call): Promise<boolean> {
  const { checkedBy } = session.definition;
  return checkedBy === undefined || checkedBy.proves(await check(session, checkedBy, path, end, call));
}

function check(
  session: Session,
  { command, arguments: of }: CheckCommand,
  path: string,
  end: number,
  call: Call,
): Promise<unknown> {
  const params = { command, arguments: of(path) };
  const asked = session.request('workspace/executeCommand', params, call.signal).catch(refused);
  return within(asked, end - performance.now(), call.signal);
}

/** A refusal proves nothing; that the server has ended, or the call, is told as such. */
function refused(error: unknown): undefined {
  if (error instanceof ResponseError) return undefined;
  throw error;
}
