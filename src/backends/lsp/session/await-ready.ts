import { type Call, cancelSignalOf, timeLeft, withinPart } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { limits } from '../../../core/limits.ts';
import type { CancelSignal } from '../../../core/runtime/cancellation.ts';
import { ResponseError } from '../../../jsonrpc/message.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import type { DocumentSync } from '../documents/document-sync.ts';
import type { DiagnosticsStore } from './diagnostics-store.ts';
import type { Readiness } from './readiness.ts';

/** The parts of a session that `awaitReady` needs. */
interface Awaited {
  readonly definition: ServerDefinition;
  readonly readiness: Readiness;
  readonly timeouts: { readonly readiness: number };
  readonly documents: DocumentSync;
  readonly diagnostics: DiagnosticsStore;
  request(method: string, params: unknown, signal: CancelSignal): Promise<unknown>;
  nextEvent(time: number, signal: CancelSignal): Promise<void>;
}

/** Waits until the server has loaded the project and read its documents; returns a doubt if time runs out. */
export async function awaitReady(session: Awaited, call: Call): Promise<readonly Doubt[]> {
  const end =
    performance.now() + Math.min(session.timeouts.readiness, timeLeft(call, limits.shares.readiness));
  let reported: string | undefined;
  while (!(await isReady(session, end, call))) {
    const time = end - performance.now();
    if (time <= 0) return [stillLoading(session)];
    const words = loadingWords(session);
    if (words !== reported) call.report(words);
    reported = words;
    const messages = session.readiness.messageCount;
    await session.nextEvent(Math.min(time, pause(session)), cancelSignalOf(call));
    if (session.readiness.messageCount === messages) await proveLoaded(session, end, call);
  }
  session.documents.markRead();
  return [];
}

/** The doubt about answers of a server that has not loaded the project. */
export function stillLoading(session: Pick<Awaited, 'definition' | 'readiness'>): Doubt {
  const { id } = session.definition;
  const detail = `${loadingWords(session)}. Call again for the complete answer.`;
  return { kind: 'indexing', server: id, detail, loading: session.readiness.messageCount };
}

/** Says why a call waits, as `gopls is loading the project (Setting up workspace: 3/7)`. */
function loadingWords({ definition: { id }, readiness }: Pick<Awaited, 'definition' | 'readiness'>): string {
  if (readiness.isReady) return `${id} is reading new files`;
  return `${id} is loading the project${readiness.doing ? ` (${readiness.doing})` : ''}`;
}

/** Polls a server that must be asked: it sends nothing when it gets ready, or may have failed to. */
function pause({ readiness }: Awaited): number {
  if (readiness.provable !== undefined) return limits.lostEnd;
  return readiness.enquiry === undefined ? Number.POSITIVE_INFINITY : limits.emptyAnswer.wait;
}

/** Asks a server that loads one project after the other for an outline: it answers when it has loaded. */
async function proveLoaded(session: Awaited, end: number, call: Call): Promise<void> {
  const { readiness, documents } = session;
  const loading = readiness.provable;
  const path = documents.paths.at(-1);
  if (loading === undefined || path === undefined) return;
  const params = { textDocument: { uri: documents.uriOf(path) } };
  await withinPart(call, { most: end - performance.now() }, async (part) => {
    const refused = (error: unknown) => {
      const isLate = cancelSignalOf(part).aborted && !cancelSignalOf(call).aborted;
      if (error instanceof ResponseError || isLate) return;
      throw error;
    };
    await session.request('textDocument/documentSymbol', params, cancelSignalOf(part)).then(() => {
      readiness.onProven(loading);
    }, refused);
  });
}

async function isReady(session: Awaited, end: number, call: Call): Promise<boolean> {
  const { readiness } = session;
  while (readiness.enquiry && !readiness.isReady && (await enquire(session, readiness.enquiry, end, call)));
  if (!readiness.hasSignal) return true;
  return readiness.isReady && hasReadAll(session);
}

/** Returns whether to ask again. Waits at most until `end`: some servers answer only once they are ready. */
async function enquire(
  session: Awaited,
  { method, params }: NonNullable<Readiness['enquiry']>,
  end: number,
  call: Call,
): Promise<boolean> {
  return withinPart(call, { most: end - performance.now() }, (part) => {
    const refused = (error: unknown): false => {
      const isLate = cancelSignalOf(part).aborted && !cancelSignalOf(call).aborted;
      if (error instanceof ResponseError) session.readiness.cannotTell();
      else if (!isLate) throw error;
      return false;
    };
    const asked = session.request(method, params, cancelSignalOf(part));
    return asked.then((result) => session.readiness.learn(result), refused);
  });
}

/** With `publishesWhenRead`, the server must have published diagnostics for every document sent to it. */
function hasReadAll({ definition, documents, diagnostics }: Awaited): boolean {
  if (definition.sync?.publishesWhenRead !== true) return true;
  return documents.paths.every((path) => diagnostics.hasSpoken(path, documents.since(path)));
}
