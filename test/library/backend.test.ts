import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type AnswerSource, type Backend, createBridge } from '../../src/index.ts';
import { memoryBackend } from '../backends/cases/memory-backend.ts';
import { makeProject } from './make-project.ts';

const files = { 'a.txt': 'function alpha\nERROR_a\n', 'b.txt': 'alpha\n' };

/** A bridge over an editor that only answers; it has neither overlays nor server processes. */
async function openOver(parts: Partial<Backend> = {}) {
  const workspace = makeProject(files);
  const editor = memoryBackend(workspace, { id: 'editor' });
  const backend: AnswerSource & Partial<Backend> = { ...editor, ...parts };
  const bridge = await createBridge({ workspace, backend, config: {} });
  onTestFinished(() => bridge.close());
  return { bridge, workspace };
}

const alpha = { file_path: 'b.txt', line: 1, character: 1 };

describe('a backend that a program brings', () => {
  it('answers instead of language servers, and ends with the bridge', async () => {
    let closed = 0;
    const { bridge } = await openOver({ close: async () => void closed++ });
    expect((await bridge.call('get_hover', alpha)).data.hover?.text).toBe('alpha, by editor');
    const { data, doubts } = await bridge.call('find_references', alpha);
    expect([data.references?.length, doubts]).toEqual([2, []]);
    await expect(bridge.call('get_signature_help', alpha)).rejects.toMatchObject({ code: 'not_supported' });
    await bridge.close();
    expect(closed).toBe(1);
  });

  it('may be an object of a class, whose methods are inherited', async () => {
    class Editor {
      readonly #own = memoryBackend('', { id: 'editor' });
      readonly id = 'editor';
      ask: AnswerSource['ask'] = (question, call) => this.#own.ask(question, call);
      visibility: AnswerSource['visibility'] = (place, seen) => this.#own.visibility(place, seen);
      diagnostics: AnswerSource['diagnostics'] = (asked, call) => this.#own.diagnostics(asked, call);
      workspaceDiagnostics: AnswerSource['workspaceDiagnostics'] = (call) =>
        this.#own.workspaceDiagnostics(call);
      propose: AnswerSource['propose'] = (action, call) => this.#own.propose(action, call);
      onDiagnostics(): () => void {
        return this.#own.onDiagnostics(() => {});
      }
      close(): Promise<void> {
        return this.#own.close();
      }
    }
    const bridge = await createBridge({ workspace: makeProject(files), backend: new Editor(), config: {} });
    expect((await bridge.diagnostics('a.txt')).diagnostics).toMatchObject([{ message: 'ERROR_a' }]);
    await bridge.close();
  });

  it.each([
    ['no name', { id: '' }],
    ['no overlay that can be called', { overlay: 'none' }],
    ['a control of which something is missing', { servers: { status: async () => [] } }],
  ])('is refused where it has %s', async (_what, wrong) => {
    const backend = Object({ ...memoryBackend('', {}), ...wrong });
    await expect(createBridge({ workspace: makeProject(files), backend })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('The setting backend must be an object with the methods ask, '),
    });
  });

  it('may have the other parts too', async () => {
    const { bridge } = await openOver({
      servers: {
        status: async () => [],
        restart: async () => [],
        stop: async () => [],
        filesMoved: async () => {},
        askRunning: async () => undefined,
        filesWithProblems: () => [],
      },
      overlay: (_texts, _call, work) =>
        work(memoryBackend(makeProject({ ...files, 'a.txt': 'ERROR_new\n' }), { id: 'over' })),
    });
    expect(await bridge.status()).toEqual([]);
  });
});

describe('where such a backend has no server processes', () => {
  it('the status lists it', async () => {
    const { bridge, workspace } = await openOver();
    expect(await bridge.status()).toEqual([{ serverId: 'editor', state: 'ok', detail: 'Running.' }]);
    const { text } = await bridge.call('get_server_status', {});
    expect(text).toMatch(/\neditor: running$/);
    expect(text).toContain(workspace);
  });

  it('a restart says that it is not a server process', async () => {
    const { bridge } = await openOver();
    for (const tool of ['restart_server', 'stop_server'] as const)
      expect((await bridge.call(tool, {})).text).toBe(
        'editor: failed: editor is not a server process that lspan runs.',
      );
    await expect(bridge.call('restart_server', { language: 'rust' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('1 server: editor.'),
    });
  });
});

describe('where such a backend has no overlays', () => {
  const why = 'editor cannot be asked about unsaved text.';
  const edit = { edits: [{ file_path: 'a.txt', old_text: 'ERROR_a', new_text: 'fine' }] };

  it('check_edits says that the problems of the edited text are not known', async () => {
    const { bridge } = await openOver();
    const { data, text } = await bridge.call('check_edits', { candidates: [{ id: 'one', ...edit }] });
    expect(data.candidates).toMatchObject([
      { introduced: [], settled: false, not_settled: ['a.txt'], unsettled_because: [why] },
    ]);
    expect(text).toContain(why);
  });

  it('a preview says so too, and the change can be made, whose problems are then known', async () => {
    const { bridge, workspace } = await openOver();
    const preview = await bridge.call('apply_workspace_edit', edit);
    expect(preview.data.plan).toMatchObject({ settled: false, unsettled_because: [why] });
    const { data } = await bridge.call('apply_workspace_edit', { ...edit, dry_run: false });
    expect(data.edit).toMatchObject({ fixed_count: 1, settled: true });
    expect(readFileSync(path.join(workspace, 'a.txt'), 'utf8')).toBe('function alpha\nfine\n');
  });

  it('a check of unsaved text is refused, and never without problems', async () => {
    const { bridge } = await openOver();
    await expect(bridge.diagnostics('a.txt', { text: 'fine\n' })).rejects.toMatchObject({
      code: 'server_unverified',
      message: expect.stringContaining(why),
    });
  });

  it('an atomic batch says which operation cannot be asked about', async () => {
    const { bridge } = await openOver();
    const { data } = await bridge.call('batch_execute', {
      atomic: true,
      operations: [
        { tool: 'apply_workspace_edit', args: edit },
        { tool: 'find_definition', args: alpha },
      ],
    });
    expect(JSON.stringify(data)).toContain(why);
  });
});
