import type {
  Answering,
  AnswerSource,
  Backend,
  GivenBackend,
  ServerControl,
  ServerOutcome,
  ServerSelector,
} from '../core/backend.ts';
import { bareStatus } from '../core/bare-status.ts';
import { asLspanError, LspanError } from '../core/errors.ts';
import type { WorkspaceProblems } from '../core/problems.ts';
import {
  type AskedSource,
  ableAmong,
  askSourcesInOrder,
  collect,
  combineAnswers,
  mergeByFile,
} from './combine-answers.ts';
import { allFailed } from './lsp/routing/collect-answers.ts';

/** Combines backends, the preferred one first, and adds the parts that they lack. */
export function combineBackends(given: readonly GivenBackend[], roots: readonly string[]): Backend {
  const id = given.map((source) => source.id).join(', ');
  const onDisk = given.map((source): AskedSource => ({ source, answering: source }));
  const checking = onDisk.filter(({ source }) => !source.isStandby);
  const withOverlays = given.filter(({ overlay }) => overlay !== undefined);
  return {
    id,
    ...combineAnswers(onDisk),
    overlay: (texts, call, work) => {
      if (withOverlays.length === 0) return work(diskOnly(id));
      const lay = (asked: readonly AskedSource[]): ReturnType<typeof work> => {
        const source = withOverlays[asked.length];
        if (!source?.overlay) return work(combineAnswers(asked));
        return source.overlay(texts, call, (answering) => lay([...asked, { source, answering }]));
      };
      return lay([]);
    },
    workspaceDiagnostics: async (call, check) => {
      const { answer, doubts } = await collect(checking, ({ source }) =>
        source.workspaceDiagnostics(call, check),
      );
      const files = await mergeByFile(
        [],
        answer.flatMap((one) => one.files),
      );
      const whole = doubts.length === 0 && answer.every((one) => one.whole);
      return { answer: { files, whole, ...sumOfLeft(answer) }, doubts };
    },
    propose: async (action, call) => {
      const able = ableAmong(checking, 'actions', action.path);
      const { replies, errors } = await askSourcesInOrder(
        able,
        ({ source }, turn) => source.propose(action, turn),
        () => true,
        call,
      );
      const [proposal] = replies;
      if (!proposal) throw allFailed(errors);
      return proposal;
    },
    onDiagnostics: (listener) => {
      const ends = given.map((source) => source.onDiagnostics(listener));
      return () => {
        for (const end of ends) end();
      };
    },
    servers: combineControls(given.map((source) => source.servers ?? withoutProcess(source, roots))),
    close: async (options) => {
      const closed = await Promise.allSettled(given.map((source) => source.close(options)));
      for (const one of closed) if (one.status === 'rejected') throw one.reason;
    },
  };
}

function combineControls(controls: readonly ServerControl[]): ServerControl {
  const ofAll = async <T>(ask: (control: ServerControl) => Promise<readonly T[]>) =>
    (await Promise.all(controls.map(ask))).flat();
  return {
    status: () => ofAll((control) => control.status()),
    restart: (selector, call) => ofAll((control) => control.restart(selector, call)),
    stop: (selector, call) => ofAll((control) => control.stop(selector, call)),
    filesMoved: async (moves, call) => {
      await Promise.all(controls.map((control) => control.filesMoved(moves, call)));
    },
    askRunning: async (question, call) => {
      for (const control of controls) {
        const answer = await control.askRunning(question, call);
        if (answer !== undefined) return answer;
      }
      return undefined;
    },
    filesWithProblems: () => [...new Set(controls.flatMap((control) => control.filesWithProblems()))],
  };
}

/** Replaces a missing overlay: rejects questions about texts that are not on disk. */
function diskOnly(id: string): Answering {
  const detail = `${id} cannot be asked about unsaved text.`;
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
function withoutProcess(source: AnswerSource, roots: readonly string[]): ServerControl {
  const { id } = source;
  const refuse = async ({ server, language, extensions }: ServerSelector): Promise<ServerOutcome[]> => {
    const isMeant = server === undefined ? language === undefined && !extensions : server === id;
    const error = `${id} is not a server process that lspan runs.`;
    return isMeant ? roots.map((root) => ({ id, root, outcome: 'failed', error })) : [];
  };
  return {
    status: async () => roots.map((root) => ({ ...bareStatus, state: 'running', id, root })),
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

/** Adds up what the backends have left unchecked. */
function sumOfLeft(answers: readonly WorkspaceProblems[]): Pick<WorkspaceProblems, 'unchecked' | 'outside'> {
  const sum = (key: 'unchecked' | 'outside') => answers.reduce((all, one) => all + (one[key] ?? 0), 0);
  const [unchecked, outside] = [sum('unchecked'), sum('outside')];
  return { ...(unchecked > 0 ? { unchecked } : {}), ...(outside > 0 ? { outside } : {}) };
}
