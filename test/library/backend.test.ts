import { expect, it } from 'vitest';
import { type Backend, createBridge, LspanError } from '../../src/index.ts';
import { makeProject } from './make-project.ts';

/** A backend that only knows the first occurrence of the word at a position. */
function editor(ended: () => void): Backend {
  const nothing = async () => {
    throw new LspanError('not_supported', 'The editor cannot do that.');
  };
  return {
    ask: async (question) => {
      if (question.kind !== 'hover') return nothing();
      // The compiler does not infer the type of the answer from the kind.
      return { answer: Object({ text: 'told by the editor' }), doubts: [] };
    },
    id: 'editor',
    visibility: async () => new Map(),
    diagnostics: async (files) => ({
      answer: files.map((path) => ({ path, problems: [], state: 'fresh', unheard: [] })),
      doubts: [],
    }),
    overlay: nothing,
    workspaceDiagnostics: nothing,
    propose: nothing,
    onDiagnostics: () => () => {},
    servers: {
      filesMoved: async () => {},
      askRunning: async () => undefined,
      filesWithProblems: () => [],
      status: async () => [],
      restart: nothing,
      stop: nothing,
    },
    close: async () => ended(),
  };
}

it('a given backend answers instead of language servers and is closed with the bridge', async () => {
  const workspace = makeProject({ 'a.txt': 'alpha\n' });
  let closed = 0;
  const bridge = await createBridge({ workspace, backend: editor(() => closed++), config: {} });
  const { data } = await bridge.call('get_hover', { file_path: 'a.txt', line: 1, character: 1 });
  expect(data.hover?.text).toBe('told by the editor');
  const refused = bridge.call('find_definition', { file_path: 'a.txt', line: 1, character: 1 });
  await expect(refused).rejects.toMatchObject({ code: 'not_supported' });
  expect(await bridge.status()).toEqual([]);
  await bridge.close();
  expect(closed).toBe(1);
});
