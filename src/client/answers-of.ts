import type { Answering, Reply } from '../core/backend.ts';
import type { Call } from '../core/call.ts';
import { type Doubt, uniqueDoubts } from '../core/doubts.ts';
import { doubtForHost, errorForHost } from '../core/wording/api-words.ts';
import { admitFiles, type PathCheck } from './admit-paths.ts';
import { admitQuestion } from './admit-question.ts';
import type { Overlaid } from './client.ts';

/** Lets a program ask a backend or overlay during a call; adds the doubts of the freshness check to each reply. */
export function answersOf(
  answering: Answering,
  gate: PathCheck,
  call: Call,
  watched: readonly Doubt[],
): Overlaid {
  return {
    ask: (question) =>
      admitQuestion(question, gate)
        .then((admitted) => answering.ask(admitted, call))
        .then((reply) => doubting(reply, watched), rethrow),
    diagnostics: (files) =>
      admitFiles(files, gate)
        .then((admitted) => answering.diagnostics(admitted, call))
        .then((reply) => doubting(reply, watched), rethrow),
  };
}

/** Adds earlier doubts to a reply. */
export function doubting<T>({ answer, doubts }: Reply<T>, watched: readonly Doubt[]): Reply<T> {
  return { answer, doubts: uniqueDoubts([...watched, ...doubts].map(doubtForHost)) };
}

function rethrow(thrown: unknown): never {
  throw errorForHost(thrown);
}
