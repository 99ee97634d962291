import type { Reply } from '../../../core/backend.ts';
import type { AnswerOf, QuestionKind } from '../../../core/question.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import { addFromOtherServers } from './add-from-other-servers.ts';
import type { AnswerCache } from './answer-cache.ts';
import { askServers } from './ask-servers.ts';
import { coverage } from './coverage.ts';
import {
  capability,
  ownDiagnostics,
  parts,
  readBeforeSearch,
  readiness,
  send,
  syncDocuments,
} from './session-stages.ts';
import { type AskedQuestion, chain, type Next, type Stage } from './stage.ts';
import { serverDoubts, useServer, wanted } from './use-server.ts';

/**
 * The pipeline of a question, in the order of its stages. Every question passes:
 *
 * - `cache.lookUp`: returns an answer that is still valid.
 * - `cache.coalesce`: joins identical questions in flight.
 * - `cache.store`: caches the answer, if it is complete and the servers did not change meanwhile.
 * - `addFromOtherServers`: adds uses in other languages, and doubts about servers that are not trusted.
 * - `askServers`: asks all servers at once, or one after the other, as the row says.
 *
 * Each server passes:
 *
 * - `useServer`: starts the server, uses it exclusively or shared, and once more if it crashed.
 * - `wanted`: skips a server that opts out of the question.
 * - `serverDoubts`: adds why the answer of this server may be incomplete.
 * - `coverage`: makes the server see every project concerned, and adds what it misses.
 *
 * Each request to a server, those of `coverage` included, passes:
 *
 * - `syncDocuments`: sends changed text before the question about it.
 * - `readiness`: waits until the server has loaded the project; asks again if it began to load meanwhile.
 * - `capability`: checks that the server can answer.
 * - `readBeforeSearch`: lets a server read what it was sent, if its search for symbols would not.
 * - `ownDiagnostics`: adds the server's own diagnostics to questions that need them.
 * - `parts`: splits a question that consists of several, and joins the answers.
 * - `send`: sends the request, again if the server cancelled it, and lets the row read the answer.
 */
const stages: {
  readonly server: readonly Stage<'server'>[];
  readonly session: readonly Stage<'session'>[];
} = {
  server: [wanted, serverDoubts, coverage],
  session: [readiness, capability, readBeforeSearch, ownDiagnostics, parts],
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

/** Returns the pipeline of a backend; without a cache for texts that are not on disk. */
export function openPipeline(cache?: AnswerCache): Next<'question'> {
  const cached: readonly Stage<'question'>[] = cache ? [cache.lookUp, cache.coalesce, cache.store] : [];
  return chain([...cached, addFromOtherServers(askServer)], (asked) => askServers(asked, askServer));
}
