import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { AnswerSource, Reply } from '../../../src/core/backend.ts';
import { type Call, cancelSignalOf, until } from '../../../src/core/call.ts';
import { LspanError } from '../../../src/core/errors.ts';
import type { Range } from '../../../src/core/position.ts';
import type { AnswerOf, Place, Question, QuestionKind, Span } from '../../../src/core/question.ts';

/** What an in-memory backend answers, and how. */
export interface MemoryOptions {
  readonly id?: string;
  readonly extension?: string;
  /** Taken away from what it can be asked. */
  readonly unable?: readonly QuestionKind[];
  /** Questions that it never replies to. */
  readonly silent?: readonly QuestionKind[];
  readonly doubts?: Reply<unknown>['doubts'];
}

/** A backend without processes and overlays: it answers from the words of the files in a folder. */
export function memoryBackend(root: string, options: MemoryOptions = {}): AnswerSource {
  const { id = 'memory', extension = 'txt', unable = [], silent = [], doubts = [] } = options;
  let isClosed = false;
  const isOwn = (file: string) => file.endsWith(`.${extension}`);
  const files = () => readdirSync(root).filter(isOwn);
  const all = () => files().flatMap((file) => wordsOf(path.join(root, file)));
  const named = ({ path: file, position }: Place) =>
    wordsOf(file).find(({ span: { range } }) => covers(range, position))?.name;
  const answers: Answers = {
    definition: ({ place }) =>
      all().flatMap(({ name, isDeclared, span }) => (isDeclared && name === named(place) ? [span] : [])),
    references: ({ place }) => all().flatMap(({ name, span }) => (name === named(place) ? [span] : [])),
    hover: ({ place }) => {
      const name = named(place);
      return name === undefined ? undefined : { text: `${name}, by ${id}` };
    },
    outline: ({ path: file }) =>
      wordsOf(file).flatMap(({ name, isDeclared, span: { range } }) =>
        isDeclared ? [{ name, kind: 'function', range, selection: range, children: [] }] : [],
      ),
    symbols: ({ query }) =>
      all().flatMap(({ name, isDeclared, span }) =>
        isDeclared && name.includes(query) ? [{ name, kind: 'function', span }] : [],
      ),
  };
  const refuse = (what: string) => new LspanError('not_supported', `${id} does not answer ${what}.`);
  const check = (file: string) => {
    const found = wordsOf(file).filter(({ name }) => name.startsWith('ERROR_'));
    const problems = found.map(({ name, span: { range } }) => ({
      range,
      severity: 'error' as const,
      message: name,
      server: id,
    }));
    return { path: file, state: 'fresh' as const, problems, heard: [id], unheard: [] };
  };
  const enter = (call: Call) => {
    if (isClosed) throw new LspanError('cancelled', `${id} is closed.`);
    cancelSignalOf(call).throwIfAborted();
  };
  return {
    id,
    ask: async <K extends QuestionKind>(question: Question<K>, call: Call): Promise<Reply<AnswerOf<K>>> => {
      enter(call);
      if (silent.includes(question.kind)) await until(new Promise(() => {}), cancelSignalOf(call));
      const answer = answers[question.kind];
      if (!answer || unable.includes(question.kind)) throw refuse(question.kind);
      return { answer: answer(question), doubts };
    },
    visibility: async (_place, asked) =>
      new Map(asked.map((file) => [file, isOwn(file) ? 'seen' : 'other_language'])),
    diagnostics: async (asked, call) => {
      enter(call);
      if (!asked.some(isOwn)) throw refuse('diagnostics of these files');
      const unchecked = { state: 'unavailable', problems: [], unheard: [] } as const;
      return {
        answer: asked.map((file) => (isOwn(file) ? check(file) : { path: file, ...unchecked })),
        doubts,
      };
    },
    workspaceDiagnostics: async (call) => {
      enter(call);
      const checked = files().map((file) => check(path.join(root, file)));
      return { answer: { files: checked, whole: doubts.length === 0 }, doubts };
    },
    propose: () => Promise.reject(refuse('what an action changes')),
    onDiagnostics: () => () => {},
    close: async () => {
      isClosed = true;
    },
  };
}

type Answers = { readonly [K in QuestionKind]?: (question: Question<K>) => AnswerOf<K> };

interface Word {
  readonly name: string;
  readonly isDeclared: boolean;
  readonly span: Span;
}

function wordsOf(file: string): readonly Word[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((text, line) =>
    [...text.matchAll(/[\p{L}_]+/gu)].map(({ 0: name, index }) => ({
      name,
      isDeclared: text.slice(0, index).endsWith('function '),
      span: {
        path: file,
        range: { start: { line, character: index }, end: { line, character: index + name.length } },
        standing: 'inside' as const,
      },
    })),
  );
}

function covers({ start, end }: Range, { line, character }: Place['position']): boolean {
  return start.line === line && start.character <= character && character <= end.character;
}
