import { type Call, within } from '../../core/call.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { FileProblems, Freshness, Problem } from '../../core/problems.ts';
import type { Document } from '../../workspace/document.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { requestSteadily } from './ask-session.ts';
import { text } from './json.ts';
import { ResponseError } from './message.ts';
import { readProblems } from './read-problems.ts';
import type { Session } from './session.ts';

const method = 'textDocument/diagnostic';

/** What one server says about the problems in the present text of a file. */
export async function askProblems(
  session: Session,
  workspace: Workspace,
  path: string,
  call: Call,
): Promise<FileProblems> {
  const unopened = session.definition.answersUnopened?.includes('diagnostics') === true;
  await session.documents.sync(unopened ? [] : [path]);
  const { diagnostics, diagnosticsCold } = session.patience;
  const patience = session.readiness.known ? diagnostics : diagnosticsCold;
  if (!unopened && !canPull(session) && isOutdated(session, path)) await session.documents.retell(path);
  const doubts = await session.ready(call);
  const { state, items } = canPull(session)
    ? await pull(session, workspace, path, call)
    : await awaitPublication(session, path, patience, call);
  const failure = session.board.failure(path);
  if (failure !== undefined) throw notChecked(session, failure);
  const document = await workspace.read(path);
  const problems: Problem[] = readProblems(items, document, session.encoding, session.definition.id);
  return { path, problems, state: doubts.length > 0 && state === 'fresh' ? 'pending' : state };
}

function notChecked({ definition: { id } }: Session, failure: string): LspanError {
  return new LspanError('server_unverified', `${id} could not check the file: ${failure}.`, {
    nextStep: 'Put that right, then call again.',
  });
}

/** What a server published about a document without being asked. */
export function publishedProblems(
  { board, encoding, definition }: Session,
  document: Document,
): FileProblems {
  const items = board.disk.published(document.path, undefined)?.items ?? [];
  return {
    path: document.path,
    state: 'fresh',
    problems: readProblems(items, document, encoding, definition.id),
  };
}

type Spoken = { readonly state: Freshness; readonly items: readonly unknown[] };

/** Whether the server has published something before it was told something else: it may leave it at that. */
function isOutdated({ board, documents }: Session, path: string): boolean {
  return board.published(path, documents.version(path))?.fresh === false;
}

function canPull(session: Session): boolean {
  return session.capabilities.supports(method, 'diagnosticProvider');
}

async function pull(session: Session, workspace: Workspace, path: string, call: Call): Promise<Spoken> {
  const identifier = text(session.capabilities.options(method, 'diagnosticProvider')?.identifier);
  const previousResultId = session.board.previousResultId(path);
  const params = {
    textDocument: { uri: workspace.uri(path) },
    ...(identifier === undefined ? {} : { identifier }),
    ...(previousResultId === undefined ? {} : { previousResultId }),
  };
  const items = session.board.pulled(path, await requestSteadily(session, method, params, call));
  return items ? { state: 'fresh', items } : { state: 'pending', items: [] };
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
  while (published()?.fresh !== true && performance.now() < end) await next(end - performance.now());
  if (published()?.fresh === true && !board.settled(path)) await settle(session, path, end, call);
  const spoken = published();
  if (!spoken) return { state: 'pending', items: [] };
  if (!spoken.fresh) return { state: 'stale', items: spoken.items };
  return { state: board.settled(path) ? 'fresh' : 'pending', items: spoken.items };
}

/** The rest is for the answer itself: what is known by then is worth more than that the time was up. */
const shareOfCall = 0.8;

async function settle(session: Session, path: string, end: number, call: Call): Promise<void> {
  if (!(await hasChecked(session, path, end, call))) return;
  const quiet = session.definition.diagnosticsQuiet ?? limits.diagnostics.quiet;
  while (performance.now() + quiet < end) {
    const heard = session.nextPublication().then(() => true);
    if ((await within(heard, quiet, call.signal)) === undefined) return session.board.settle(path);
  }
}

/** Whether the server says in time that it has checked the file; one that cannot be asked says so by publishing. */
async function hasChecked(session: Session, path: string, end: number, call: Call): Promise<boolean> {
  const { checkedBy } = session.definition;
  if (checkedBy === undefined) return true;
  const params = { command: checkedBy.command, arguments: checkedBy.arguments(path) };
  const asked = session.request('workspace/executeCommand', params, call.signal);
  const answered = asked.then(checkedBy.proves, refused);
  return (await within(answered, end - performance.now(), call.signal)) === true;
}

/** A refusal proves nothing; that the server has ended, or the call, is told as such. */
function refused(error: unknown): false {
  if (error instanceof ResponseError) return false;
  throw error;
}
