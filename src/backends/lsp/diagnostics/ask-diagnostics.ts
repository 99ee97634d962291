import type { Call } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { LspanError } from '../../../core/errors.ts';
import type { FileProblems } from '../../../core/problems.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { readProblems } from '../convert/diagnostics.ts';
import type { Session } from '../session/session.ts';
import { atOnce, awaitDiagnostics, isOutdated } from './await-diagnostics.ts';
import { pullDiagnostics, pullOptions, type Related, type ReportedDiagnostics } from './pull-diagnostics.ts';

/** Problems of a file, and of related files that the server reported with it. */
export interface ServerDiagnostics {
  readonly own: FileProblems;
  readonly related: readonly FileProblems[];
}

/** Like `ServerDiagnostics`, but also has the file's problems exactly as the server sent them. */
interface Heard extends ServerDiagnostics {
  readonly sent: readonly unknown[];
}

/**
 * Asks one server for the problems in the current text of a file, which is open unless the caller knows better: a server
 * that has read it in several projects tells those of its own project only then.
 */
export async function askDiagnostics(
  session: Session,
  workspace: Workspace,
  path: string,
  call: Call,
  { unopened = false }: { readonly unopened?: boolean } = {},
): Promise<Heard> {
  await session.documents.sync(unopened ? [] : [path]);
  const { diagnostics, diagnosticsCold } = session.timeouts;
  // A server that says what it is checking is at work, and not silent.
  const isPrompt = session.readiness.isReady && !session.checks.isTold;
  const timeouts = isPrompt ? diagnostics : diagnosticsCold;
  const canPull = () => pullOptions(session).length > 0;
  if (!unopened && !canPull() && isOutdated(session, path)) await session.documents.resend(path);
  let since = 0;
  const hear = () => {
    since = performance.now();
    return canPull()
      ? pullDiagnostics(session, workspace, path, call)
      : awaitDiagnostics(session, path, timeouts, call);
  };
  const { state, items, related, doubts } = await hearFinal(session, path, hear, call);
  const failure = session.diagnostics.failure(path);
  if (failure !== undefined) throw notChecked(session, failure.reason);
  const isMixed = items.length === 0 && session.mixesFolders;
  const present = (doubts.length > 0 || isMixed) && state === 'fresh' ? 'pending' : state;
  const hadTime = doubts.length === 0 && !canPull() && performance.now() - since >= timeouts;
  const isSilent = session.diagnostics.published(path, session.documents.since(path)) === undefined;
  const { checkCommand } = session.definition.diagnostics ?? {};
  const isMute = hadTime && isSilent && !session.diagnostics.publishesEmptyLists && !checkCommand;
  // Only positions need the text.
  const own =
    items.length === 0
      ? withoutProblems(session, path, present)
      : await spokenOf(session, await workspace.read(path), items, present);
  return {
    own: isMute || isMixed ? { ...own, mute: own.unheard } : own,
    related: await relatedProblems(session, workspace, related ?? []),
    sent: items,
  };
}

interface Final extends ReportedDiagnostics {
  /** Why they may not be final after all. */
  readonly doubts: readonly Doubt[];
}

/** Hears a server when it has loaded the project, or before that if what it finds cannot change any more. */
async function hearFinal(
  session: Session,
  path: string,
  hear: () => Promise<ReportedDiagnostics>,
  call: Call,
): Promise<Final> {
  const { beforeReady } = session.definition.diagnostics ?? {};
  if (beforeReady && !session.readiness.isReady) {
    const early = await hear();
    if (early.state === 'fresh' && beforeReady(early.items)) return { ...early, doubts: [] };
  }
  const doubts = await session.ready(call);
  const heard = await hear();
  if (!session.diagnostics.failure(path)?.mayPass) return { ...heard, doubts };
  session.diagnostics.retract(path);
  await session.documents.resend(path, atOnce);
  return { ...(await hear()), doubts };
}

/** Reads the diagnostics that a server sent for a document. */
export async function spokenOf(
  session: Session,
  document: Document,
  items: readonly unknown[],
  state: FileProblems['state'],
): Promise<FileProblems> {
  const { encoding, definition } = session;
  const withholds = (item: unknown) => session.withholds(item);
  const problems = await readProblems(items, document, encoding, definition, withholds);
  return { ...withoutProblems(session, document.path, state), problems };
}

function withoutProblems(
  { definition: { id } }: Session,
  path: string,
  state: FileProblems['state'],
): FileProblems {
  const word = state === 'fresh' ? { unheard: [], heard: [id] } : { unheard: [id] };
  return { path, problems: [], state, ...word };
}

/** Reads related files with problems; unreadable files cannot be shown and are dropped. */
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
    nextStep: 'Fix that, then call again.',
  });
}

/** Returns what a server published about a document unasked; stale if the server was sent a newer text. */
export function publishedProblems(session: Session, document: Document): Promise<FileProblems> {
  const spoken = session.diagnostics.disk.published(document.path, undefined);
  const isOld = spoken === undefined || (spoken.touched && !spoken.fresh);
  return spokenOf(session, document, spoken?.items ?? [], isOld ? 'stale' : 'fresh');
}
