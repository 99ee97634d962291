import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { Session } from './session.ts';

/** Waits until the server has loaded the project and read what it was sent, as long as the call allows; else a doubt. */
export async function awaitReady(session: Session, call: Call): Promise<readonly Doubt[]> {
  const { id } = session.definition;
  if (!session.readiness.tells || (await isReady(session, call))) return [];
  call.report(`Waiting for ${id} to load the project`);
  const left = call.deadline - performance.now();
  const end = performance.now() + Math.min(session.patience.readiness, left * shareOfCall);
  while (performance.now() < end) {
    await session.nextEvent(Math.min(end - performance.now(), pause(session)), call.signal);
    if (await isReady(session, call)) return [];
  }
  const doing = session.readiness.doing;
  const detail = `${id} had not finished loading the project${doing ? ` (${doing})` : ''}; ask again for the whole answer.`;
  return [{ kind: 'indexing', server: id, detail }];
}

/** The rest is for the answer itself. */
const shareOfCall = 0.7;

/** Who must be asked says nothing when it gets ready. */
function pause({ readiness }: Session): number {
  return readiness.enquiry === undefined ? Number.POSITIVE_INFINITY : limits.emptyAnswer.wait;
}

async function isReady(session: Session, call: Call): Promise<boolean> {
  const { readiness } = session;
  const { enquiry } = readiness;
  if (enquiry !== undefined && !readiness.known) {
    while (readiness.learn(await session.request(enquiry, {}, call.signal))) call.signal.throwIfAborted();
  }
  return readiness.known && hasReadAll(session);
}

/** A server that tells by publishing problems that it has read a text has told so of each text that it was sent. */
function hasReadAll({ definition, documents, board }: Session): boolean {
  if (definition.publishesWhenRead !== true) return true;
  return documents.paths.every((path) => board.hasSpoken(path, documents.version(path)));
}
