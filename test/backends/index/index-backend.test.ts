import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { combineBackends } from '../../../src/backends/combine-backends.ts';
import { IndexBackend } from '../../../src/backends/index/index-backend.ts';
import { openEmbeddedStore } from '../../../src/backends/index/store/embedded-store.ts';
import { beginCall } from '../../../src/core/call.ts';
import { LspanError } from '../../../src/core/errors.ts';
import { silent } from '../../../src/core/log.ts';
import { openWorkspace } from '../../../src/workspace/open-workspace.ts';
import { temporaryFolder, writeFiles } from '../../workspace/sandbox.ts';
import { backendCases } from '../cases/backend-cases.ts';
import { memoryBackend } from '../cases/memory-backend.ts';
import { add } from './adding.ts';
import { indexWords } from './write-scip.ts';

describe('an index as a backend', () => {
  // Its texts are indexed again before each question: only then is it current.
  backendCases(
    async (files) => {
      const opened = await openOn(files);
      return {
        ...opened,
        refresh: async (call) => {
          await opened.workspace.refresh(call);
          await opened.index();
        },
      };
    },
    ['unable', 'loading', 'silent', 'checks_never', 'checks_once'],
    { mark: 'as_of', checks: false },
  );

  it('IDX-09 names the files that have changed since, and finds symbols there by their names', async () => {
    const { backend, root, write, index, workspace } = await openOn(words);
    await index();
    write('b.txt', 'first\nalpha used\n');
    write('c.txt', 'alpha\n');
    using call = beginCall({ time: 60_000 });
    await workspace.refresh(call);
    const place = { path: path.join(root, 'b.txt'), position: { line: 1, character: 2 } };
    const { answer, doubts } = await backend.ask({ kind: 'references', place }, call);
    expect(answer).toHaveLength(3);
    expect(doubts.map(({ kind }) => kind)).toEqual(['as_of', 'changed_since']);
    expect(doubts[1]?.detail).toBe('Changed since they were indexed: b.txt, c.txt.');
    await backend.close();
  });

  it('IDX-10 never renames, formats, acts, or tells problems', async () => {
    const { backend, root, index } = await openOn(words);
    await index();
    using call = beginCall({ time: 60_000 });
    const place = { path: path.join(root, 'a.txt'), position: { line: 0, character: 9 } };
    const rename = backend.ask({ kind: 'rename', place, newName: 'x' }, call);
    await expect(rename).rejects.toMatchObject({
      code: 'not_supported',
      message: expect.stringContaining('older than'),
    });
    await expect(backend.diagnostics()).rejects.toMatchObject({ code: 'not_supported' });
    await expect(backend.workspaceDiagnostics()).rejects.toMatchObject({ code: 'not_supported' });
    await expect(backend.propose()).rejects.toMatchObject({ code: 'not_supported' });
    await backend.close();
  });

  it('has hovers, outlines and symbols', async () => {
    const { backend, root, index } = await openOn(words);
    await index();
    using call = beginCall({ time: 60_000 });
    const outline = await backend.ask({ kind: 'outline', path: path.join(root, 'a.txt') }, call);
    expect(outline.answer.map(({ name, kind }) => `${kind} ${name}`)).toEqual(['function alpha']);
    const symbols = await backend.ask({ kind: 'symbols', query: 'al' }, call);
    expect(symbols.answer).toMatchObject([{ name: 'alpha', span: { path: path.join(root, 'a.txt') } }]);
    await backend.close();
  });
});

describe('an index beside a server', () => {
  it('is asked where the server fails, and says why it answers', async () => {
    const { backend, root, index } = await openOn(words);
    await index();
    const server = memoryBackend(root, { unable: ['definition'] });
    const both = combineBackends([server, backend], [root]);
    using call = beginCall({ time: 60_000 });
    const place = { path: path.join(root, 'b.txt'), position: { line: 0, character: 1 } };
    const found = await both.ask({ kind: 'definition', place }, call);
    expect(found.answer).toHaveLength(1);
    expect(found.doubts.map(({ kind }) => kind)).toContain('as_of');
    await both.close();
  });

  it('IDX-11 is not asked where the server answers, and adds no problems, files or doubts', async () => {
    const { backend, root, index } = await openOn(words);
    await index();
    const both = combineBackends([memoryBackend(root), backend], [root]);
    using call = beginCall({ time: 60_000 });
    const place = { path: path.join(root, 'b.txt'), position: { line: 0, character: 1 } };
    expect((await both.ask({ kind: 'references', place }, call)).doubts).toEqual([]);
    expect((await both.ask({ kind: 'symbols', query: 'alpha' }, call)).answer).toHaveLength(1);
    expect((await both.diagnostics([place.path], call)).doubts).toEqual([]);
    expect((await both.workspaceDiagnostics(call)).doubts).toEqual([]);
    await both.close();
  });

  it('leaves an error as it is where it does not know the file', async () => {
    const { backend, root } = await openOn(words);
    const both = combineBackends([memoryBackend(root, { unable: ['definition'] }), backend], [root]);
    using call = beginCall({ time: 60_000 });
    const place = { path: path.join(root, 'b.txt'), position: { line: 0, character: 1 } };
    await expect(both.ask({ kind: 'definition', place }, call)).rejects.toThrow(/memory does not answer/);
    await both.close();
  });
});

const words = { 'a.txt': 'function alpha\nalpha beta\n', 'b.txt': 'alpha used\n' };

async function openOn(files: Readonly<Record<string, string>>) {
  const root = temporaryFolder(files);
  const folder = path.join(temporaryFolder(), 'index');
  const workspace = await openWorkspace({ roots: [root], log: silent });
  const store = await openEmbeddedStore(folder);
  let isClosed = false;
  const backend = new IndexBackend({
    workspace,
    store: async () => {
      if (isClosed) throw new LspanError('cancelled', 'It is closed.');
      return store;
    },
    repositoryOf: () => ({ root, name: 'here' }),
  });
  const close = backend.close.bind(backend);
  backend.close = async () => {
    if (!isClosed) await Promise.all([close(), workspace.close()]);
    isClosed = true;
  };
  const index = async () => {
    const now = Object.fromEntries(
      readdirSync(root)
        .filter((name) => name.endsWith('.txt'))
        .map((name) => [name, readFileSync(path.join(root, name), 'utf8')]),
    );
    await add(store, indexWords(now), { files: now });
  };
  return {
    backend,
    root,
    workspace,
    index,
    write: (file: string, text: string) => writeFiles(root, { [file]: text }),
  };
}
