import type {
  Answering,
  AnswerSource,
  ServerControl,
  ServerOutcome,
  ServerSelector,
  ServerStatus,
} from '../core/backend.ts';
import { asLspanError, LspanError } from '../core/errors.ts';

/** Replaces a missing overlay: rejects questions about texts that are not on disk. */
export function diskOnly(id: string): Answering {
  const detail = `Text that is not on the disk cannot be shown to ${id}, so nothing is known of it.`;
  const refusal = new LspanError('not_supported', detail, {
    nextStep: 'Apply the change first, then ask about it.',
  });
  return {
    ask: () => Promise.reject(refusal),
    visibility: async () => new Map(),
    diagnostics: async (files) => ({
      answer: files.map((path) => ({ path, state: 'unavailable', problems: [], unheard: [] })),
      doubts: [{ kind: 'server_unavailable', server: id, detail }],
    }),
  };
}

/** Control of a backend that is not a process: it is listed, always available, and cannot be restarted. */
export function withoutProcess(source: AnswerSource, roots: readonly string[]): ServerControl {
  const { id } = source;
  const refuse = async ({ server, language, extensions }: ServerSelector): Promise<ServerOutcome[]> => {
    const isMeant = server === undefined ? language === undefined && !extensions : server === id;
    const error = `${id} is not a server process that lspan runs.`;
    return isMeant ? roots.map((root) => ({ id, root, outcome: 'failed', error })) : [];
  };
  return {
    status: async () => roots.map((root) => ({ ...running, id, root })),
    restart: refuse,
    stop: refuse,
    filesMoved: async () => {},
    askRunning: (question, call) =>
      source.ask(question, call).then(
        ({ answer }) => answer,
        (thrown: unknown) => {
          if (asLspanError(thrown).code !== 'not_supported') throw thrown;
          return undefined;
        },
      ),
    filesWithProblems: () => [],
  };
}

const running: Omit<ServerStatus, 'id' | 'root'> = {
  languages: [],
  state: 'running',
  doubts: [],
  restarts: 0,
  openDocuments: 0,
  daemonsEnded: [],
  lastErrors: [],
  lastWords: [],
  writes: [],
  spare: false,
};
