import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AnswerSource } from '../../../src/core/backend.ts';
import { beginCall, type Call } from '../../../src/core/call.ts';
import type { DoubtKind } from '../../../src/core/doubts.ts';
import { LspanError } from '../../../src/core/errors.ts';
import type { Action, Place, Span } from '../../../src/core/question.ts';

/** How the backend of a case behaves. */
export type Condition =
  /** It answers everything at once. */
  | 'ready'
  /** It has no definitions to offer. */
  | 'unable'
  /** It never gets to know the whole project. */
  | 'loading'
  /** It does not reply to questions about definitions. */
  | 'silent'
  /** It never says anything of problems. */
  | 'checks_never'
  /** It tells the problems of the first text of a file only. */
  | 'checks_once';

/** A backend over a folder of files, for the length of a test. */
export interface OpenedBackend {
  readonly backend: AnswerSource;
  readonly root: string;
  write(file: string, text: string): void;
  /** Resolves when the backend knows what has changed on the disk. */
  refresh(call: Call): Promise<unknown>;
}

/** Opens a backend over files of the words language: `function NAME` declares a word, `ERROR_NAME` is a problem. */
export type OpenBackend = (
  files: Readonly<Record<string, string>>,
  condition: Condition,
) => Promise<OpenedBackend>;

/** What a backend cannot do at all. */
interface BackendLimits {
  /** The doubt that marks all its answers, which says nothing of this one. */
  readonly mark?: DoubtKind;
  /** False if it knows no problems, and covers no files. */
  readonly checks?: boolean;
}

/** The cases that hold for every backend, but for conditions that it cannot be in. */
export function backendCases(
  opening: OpenBackend,
  without: readonly Condition[] = [],
  { mark, checks = true }: BackendLimits = {},
): void {
  const open: OpenBackend = async (files, condition) => {
    const opened = await opening(files, condition);
    return mark === undefined ? opened : { ...opened, backend: unmarked(opened.backend, mark) };
  };
  const inCondition = (condition: Condition) => it.skipIf(without.includes(condition));

  describe('a question', () => {
    it('about a definition leads to the declaration', async () => {
      const { spans } = await enter(open);
      expect(await spans('definition', 'b.txt', 0, 1)).toEqual({ answer: ['a.txt 0:9-0:14'], doubts: [] });
    });

    it('about references has the declaration among them', async () => {
      const { spans } = await enter(open);
      const { answer, doubts } = await spans('references', 'b.txt', 0, 1);
      expect([...answer].sort()).toEqual(['a.txt 0:9-0:14', 'a.txt 1:0-1:5', 'b.txt 0:0-0:5']);
      expect(doubts).toEqual([]);
    });

    it('that finds nothing has an empty answer without doubts', async () => {
      const { spans } = await enter(open);
      expect(await spans('definition', 'b.txt', 0, 7)).toEqual({ answer: [], doubts: [] });
    });

    inCondition('unable')('that the backend is not able to answer is rejected, and not empty', async () => {
      const { spans } = await enter(open, 'unable');
      await expect(spans('definition', 'b.txt', 0, 1)).rejects.toMatchObject({ code: 'not_supported' });
      expect((await spans('references', 'b.txt', 0, 1)).answer).toHaveLength(3);
    });

    inCondition('loading')('while the project is loading is answered with a doubt', async () => {
      const { spans } = await enter(open, 'loading');
      const { answer, doubts } = await spans('definition', 'b.txt', 0, 1);
      expect(answer).toEqual(['a.txt 0:9-0:14']);
      expect(doubts).toMatchObject([{ kind: 'indexing' }]);
    });

    inCondition('silent')('ends when the caller cancels it', async () => {
      const { spans } = await enter(open, 'silent');
      await spans('references', 'b.txt', 0, 1);
      const caller = new AbortController();
      const asked = spans('definition', 'b.txt', 0, 1, beginCall({ time: 60_000 }, caller.signal));
      caller.abort();
      await expect(asked).rejects.toMatchObject({ name: 'LspanError', code: 'cancelled' });
    });

    inCondition('silent')('ends at its deadline', async () => {
      const { spans } = await enter(open, 'silent');
      await spans('references', 'b.txt', 0, 1);
      const asked = spans('definition', 'b.txt', 0, 1, beginCall({ time: 500 }));
      await expect(asked).rejects.toMatchObject({ name: 'LspanError', code: 'timed_out' });
      expect((await spans('references', 'b.txt', 0, 1)).answer).toHaveLength(3);
    });

    it('is about the text that is on the disk when it is asked', async () => {
      const { spans, write } = await enter(open);
      await spans('definition', 'b.txt', 0, 1);
      write('a.txt', 'first\nsecond\nfunction alpha\n');
      expect((await spans('definition', 'b.txt', 0, 1)).answer).toEqual(['a.txt 2:9-2:14']);
      write('c.txt', 'alpha\n');
      expect((await spans('references', 'b.txt', 0, 1)).answer).toContain('c.txt 0:0-0:5');
    });

    it('counts columns in units of UTF-16', async () => {
      const { spans } = await enter(open, 'ready', {
        'a.txt': '🎉é function alpha\n',
        'b.txt': '👩‍👩‍👧 alpha\n',
      });
      expect((await spans('definition', 'b.txt', 0, 9)).answer).toEqual(['a.txt 0:13-0:18']);
      expect([...(await spans('references', 'a.txt', 0, 13)).answer].sort()).toEqual([
        'a.txt 0:13-0:18',
        'b.txt 0:9-0:14',
      ]);
    });

    it('about what an unknown action changes is rejected', async () => {
      const { backend, at } = await enter(open);
      using call = beginCall({ time: 60_000 });
      const unknown: Action = { ...noAction, path: at('a.txt') };
      const proposed = backend.propose(unknown, call).catch((error: LspanError) => error.code);
      expect(['stale', 'not_supported']).toContain(await proposed);
    });
  });

  describe.skipIf(!checks)('problems', () => {
    it('are fresh where the present text was checked, also when there are none', async () => {
      const { problems, write } = await enter(open, 'ready', flawed);
      expect(await problems('a.txt')).toEqual([['a.txt', 'fresh', '0:5-0:12 error']]);
      write('a.txt', 'all is well\n');
      expect(await problems('a.txt')).toEqual([['a.txt', 'fresh']]);
    });

    inCondition('checks_never')('are pending where the backend has not spoken', async () => {
      const { problems } = await enter(open, 'checks_never', flawed);
      expect(await problems('a.txt')).toEqual([['a.txt', 'pending']]);
    });

    inCondition('checks_once')('are stale where it has spoken of an older text', async () => {
      const { problems, write } = await enter(open, 'checks_once', flawed);
      expect((await problems('a.txt'))[0]?.slice(0, 2)).toEqual(['a.txt', 'fresh']);
      write('a.txt', 'all is well\n');
      expect((await problems('a.txt'))[0]?.slice(0, 2)).toEqual(['a.txt', 'stale']);
    });

    it('are unavailable of a file that is not checked, beside one that is', async () => {
      const { problems } = await enter(open, 'ready', { ...flawed, 'c.unknown': 'x\n' });
      expect(await problems('a.txt', 'c.unknown')).toEqual([
        ['a.txt', 'fresh', '0:5-0:12 error'],
        ['c.unknown', 'unavailable'],
      ]);
    });

    it('of the workspace are whole only without a doubt', async () => {
      const { backend, at, problems } = await enter(open, 'ready', flawed);
      await problems('a.txt');
      using call = beginCall({ time: 60_000 });
      const { answer, doubts } = await backend.workspaceDiagnostics(call);
      expect(answer.files.map((file) => file.path)).toContain(at('a.txt'));
      if (doubts.length > 0) expect(answer.whole).toBe(false);
    });
  });

  it.skipIf(!checks)('a search covers the files of its language and no others', async () => {
    const { backend, at, spans } = await enter(open, 'ready', { ...words, 'c.unknown': 'alpha\n' });
    await spans('references', 'b.txt', 0, 1);
    const place = { path: at('b.txt'), position: { line: 0, character: 1 } };
    const told = await backend.visibility(place, [at('a.txt'), at('c.unknown')]);
    expect([...told]).toEqual([
      [at('a.txt'), 'seen'],
      [at('c.unknown'), 'other_language'],
    ]);
  });

  it('a backend that is closed refuses questions, and may be closed again', async () => {
    const { backend, spans } = await enter(open);
    await spans('definition', 'b.txt', 0, 1);
    await backend.close();
    await expect(spans('definition', 'b.txt', 0, 2)).rejects.toBeInstanceOf(LspanError);
    await backend.close();
  });
}

/** Leaves out the doubt that marks every answer of a backend. */
function unmarked(backend: AnswerSource, mark: DoubtKind): AnswerSource {
  const ask: AnswerSource['ask'] = async (question, call) => {
    const { answer, doubts } = await backend.ask(question, call);
    return { answer, doubts: doubts.filter(({ kind }) => kind !== mark) };
  };
  return Object.assign(Object.create(backend), {
    ask,
    close: () => backend.close(),
    propose: backend.propose,
  });
}

const words = { 'a.txt': 'function alpha\nalpha beta\n', 'b.txt': 'alpha used\n' };

const flawed = { 'a.txt': 'here ERROR_a\n', 'b.txt': 'nothing\n' };

const noAction: Action = {
  title: 'Nothing',
  isPreferred: false,
  fixes: [],
  server: 'nobody',
  path: '',
  key: '',
  sent: {},
  request: {},
  seen: {},
};

/** Opens a backend, with short ways to ask it and to write its answers. */
async function enter(
  open: OpenBackend,
  condition: Condition = 'ready',
  files: Readonly<Record<string, string>> = words,
) {
  const opened = await open(files, condition);
  const { backend, root, refresh } = opened;
  const at = (file: string) => path.join(root, file);
  const spans = async (
    kind: 'definition' | 'references',
    file: string,
    line: number,
    character: number,
    call: Call & Disposable = beginCall({ time: 60_000 }),
  ) => {
    using asked = call;
    await refresh(asked);
    const place: Place = { path: at(file), position: { line, character } };
    const { answer, doubts } = await backend.ask({ kind, place }, asked);
    return { answer: answer.map((span) => shown(root, span)), doubts };
  };
  const problems = async (...named: readonly string[]) => {
    using call = beginCall({ time: 60_000 });
    await refresh(call);
    const { answer } = await backend.diagnostics(named.map(at), call);
    return answer.map((file) => [
      path.relative(root, file.path),
      file.state,
      ...file.problems.map(({ range, severity }) => `${shownRange(range)} ${severity}`),
    ]);
  };
  return { ...opened, at, spans, problems };
}

function shown(root: string, span: Span): string {
  return `${path.relative(root, span.path)} ${shownRange(span.range)}`;
}

function shownRange({ start, end }: Span['range']): string {
  return `${start.line}:${start.character}-${end.line}:${end.character}`;
}
