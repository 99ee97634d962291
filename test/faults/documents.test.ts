import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DocumentSync } from '../../src/backends/lsp/documents/document-sync.ts';
import { Confinement } from '../../src/backends/lsp/process/confinement.ts';
import { MemoryWatch } from '../../src/backends/lsp/process/memory-watch.ts';
import { Capabilities } from '../../src/backends/lsp/protocol/capabilities.ts';
import { startSession } from '../../src/backends/lsp/session/start-session.ts';
import { LspanError } from '../../src/core/errors.ts';
import { limits } from '../../src/core/limits.ts';
import { silent } from '../../src/core/log.ts';
import { untrusted } from '../../src/core/trust.ts';
import { RunFolder } from '../../src/platform/files/run-folder.ts';
import { processTree } from '../../src/platform/processes/process-tree.ts';
import type { ServerDefinition } from '../../src/servers/definition.ts';
import { connectInMemory } from '../backends/lsp/protocol/memory-wire.ts';
import { writeScript } from '../fake-server/script.ts';
import { ask, expectInOrder, openTestBridge, question, type TestBridge } from '../test-bridge.ts';
import { openSandbox, temporaryFolder, writeFiles } from '../workspace/sandbox.ts';

const definition: ServerDefinition = {
  id: 'fake',
  extensions: { txt: 'plaintext' },
  program: { sources: [], args: [] },
  ready: { kind: 'immediate' },
  install: '',
};
const never = new AbortController().signal;

/** A project with a workspace over it. */
async function openProject(files: Readonly<Record<string, string>>) {
  const root = temporaryFolder(files);
  const { workspace, refresh } = await openSandbox([root]);
  return {
    root,
    workspace,
    refresh,
    write: (file: string, text: string) => writeFiles(root, { [file]: text }),
    remove: (file: string) => rmSync(path.join(root, file)),
    at: (...names: string[]) => names.map((name) => path.join(root, name)),
  };
}

/** A session with the fake server over a project. */
async function openSession(files: Readonly<Record<string, string>>) {
  const project = await openProject(files);
  const { command, args, dispose } = writeScript();
  const tree = processTree();
  const runFolder = new RunFolder();
  onTestFinished(dispose);
  onTestFinished(() => tree.close());
  onTestFinished(() => runFolder.remove());
  const sources = [{ kind: 'command' as const, command: [command, ...args] }];
  const surroundings = {
    workspace: project.workspace,
    tree,
    runFolder,
    environment: process.env,
    version: '0',
    trusts: () => untrusted,
    memory: new MemoryWatch(),
    confinement: new Confinement({
      mode: 'never',
      definitions: [],
      roots: [project.root],
      environment: {},
      log: silent,
    }),
    memoryMost: limits.servers.memory,
    log: silent,
    onProblems: () => {},
    findSlot: () => expect.unreachable('This server asks no other.'),
  };
  const session = await startSession(
    { ...definition, program: { sources, args: [] } },
    project.root,
    surroundings,
    () => {},
    never,
  );
  onTestFinished(() => session.stop({ hurried: true }));
  onTestFinished(project.workspace.onChanges((changes) => session.note(changes)));
  await project.refresh();
  const sync = async (...names: string[]) => {
    await project.refresh();
    await session.documents.sync(project.at(...names));
  };
  /** What the server was told of documents, in short, and what it found wrong with it. */
  const told = async () => {
    const log = await session.request('fake/log', undefined, never);
    const { received, complaints } = JSON.parse(JSON.stringify(log));
    return { notes: received.flatMap(noteOf), complaints };
  };
  return { ...project, session, sync, told };
}

interface Note {
  readonly method: string;
  readonly params: { readonly textDocument?: { readonly uri: string; readonly version?: number } };
}

function noteOf({ method, params }: Note): string[] {
  if (!method.startsWith('textDocument/did') || !params.textDocument) return [];
  const { uri, version = '' } = params.textDocument;
  return [`${method.slice('textDocument/'.length)} ${path.basename(uri)} ${version}`.trim()];
}

describe('what a server is told of documents', () => {
  it('opens a document once, however many ask about it at the same time', async () => {
    const { session, at, told } = await openSession({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const names = Array.from({ length: 30 }, (_, index) =>
      index % 3 === 0 ? ['b.txt', 'a.txt'] : ['a.txt'],
    );
    await Promise.all(names.map((each) => session.documents.sync(at(...each))));
    expect(await told()).toEqual({ notes: ['didOpen b.txt 1', 'didOpen a.txt 1'], complaints: [] });
  });

  it('sends each change under a higher version, and nothing where the text is the same', async () => {
    const { write, sync, told } = await openSession({ 'a.txt': 'one\n' });
    await sync('a.txt');
    write('a.txt', 'two, which is longer\n');
    await sync('a.txt');
    write('a.txt', 'three, which is longer still\n');
    await Promise.all([sync('a.txt'), sync('a.txt')]);
    write('a.txt', 'three, which is longer still\n');
    await sync('a.txt');
    expect(await told()).toEqual({
      notes: ['didOpen a.txt 1', 'didChange a.txt 2', 'didChange a.txt 3'],
      complaints: [],
    });
  });

  it('sends a change of an open document before a question about another', async () => {
    const { write, sync, told } = await openSession({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
    await sync('a.txt');
    write('a.txt', 'two, which is longer\n');
    await sync('b.txt');
    expect(await told()).toEqual({
      notes: ['didOpen a.txt 1', 'didChange a.txt 2', 'didOpen b.txt 1'],
      complaints: [],
    });
  });

  it('closes what is deleted, and opens it anew when it is there again', async () => {
    const { write, remove, sync, told } = await openSession({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await sync('a.txt', 'b.txt');
    remove('a.txt');
    await sync('b.txt');
    write('a.txt', 'again\n');
    await sync('a.txt');
    expect(await told()).toEqual({
      notes: ['didOpen a.txt 1', 'didOpen b.txt 1', 'didClose a.txt', 'didOpen a.txt 2'],
      complaints: [],
    });
  });

  it('closes what can no longer be read, rather than leave the server with its old text', async () => {
    const { write, sync, told } = await openSession({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await sync('a.txt');
    write('a.txt', '\0\0binary\0');
    await sync('b.txt');
    expect(await told()).toEqual({
      notes: ['didOpen a.txt 1', 'didOpen b.txt 1', 'didClose a.txt'],
      complaints: [],
    });
  });

  it('loses no change because of a file that cannot be read', async () => {
    const { write, sync, told } = await openSession({ 'a.txt': 'one\n', 'big.txt': '\0\0binary\0' });
    await sync('a.txt');
    write('a.txt', 'two, which is longer\n');
    await expect(sync('big.txt')).rejects.toThrow(LspanError);
    await sync('a.txt');
    expect(await told()).toEqual({ notes: ['didOpen a.txt 1', 'didChange a.txt 2'], complaints: [] });
  });

  it('keeps no more open than it may, and closes those first that were used least recently', async () => {
    const most = limits.openDocuments;
    const names = Array.from({ length: most + 1 }, (_, index) => `${1000 + index}.txt`);
    const { session, sync, told } = await openSession(Object.fromEntries(names.map((name) => [name, 'x\n'])));
    await sync(...names.slice(0, most));
    await sync('1000.txt');
    await sync(`${1000 + most}.txt`);
    const { notes, complaints } = await told();
    expect(notes.filter((note: string) => note.startsWith('didClose'))).toEqual(['didClose 1001.txt']);
    expect(complaints).toEqual([]);
    expect(session.documents.paths.length).toBe(most);
  });
});

describe('a wire that is full', () => {
  it('is told again what it did not take', async () => {
    const { workspace, refresh, write, remove, at } = await openProject({
      'a.txt': 'a\n',
      'b.txt': 'b\n',
      'c.txt': 'c\n',
    });
    let refusals: (Error | undefined)[] = [];
    const peer = connectInMemory({}, () => refusals.shift());
    const wire = { workspace, connection: peer.connection, capabilities: new Capabilities(), definition };
    const documents = new DocumentSync({ ...wire, sent: () => {} }, workspace.roots[0] ?? '');
    onTestFinished(workspace.onChanges((changes) => documents.note(changes)));
    await refresh();
    await documents.sync(at('a.txt', 'b.txt'));
    write('a.txt', 'longer than before\n');
    remove('b.txt');
    await refresh();
    const full = new LspanError('busy', 'The wire is full.');
    // It refuses the announcement, then the closing, then the change, then, nothing being left to close, the opening.
    for (const taken of [0, 1, 2, 2]) {
      refusals = [...Array.from({ length: taken }, () => undefined), full];
      await expect(documents.sync(at('c.txt'))).rejects.toBe(full);
    }
    await documents.sync(at('c.txt'));
    const notes = JSON.parse(JSON.stringify(peer.sent())).flatMap(noteOf);
    expect(notes).toEqual([
      'didOpen a.txt 1',
      'didOpen b.txt 1',
      'didClose b.txt',
      'didChange a.txt 2',
      'didOpen c.txt 1',
    ]);
    const announced = peer.sent().filter(({ method }) => method === 'workspace/didChangeWatchedFiles');
    expect(announced.length).toBeGreaterThan(0);
  });

  it('is told again of held texts that it did not take, when they come and when they go', async () => {
    const { workspace, refresh, at } = await openProject({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    let refusals: (Error | undefined)[] = [];
    const peer = connectInMemory({}, () => refusals.shift());
    const capabilities = new Capabilities();
    capabilities.announce({ textDocumentSync: 1 });
    const wire = { workspace, connection: peer.connection, capabilities, definition };
    const documents = new DocumentSync({ ...wire, sent: () => {} }, workspace.roots[0] ?? '');
    onTestFinished(workspace.onChanges((changes) => documents.note(changes)));
    await refresh();
    const full = new LspanError('busy', 'The wire is full.');
    const refusedOnce = async () => {
      refusals = [full];
      await expect(documents.sync([])).rejects.toBe(full);
      await documents.sync([]);
    };
    workspace.hold('a.txt', 'held\n');
    await refusedOnce();
    workspace.hold('a.txt', 'held longer\n');
    await refusedOnce();
    workspace.hold('new.txt', 'new\n');
    await refusedOnce();
    workspace.hold('a.txt', undefined);
    await refusedOnce();
    workspace.hold('new.txt', undefined);
    await refusedOnce();
    expect(JSON.parse(JSON.stringify(peer.sent())).flatMap(noteOf)).toEqual([
      'didOpen a.txt 1',
      'didChange a.txt 2',
      'didOpen new.txt 1',
      'didChange a.txt 3',
      'didClose new.txt',
    ]);
    expect(documents.paths).toEqual(at('a.txt'));
  });
});

it('a document whose message is longer than the queue is sent, and so is the question after it', async () => {
  // Each of its characters takes six in JSON.
  const large = `alpha ${'\u0001'.repeat(limits.document - 7)}\n`;
  expect(large).toHaveLength(limits.document);
  expect(JSON.stringify(large).length).toBeGreaterThan(limits.writeQueue);
  const bridge = await openTestBridge({ files: { 'a.txt': 'function alpha\n', 'large.txt': large } });
  const { data } = await bridge.call('find_definition', { file_path: 'large.txt', line: 1, character: 1 });
  expect(data).toMatchObject({ complete: true, ...question.answer });
  await bridge.call('get_hover', { file_path: 'a.txt', line: 1, character: 10 });
  expect(bridge.pids()).toHaveLength(1);
});

describe('changes on the disk reach a server before the question that follows them', () => {
  const methods = (bridge: TestBridge) => bridge.received().flatMap(({ method }) => (method ? [method] : []));

  it('of an open document, of one that is not open, and of a new one', async () => {
    const bridge = await openTestBridge();
    await expectInOrder(bridge);
    const before = methods(bridge).length;
    bridge.write('b.txt', 'beta alpha is used\nfunction beta\n');
    bridge.write('c.txt', 'function gamma\n');
    const { data } = await bridge.call('find_definition', { file_path: 'b.txt', line: 1, character: 6 });
    expect(data).toMatchObject({ complete: true, ...question.answer });
    const after = methods(bridge).slice(before);
    expect(after.indexOf('textDocument/definition')).toBe(2);
    expect(new Set(after.slice(0, 2))).toEqual(
      new Set(['workspace/didChangeWatchedFiles', 'textDocument/didChange']),
    );
    expect((await bridge.call('find_definition', { symbol_name: 'gamma' })).data).toMatchObject({
      definitions: [{ file_path: 'c.txt' }],
    });
  });

  it('PRC-20 a new process after a crash knows the present text', async () => {
    const crash = {
      rules: [{ on: { method: 'textDocument/definition', nth: 2 }, do: [{ exit: { code: 5 } }] }],
    };
    const bridge = await openTestBridge({ servers: { fake: { lives: [crash, {}] } } });
    await expectInOrder(bridge);
    bridge.write('a.txt', '\nfunction alpha\n');
    expect((await ask(bridge)).data).toMatchObject({
      doubts: [{ kind: 'server_restarted' }],
      definitions: [{ file_path: 'a.txt', line: 2 }],
    });
  });
});
