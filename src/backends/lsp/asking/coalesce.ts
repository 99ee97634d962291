import type { Reply } from '../../../core/backend.ts';
import { type Call, endOf } from '../../../core/call.ts';
import { LspanError } from '../../../core/errors.ts';
import { AskedQuestion } from './asked-question.ts';

/** The questions in flight of one kind, by all that their answers depend on: who has the same key means the same. */
export type Flight<T> = Map<string, AskedQuestion<Reply<T>>>;

/** Asks, or waits with those who have asked the same; that one who waits leaves hurts none of the others. */
export async function askShared<T>(
  flight: Flight<T>,
  key: string,
  call: Call,
  ask: (shared: Call) => Promise<Reply<T>>,
): Promise<Reply<T>> {
  endOf(call).throwIfAborted();
  const asked = flight.get(key);
  if (!asked?.suits(call)) return begin(flight, key, call, ask);
  const reply = await asked.answerFor(call).catch((error: unknown) => {
    if (!asked.isOutlivedBy(call) || !isOfTime(error)) throw error;
    return undefined;
  });
  // How long a server was waited for depends on how long who asked first could wait.
  const isEnough = reply && (reply.doubts.length === 0 || !asked.isOutlivedBy(call));
  return isEnough ? reply : askShared(flight, key, call, ask);
}

function begin<T>(
  flight: Flight<T>,
  key: string,
  call: Call,
  ask: (shared: Call) => Promise<Reply<T>>,
): Promise<Reply<T>> {
  const end = () => {
    if (flight.get(key) === asked) flight.delete(key);
  };
  const asked: AskedQuestion<Reply<T>> = new AskedQuestion(call, (shared) => ask(shared).finally(end));
  flight.set(key, asked);
  return asked.answerFor(call);
}

/** That the time of who asked first was too short says nothing about the question. */
function isOfTime(error: unknown): boolean {
  return error instanceof LspanError && (error.code === 'timed_out' || error.code === 'starting');
}
