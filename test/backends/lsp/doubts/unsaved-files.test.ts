import path from 'node:path';
import { expect, it } from 'vitest';
import { unsavedFileDoubts } from '../../../../src/backends/lsp/doubts/unsaved-files.ts';
import { unsavedImportDoubts } from '../../../../src/backends/lsp/doubts/unsaved-imports.ts';
import { Capabilities } from '../../../../src/backends/lsp/protocol/capabilities.ts';
import { listedDoubts } from '../../../../src/backends/lsp/questions/completions.ts';
import { beginCall } from '../../../../src/core/call.ts';
import type { DiskFacts, ServerDefinition, Service } from '../../../../src/servers/definition.ts';
import { openSandbox, temporaryFolder, writeFiles } from '../../../workspace/sandbox.ts';

const plain: ServerDefinition = {
  id: 'fake',
  extensions: { txt: 'text' },
  program: { sources: [], args: [] },
  ready: { kind: 'immediate' },
  install: '',
};

it.each<[string, Partial<ServerDefinition>, number, string, number]>([
  ['has its own files open', {}, 0, 'a.txt', 0],
  ['cannot be told of text', {}, 0, 'a.txt', 1],
  ['reads what its files use in another root', {}, 1, 'a.txt', 1],
  ['has files of other roots open too', { projects: { loadsOnOpen: true } }, 1, 'a.txt', 0],
  ['looks at each file alone', { diagnostics: { checksFilesAlone: true } }, 1, 'a.txt', 0],
  ['knows nothing of such a file', {}, 0, 'a.md', 0],
  ['reads its set-up on the disk', { projects: { markers: ['a.json'] } }, 0, 'a.json', 1],
  ['is set up by it', { disk: { configFiles: ['a*.json'] } }, 0, 'deep/a.base.json', 1],
  ['is set up by it, though it serves it', { projects: { markers: ['a.txt'] } }, 0, 'a.txt', 1],
  ['is set up by it in another root', { disk: { configFiles: ['a.json'] } }, 1, 'a.json', 1],
  [
    'is set up there, and looks at each file alone',
    { disk: { configFiles: ['a.json'] }, diagnostics: { checksFilesAlone: true } },
    1,
    'a.json',
    0,
  ],
  ['is set up by others', { disk: { configFiles: ['b.json'] } }, 0, 'a.json', 0],
  ['reads it when it starts', { files: { restartsOn: ['lock/*.json'] } }, 0, 'lock/a.json', 1],
  ['reads what others refer to on the disk', { disk: { referencedTexts: /^held/ } }, 0, 'a.txt', 1],
  ['reads it whatever its language', { disk: { referencedTexts: /^held/ } }, 0, 'a.md', 1],
  ['reads nothing there that others refer to', { disk: { referencedTexts: /^another/ } }, 0, 'a.txt', 0],
])('a server that %s', async (how, more, root, file, count) => {
  const roots = [temporaryFolder(), temporaryFolder()];
  const { workspace } = await openSandbox(roots);
  const capabilities = new Capabilities();
  capabilities.announce({ textDocumentSync: how.includes('cannot be told') ? 0 : 1 });
  const session = { definition: { ...plain, ...more }, root: roots[root] ?? '', capabilities };
  expect(unsavedFileDoubts(session, workspace, { service: 'hover' })).toEqual([]);
  workspace.hold(path.join(roots[0] ?? '', file), 'held');
  const doubts = unsavedFileDoubts(session, workspace, { service: 'hover' });
  expect(doubts.map(({ kind }) => kind)).toEqual(Array.from({ length: count }, () => 'unsaved_elsewhere'));
});

it('many such files are one doubt, which names a few', async () => {
  const roots = [temporaryFolder()];
  const { workspace } = await openSandbox(roots);
  const session = { definition: plain, root: roots[0] ?? '', capabilities: new Capabilities() };
  session.capabilities.announce({ textDocumentSync: 0 });
  for (const name of ['a', 'b', 'c', 'd', 'e']) workspace.hold(`${name}.txt`, 'held');
  expect(unsavedFileDoubts(session, workspace, { service: 'hover' })).toMatchObject([
    { detail: expect.stringContaining('"a.txt", "b.txt", "c.txt" and 2 more') },
  ]);
});

it.each<[string, DiskFacts['imports'], string, number]>([
  ['imports from the disk is doubted where a file is new', 'files', 'new.txt', 1],
  ['imports from the disk is not where it is saved', 'files', 'old/a.txt', 0],
  ['imports from folders of the disk is not where a file is new', 'folders', 'new.txt', 0],
  ['imports from folders of the disk is not where its folder is there', 'folders', 'old/new.txt', 0],
  ['imports from folders of the disk is doubted where the folder is new', 'folders', 'new/a.txt', 1],
  ['imports from folders of the disk is doubted though others begin alike', 'folders', 'ol/a.txt', 1],
  ['finds the files of a project on the disk is doubted where a file is new', 'projects', 'old/new.txt', 1],
  ['finds the files of a project on the disk is not where it is saved', 'projects', 'old/a.txt', 0],
  ['is told all texts is not doubted', undefined, 'new/a.txt', 0],
])('a server that %s', async (_, imports, file, count) => {
  const root = temporaryFolder({ 'old/a.txt': 'saved' });
  const { workspace, refresh } = await openSandbox([root]);
  await refresh();
  const capabilities = new Capabilities();
  capabilities.announce({ textDocumentSync: 1 });
  workspace.hold(file, 'held');
  const definition = { ...plain, disk: imports ? { imports } : {} };
  const doubts = unsavedFileDoubts({ definition, root, capabilities }, workspace, { service: 'hover' });
  expect(doubts.map(({ kind }) => kind)).toEqual(Array.from({ length: count }, () => 'unsaved_elsewhere'));
});

it.each<[string, string, Service, string, number]>([
  ['is not', 'export a', 'references', 'old/new.txt', 0],
  ['is, where it offers what nobody imports yet,', 'export a', 'completions', 'old/new.txt', 1],
  ['is, where the folder is new,', 'export a', 'references', 'new/a.txt', 1],
  ['is, where others see it without that,', 'a', 'references', 'old/new.txt', 1],
])(
  'of a new file that others import, a server that finds those of a project on the disk %s doubted',
  async (...row) => {
    const [, text, service, file, count] = row;
    const root = temporaryFolder({ 'old/a.txt': 'saved' });
    const { workspace, refresh } = await openSandbox([root]);
    await refresh();
    const capabilities = new Capabilities();
    capabilities.announce({ textDocumentSync: 1 });
    workspace.hold(file, text);
    const definition: ServerDefinition = {
      ...plain,
      disk: { imports: 'projects', visibleOnlyByImport: /^export/ },
    };
    expect(unsavedFileDoubts({ definition, root, capabilities }, workspace, { service })).toHaveLength(count);
  },
);

it.each<[string, Partial<ServerDefinition>, string, number]>([
  ['uses it by its name', {}, 'data.json', 1],
  ['may use such files', { disk: { otherLanguages: /\.json$/ } }, 'data.json', 1],
  ['uses other files only', { disk: { otherLanguages: /\.yaml$/ } }, 'data.json', 0],
  ['looks at each file alone', { diagnostics: { checksFilesAlone: true } }, 'data.json', 0],
  ['does not name it', {}, 'other.json', 0],
  ['is told its text', {}, 'b.txt', 0],
  ['uses it by a path without its ending', {}, 'short.json', 1],
  ['has its name elsewhere than in a path', {}, 'word.json', 0],
  ['is set up by a file that names it', { projects: { markers: ['set.up'] } }, 'base.json', 1],
  ['is set up by data that name what it is told', { projects: { markers: ['set.up'] } }, 'told.txt', 0],
  ['is set up by a program that loads what it is told', { projects: { markers: ['up.txt'] } }, 'told.txt', 1],
])('of a held file of another language, a server that %s', async (_, more, file, count) => {
  const root = temporaryFolder({
    'a.txt': 'import data.json b.txt',
    'd.txt': 'word "./short"',
    'c.md': 'other.json',
    'set.up': 'extends ./base.json, has ./told.txt',
    'up.txt': 'load ./told.txt',
  });
  const { workspace, refresh } = await openSandbox([root]);
  await refresh();
  using call = beginCall({ time: 60_000 });
  workspace.hold(file, 'held');
  const doubts = await unsavedImportDoubts({ definition: { ...plain, ...more } }, workspace, call);
  expect(doubts.map(({ detail }) => detail)).toEqual(
    Array.from({ length: count }, () => expect.stringContaining(`"${file}"`)),
  );
});

it.each<[string, Service, string | undefined, number]>([
  ['another file', 'hover', 'b.txt', 1],
  ['many files', 'references', undefined, 1],
  ['that file', 'hover', 'a.txt', 0],
  ['the outline of a file', 'outline', undefined, 0],
  ['the problems of a file', 'diagnostics', undefined, 0],
])('a server that reads all other files on the disk, asked about %s', async (_, service, about, count) => {
  const root = temporaryFolder({ 'a.txt': 'saved', 'b.txt': 'saved' });
  const { workspace, refresh } = await openSandbox([root]);
  await refresh();
  const capabilities = new Capabilities();
  capabilities.announce({ textDocumentSync: 1 });
  workspace.hold('a.txt', 'held');
  const definition: ServerDefinition = { ...plain, disk: { imports: 'texts' } };
  const asked = { service, path: about && path.join(root, about) };
  expect(unsavedFileDoubts({ definition, root, capabilities }, workspace, asked)).toHaveLength(count);
});

it.each<[string, string, string, number]>([
  ['in a path', 'use "./n', 'new.txt', 1],
  ['in a path, where no file is new', 'use "./n', 'old.txt', 0],
  ['in code', 'use n', 'new.txt', 0],
])('completions %s of a server that lists files on the disk', async (_, text, held, count) => {
  const root = temporaryFolder({ 'a.txt': text, 'old.txt': 'saved' });
  const { workspace, refresh } = await openSandbox([root]);
  await refresh();
  workspace.hold(held, 'held');
  const definition: ServerDefinition = { ...plain, disk: { imports: 'folders' } };
  const place = { path: path.join(root, 'a.txt'), position: { line: 0, character: text.length } };
  const doubts = await listedDoubts(definition, place, workspace);
  expect(doubts.map(({ kind }) => kind)).toEqual(Array.from({ length: count }, () => 'unsaved_elsewhere'));
});

it.each([
  ['a module of Python', 'main.py', 'import app\n', 0],
  ['a module of Rust', 'main.rs', 'mod app;\n', 0],
  ['what another language imports', 'main.kt', 'import shop.app\n', 1],
])('a held file of another language that has the name of %s', async (_, file, text, count) => {
  const { workspace, refresh } = await openSandbox([temporaryFolder({ [file]: text })]);
  await refresh();
  using call = beginCall({ time: 60_000 });
  workspace.hold('app.css', 'held');
  const definition = { ...plain, extensions: { [path.extname(file).slice(1)]: 'code' } };
  expect(await unsavedImportDoubts({ definition }, workspace, call)).toHaveLength(count);
});

it('a text that is held as it is on the disk is not doubted, until the disk has another', async () => {
  const root = temporaryFolder({ 'a.json': 'saved\n', 'a.txt': 'uses b.json', 'b.json': '\ufeffsaved\n' });
  const { workspace, refresh } = await openSandbox([root]);
  await refresh();
  using call = beginCall({ time: 60_000 });
  const session = {
    definition: { ...plain, disk: { configFiles: ['a.json'] } },
    root,
    capabilities: new Capabilities(),
  };
  const doubts = async () => [
    ...unsavedFileDoubts(session, workspace, { service: 'hover' }),
    ...(await unsavedImportDoubts(session, workspace, call)),
  ];
  workspace.hold('a.json', 'saved\n');
  workspace.hold('b.json', '\ufeffsaved\n');
  expect(await doubts()).toEqual([]);
  for (const name of ['a.json', 'b.json']) {
    workspace.hold(name, 'held!\n');
    expect(await doubts()).toHaveLength(1);
    workspace.hold(name, name === 'a.json' ? 'saved\n' : '\ufeffsaved\n');
    expect(await doubts()).toEqual([]);
  }
  // Saved meanwhile, it was kept from the server, which goes on with what it read before.
  workspace.hold('a.json', 'other\n');
  writeFiles(root, { 'a.json': 'other\n' });
  await refresh();
  expect(await doubts()).toHaveLength(1);
});
