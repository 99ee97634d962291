import type { Reply } from '../../../core/backend.ts';
import type { AnswerOf, QuestionKind } from '../../../core/questions.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import { addFromOtherServers } from './add-from-other-servers.ts';
import type { AnswerCache } from './answer-cache.ts';
import { askServers } from './ask-servers.ts';
import { coverage } from './coverage.ts';
import { capability, ownDiagnostics, parts, readiness, send } from './session-stages.ts';
import { type AskedQuestion, chain, type Next, type Stage } from './stage.ts';
import { syncDocuments } from './sync-documents.ts';
import { serverDoubts, useServer, wanted } from './use-server.ts';

/**
 * The pipeline of a question, in the order of its stages. Every question passes:
 *
 * - `cache.lookUp`: an answer that still holds is returned.
 * - `cache.coalesce`: identical questions in flight are one.
 * - `cache.store`: the answer is kept, if it is complete and the servers did not change meanwhile.
 * - `addFromOtherServers`: uses in other languages, and doubts about servers that are not trusted.
 * - `askServers`: all servers at once, or one after the other, as the row says.
 *
 * Each server passes:
 *
 * - `useServer`: the server is started, used alone or shared, and once more if it crashed.
 * - `wanted`: a server that has no say in the question is left out.
 * - `serverDoubts`: why the answer of this server may be incomplete.
 * - `coverage`: the server is made to see every project that may be concerned, and what it misses is added.
 *
 * Each request to a server, those of `coverage` included, passes:
 *
 * - `syncDocuments`: changed text goes out before the question about it.
 * - `readiness`: the server has loaded the project; it is asked again if it began to load meanwhile.
 * - `capability`: the server says that it can answer.
 * - `diagnostics`: questions that need the server's own diagnostics get them.
 * - `parts`: a question that consists of several is split and joined.
 * - `send`: the request is sent, again where the server broke it off, and the row reads the answer.
 */
const stages: {
  readonly server: readonly Stage<'server'>[];
  readonly session: readonly Stage<'session'>[];
} = {
  server: [wanted, serverDoubts, coverage],
  session: [readiness, capability, ownDiagnostics, parts],
};

const request = chain(stages.session, send);

const session = chain<'server'>(stages.server, (asked) => syncDocuments(asked, request));

/** Asks one server a question. */
export function askServer<K extends QuestionKind>(
  asked: AskedQuestion<K>,
  slot: ServerSlot,
): Promise<Reply<AnswerOf<K>>> {
  return useServer(asked, slot, session);
}

/** Returns the way in which a backend asks; without a cache where other text than the disk's is meant. */
export function openPipeline(cache?: AnswerCache): Next<'question'> {
  const cached: readonly Stage<'question'>[] = cache ? [cache.lookUp, cache.coalesce, cache.store] : [];
  return chain([...cached, addFromOtherServers(askServer)], (asked) => askServers(asked, askServer));
}
