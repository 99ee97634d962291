import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { combineBackends } from '../../src/backends/combine-backends.ts';
import type { Answering, AnswerSource, Backend, GivenBackend } from '../../src/core/backend.ts';
import { beginCall } from '../../src/core/call.ts';
import { LspanError } from '../../src/core/errors.ts';
import type { Action } from '../../src/core/question.ts';
import { temporaryFolder } from '../workspace/sandbox.ts';
import { type MemoryOptions, memoryBackend } from './cases/memory-backend.ts';

const files = { 'a.txt': 'function alpha ERROR_a\n', 'b.txt': 'alpha\n', 'c.md': 'function alpha ERROR_c\n' };

const indexing = (id: string) => ({ kind: 'indexing', server: id, detail: `${id} is loading.` }) as const;

/** Two backends over the same files, the first preferred. */
function two(first: MemoryOptions, second: MemoryOptions, parts: Partial<GivenBackend> = {}) {
  const root = temporaryFolder(files);
  const sources = [
    { ...memoryBackend(root, { id: 'index', ...first }), ...parts },
    memoryBackend(root, { id: 'editor', ...second }),
  ];
  const backend = combineBackends(sources, [root]);
  const call = beginCall({ time: 60_000 });
  const place = { path: path.join(root, 'b.txt'), position: { line: 0, character: 1 } };
  const hover = (who: Answering = backend) => who.ask({ kind: 'hover', place }, call);
  return { root, sources, backend, call, place, hover };
}

describe('a question to backends side by side', () => {
  it('is answered by the preferred one where its answer is complete', async () => {
    const { hover } = two({}, { silent: ['hover'] });
    expect(await hover()).toEqual({ answer: { text: 'alpha, by index' }, doubts: [] });
  });

  it('goes on to the next one where the answer is in doubt', async () => {
    const { hover } = two({ doubts: [indexing('index')] }, {});
    expect(await hover()).toEqual({ answer: { text: 'alpha, by editor' }, doubts: [] });
  });

  it('keeps the doubts of all where no answer is complete, and takes the fullest', async () => {
    const first = { doubts: [indexing('index')], extension: 'md' };
    const { backend, place, call } = two(first, { doubts: [indexing('editor')] });
    const { answer, doubts } = await backend.ask({ kind: 'references', place }, call);
    expect(answer.map((span) => path.basename(span.path))).toEqual(['a.txt', 'b.txt']);
    expect(doubts).toEqual([indexing('index'), indexing('editor')]);
  });

  it('passes over one that is not able, and one that says beforehand that it does not answer', async () => {
    expect((await two({ unable: ['hover'] }, {}).hover()).answer?.text).toBe('alpha, by editor');
    const asked = two({ silent: ['hover'] }, {}, { answers: (kind) => kind !== 'hover' });
    expect((await asked.hover()).answer?.text).toBe('alpha, by editor');
  });

  it('goes on to the next one in time where one is silent', async () => {
    const { backend, place } = two({ silent: ['hover'] }, {});
    using call = beginCall({ time: 1_000 });
    const { answer, doubts } = await backend.ask({ kind: 'hover', place }, call);
    expect([answer?.text, doubts]).toEqual(['alpha, by editor', []]);
  });

  it('is rejected where none is able', async () => {
    const { hover } = two({ unable: ['hover'] }, { unable: ['hover'] });
    await expect(hover()).rejects.toMatchObject({ code: 'not_supported' });
    const backend = combineBackends([{ ...two({}, {}).backend, answers: () => false }], []);
    await expect(hover(backend)).rejects.toMatchObject({
      code: 'not_supported',
      nextStep: expect.anything(),
    });
  });

  it('is put to all where its row joins answers, and one that fails is a doubt', async () => {
    const { backend, call } = two({ extension: 'md' }, {});
    const both = await backend.ask({ kind: 'symbols', query: 'alpha' }, call);
    expect(both.answer.map(({ span }) => path.basename(span.path))).toEqual(['c.md', 'a.txt']);
    const ask: AnswerSource['ask'] = () => Promise.reject(new LspanError('server_crashed', 'It crashed.'));
    const one = await two({}, {}, { ask }).backend.ask({ kind: 'symbols', query: 'alpha' }, call);
    expect(one.answer).toHaveLength(1);
    expect(one.doubts).toEqual([{ kind: 'server_unavailable', server: 'index', detail: 'It crashed.' }]);
  });

  it('about an action is put to the one that offered it', async () => {
    const propose = () => Promise.reject(new LspanError('stale', 'index did not offer it.'));
    const { root, sources, call } = two({}, {}, { propose });
    const proposal = { steps: [], confirm: [] };
    const [index, editor] = sources;
    if (!index || !editor) throw new Error('There are two.');
    const offering = { ...editor, propose: async () => proposal };
    const action: Action = Object({ path: path.join(root, 'a.txt') });
    expect(await combineBackends([index, offering], [root]).propose(action, call)).toBe(proposal);
    await expect(combineBackends([index, editor], [root]).propose(action, call)).rejects.toMatchObject({
      code: 'stale',
    });
  });
});

describe('what backends side by side tell of files', () => {
  it('has the problems of each file from all that check it', async () => {
    const { backend, root, call } = two(
      { extension: 'md' },
      {},
      {
        answers: (kind, file) => kind !== 'diagnostics' || file?.endsWith('.md') === true,
      },
    );
    const { answer, doubts } = await backend.diagnostics(
      [path.join(root, 'a.txt'), path.join(root, 'c.md')],
      call,
    );
    expect(answer.map(({ state, problems }) => [state, ...problems.map(({ server }) => server)])).toEqual([
      ['fresh', 'editor'],
      // The editor says that it does not check this one.
      ['fresh', 'index'],
    ]);
    expect(doubts).toEqual([]);
    const all = await backend.workspaceDiagnostics(call);
    expect(all.answer.whole).toBe(true);
    expect(all.answer.files.map((file) => path.basename(file.path))).toEqual(['a.txt', 'b.txt', 'c.md']);
  });

  it('counts a file as seen only where each backend of its language sees it', async () => {
    const { backend, root, place } = two({ extension: 'md' }, {});
    const at = (file: string) => path.join(root, file);
    expect([...(await backend.visibility(place, [at('a.txt'), at('d.rs')])).values()]).toEqual([
      'seen',
      'other_language',
    ]);
    const blind = two({}, {}, { visibility: async () => new Map() });
    expect([...(await blind.backend.visibility(place, [at('a.txt')])).values()]).toEqual(['unseen']);
  });

  it('reaches a listener from each, until it ends', () => {
    const listeners = new Set<(path: string) => void>();
    const onDiagnostics: AnswerSource['onDiagnostics'] = (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    };
    const { backend } = two({}, {}, { onDiagnostics });
    const told: string[] = [];
    const end = backend.onDiagnostics((file) => told.push(file));
    for (const listener of listeners) listener('/a');
    end();
    expect([told, listeners.size]).toEqual([['/a'], 0]);
  });
});

describe('a part that a backend lacks', () => {
  it('leaves overlays to those that have them', async () => {
    const overlay: Backend['overlay'] = (texts, _call, work) =>
      work(memoryBackend(temporaryFolder({ 'b.txt': [...texts.values()].join() }), { id: 'over' }));
    const { backend, call, root } = two({ silent: ['hover'] }, {}, { overlay });
    const texts = new Map([[path.join(root, 'b.txt'), 'beta\n']]);
    const asked = backend.overlay(texts, call, (over) => over.ask({ kind: 'symbols', query: '' }, call));
    expect((await asked).doubts).toEqual([]);
  });

  it('makes problems of other text unavailable, and questions about it impossible', async () => {
    const { backend, call, place, hover } = two({}, {});
    const texts = new Map([[place.path, 'beta\n']]);
    const { answer, doubts } = await backend.overlay(texts, call, (over) =>
      over.diagnostics([place.path], call),
    );
    expect(answer).toMatchObject([{ state: 'unavailable', problems: [] }]);
    expect(doubts).toMatchObject([
      { kind: 'server_unavailable', detail: expect.stringContaining('index, editor') },
    ]);
    await expect(backend.overlay(texts, call, hover)).rejects.toMatchObject({ code: 'not_supported' });
  });

  it('is no process to restart: it is listed, and a restart is told to have failed', async () => {
    const { backend, call, root } = two({}, {});
    expect(await backend.servers.status()).toMatchObject([
      { id: 'index', root, state: 'running' },
      { id: 'editor', root, state: 'running' },
    ]);
    expect(await backend.servers.restart({ server: 'editor' }, call)).toEqual([
      { id: 'editor', root, outcome: 'failed', error: 'editor is not a server process that lspan runs.' },
    ]);
    expect(await backend.servers.stop({ language: 'rust' }, call)).toEqual([]);
  });

  it('does not keep what runs from being asked', async () => {
    const { backend, call, place } = two({ unable: ['hover'] }, {});
    expect(await backend.servers.askRunning({ kind: 'hover', place }, call)).toMatchObject({
      text: 'alpha, by editor',
    });
    expect(await backend.servers.askRunning({ kind: 'signatures', place }, call)).toBeUndefined();
    await backend.servers.filesMoved([], call);
    expect(backend.servers.filesWithProblems()).toEqual([]);
  });
});

it('backends side by side are closed together, whatever one of them throws', async () => {
  const close = () => Promise.reject(new Error('It does not end.'));
  const { backend, sources, call, place } = two({}, {}, { close });
  await expect(backend.close()).rejects.toThrow('It does not end.');
  await expect(sources[1]?.ask({ kind: 'hover', place }, call)).rejects.toMatchObject({ code: 'cancelled' });
});
