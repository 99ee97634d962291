import { expect, it } from 'vitest';
import { beginCall } from '../../../src/core/call.ts';
import { LspanError } from '../../../src/core/errors.ts';
import type { Edits } from '../../../src/edits/edits.ts';
import type { ListSnapshot, ToolBackend } from '../../../src/tools/run/tool.ts';
import { newCallerState } from '../../../src/tools/state/caller-state.ts';
import { locate } from '../../../src/tools/target/locate.ts';
import type { Target } from '../../../src/tools/target/target-fields.ts';
import { openSandbox, temporaryFolder } from '../../workspace/sandbox.ts';

/** For writing tools, which do not guess: what a target is located at, or the error. */
async function locateExactly(text: string, target: Target): Promise<unknown> {
  const { workspace, refresh } = await openSandbox([temporaryFolder({ 'a.ts': text })]);
  await refresh();
  const world = {
    workspace,
    backend: silentBackend,
    edits: noEdits,
    ...newCallerState<ListSnapshot>(),
    page: 200,
    notices: [],
    version: '0',
    readOnly: false,
  };
  using call = beginCall({ time: 60_000 });
  const located = locate(world, { file_path: 'a.ts', ...target }, call, { exact: true });
  return located.then(
    ({ place, name }) => ({ name, ...place.position }),
    (error: unknown) => (error instanceof LspanError ? error : Promise.reject(error)),
  );
}

/** Nothing is written. */
const noEdits: Edits = {
  plan: refuse,
  find: refuse,
  apply: refuse,
  planUndo: refuse,
  history: () => [],
  recover: async () => ({ undone: [], undoneCalls: [], completed: [], conflicts: [] }),
};

function refuse(): never {
  throw new LspanError('not_supported', 'Nothing is written.');
}

/** Nothing is asked about a position. */
const silentBackend: ToolBackend = {
  ask: () => Promise.reject(new LspanError('not_supported', 'Nobody is asked.')),
  diagnostics: () => Promise.reject(new LspanError('not_supported', 'Nobody is asked.')),
  overlay: () => Promise.reject(new LspanError('not_supported', 'Nobody is asked.')),
  visibility: async () => new Map(),
  workspaceDiagnostics: () => Promise.reject(new LspanError('not_supported', 'Nobody is asked.')),
  propose: () => Promise.reject(new LspanError('not_supported', 'Nobody is asked.')),
  servers: {
    filesMoved: async () => {},
    askRunning: async () => undefined,
    filesWithProblems: () => [],
    status: async () => [],
    stop: async () => [],
    restart: async () => [],
  },
};

const text = 'let alpha = 1;\nbeta(alpha, alpha);\n';

it('the name at the exact position is accepted', async () => {
  expect(await locateExactly(text, { symbol_name: 'alpha', line: 2, character: 6 })).toEqual({
    name: 'alpha',
    line: 1,
    character: 5,
  });
  expect(await locateExactly(text, { line: 2, character: 1 })).toMatchObject({ name: 'beta' });
  expect(await locateExactly(text, { symbol_name: 'alpha', line: 1 })).toMatchObject({ character: 4 });
});

it('another name at the position is an error that says what is there, and where the name is', async () => {
  expect(await locateExactly(text, { symbol_name: 'alpha', line: 2, character: 2 })).toMatchObject({
    code: 'invalid_input',
    message: 'Line 2, character 2 has "beta", not "alpha".',
    candidates: [
      { id: 'a.ts:2:6#alpha', text: 'beta(alpha, alpha);' },
      { id: 'a.ts:2:13#alpha' },
      { id: 'a.ts:1:5#alpha' },
    ],
  });
});

it('a line on which the name does not occur exactly once is an error', async () => {
  expect(await locateExactly(text, { symbol_name: 'alpha', line: 2 })).toMatchObject({
    code: 'not_found',
    message: 'Line 2 has "alpha" 2 times, not once.',
  });
  expect(await locateExactly(text, { symbol_name: 'beta', line: 1 })).toMatchObject({ code: 'not_found' });
});

it('a position on no identifier is an error that lists those of the line', async () => {
  expect(await locateExactly('a + b\n', { line: 1, character: 3 })).toMatchObject({
    code: 'not_found',
    candidates: [{ id: 'a.ts:1:1#a' }, { id: 'a.ts:1:5#b' }],
  });
});

it.each([
  { line: 0, character: 5 },
  { line: 99, character: 1 },
  { line: 1, character: 0 },
  { line: 1, character: 99 },
])('nothing is corrected: %o is refused', async (target) => {
  expect(await locateExactly(text, target)).toMatchObject({ code: 'invalid_input' });
});

it('an id must still be exact', async () => {
  const file_path = undefined;
  expect(await locateExactly(text, { file_path, id: 'a.ts:1:5#alpha' })).toMatchObject({ name: 'alpha' });
  expect(await locateExactly(text, { file_path, id: 'a.ts:1:4#alpha' })).toMatchObject({ code: 'not_found' });
});
