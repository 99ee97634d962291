import { renameSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FakeScript } from '../../../fake-server/script.ts';
import { openRenamingWorld, type RenamingWorld } from './renaming.ts';

const files = {
  'alpha.txt': 'beta\n',
  'use.txt': 'import alpha\n',
  'part/alpha.txt': 'x\n',
  'part/One.TXT': 'y\n',
  'part/data.json': '{}\n',
};

type Filter = { readonly glob: string; readonly matches?: string; readonly options?: object };

/** A server that wants to be asked about moves that these filters mean. */
function asking(...patterns: readonly Filter[]): FakeScript {
  const filters = patterns.map((pattern) => ({ scheme: 'file', pattern }));
  const fileOperations = { willRename: { filters }, didRename: { filters } };
  return { capabilities: { workspace: { fileOperations } } };
}

function open(script: FakeScript): Promise<RenamingWorld> {
  return openRenamingWorld({ files, servers: { fake: { lives: [script] } } });
}

/** The moves that a server was asked about, or told of, by method. */
function asked(world: RenamingWorld, method = 'workspace/willRenameFiles', server?: string) {
  return world
    .received(server)
    .filter((message) => message.method === method)
    .map(({ params }) => JSON.stringify(params).replaceAll(`file://${world.root}/`, ''));
}

const one = { 'alpha.txt': 'gamma.txt' };
const folder = { 'part/': 'piece/' };

describe('before files move', () => {
  it('a server that wants to be asked tells what else changes, with the text that it is about', async () => {
    const world = await open(asking({ glob: '**/*.txt' }));
    const { answer, doubts } = await world.moves(one);
    expect(doubts).toEqual([]);
    expect(answer.servers).toEqual(['fake']);
    expect(world.shown(answer.proposal.steps)).toEqual(['use.txt 0:7 gamma']);
    const { hash } = await world.workspace.read(path.join(world.root, 'use.txt'));
    expect(answer.proposal.steps).toMatchObject([{ kind: 'edit', seen: hash }]);
    expect(asked(world)).toEqual(['{"files":[{"oldUri":"alpha.txt","newUri":"gamma.txt"}]}']);
  });

  it.each([
    ['no filter means it', asking({ glob: '**/*.md' })],
    ['it wants folders only', asking({ glob: '**', matches: 'folder' })],
    ['it means another scheme', other()],
    ['it announced nothing of the sort', {}],
    ['it announced nothing at all of the workspace', { capabilities: { workspace: null } }],
  ])('a server is not asked when %s, and that is no doubt', async (_why, script) => {
    const world = await open(script);
    const reply = await world.moves(one);
    expect(reply).toEqual({ answer: { proposal: { steps: [], confirm: [] }, servers: [] }, doubts: [] });
    expect(asked(world)).toEqual([]);
  });

  it('a server may register for it later, and filters may be of either case', async () => {
    const filters = [{ pattern: { glob: '**/ALPHA.*', options: { ignoreCase: true } } }];
    const registration = { id: 'm', method: 'workspace/willRenameFiles', registerOptions: { filters } };
    const request = { method: 'client/registerCapability', params: { registrations: [registration] } };
    const world = await open({ rules: [{ on: { method: 'initialized' }, do: [{ request }] }] });
    expect((await world.moves(one)).answer.servers).toEqual(['fake']);
  });

  it.each([
    ['as such where a filter means folders', [{ glob: '**', matches: 'folder' }], ['part']],
    ['as such where a filter of both means what is in it', [{ glob: '**/*.txt' }], ['part']],
    ['file by file where it wants files only', [{ glob: '**/*.txt', matches: 'file' }], ['part/alpha.txt']],
    [
      'file by file in either case',
      [{ glob: '**/*.txt', matches: 'file', options: { ignoreCase: true } }],
      ['part/One.TXT', 'part/alpha.txt'],
    ],
  ])('a server is asked about a folder %s', async (_how, filters, expected) => {
    const world = await open(asking(...filters));
    await world.moves(folder);
    const [params = '{}'] = asked(world);
    const told: { readonly files: readonly { readonly oldUri: string }[] } = JSON.parse(params);
    expect(told.files.map(({ oldUri }) => oldUri).sort()).toEqual(expected);
    expect(params).toContain('"newUri":"piece');
  });

  it('every server has a say about its own files, and one that fails is a doubt', async () => {
    const willing = asking({ glob: '**' });
    const failing = { replyError: { code: -32803, message: 'No.' } };
    const world = await openRenamingWorld({
      files: { ...files, 'use.md': 'see alpha\n', 'use.rst': 'see alpha\n' },
      servers: {
        texts: { lives: [willing], extensions: ['txt'] },
        notes: { lives: [willing], extensions: ['md'], answers: ['moves'] },
        broken: {
          lives: [{ ...willing, rules: [{ on: { method: 'workspace/willRenameFiles' }, do: [failing] }] }],
          extensions: ['rst'],
          answers: ['moves'],
        },
      },
    });
    const { answer, doubts } = await world.moves(one);
    expect(world.shown(answer.proposal.steps)).toEqual(['use.md 0:4 gamma', 'use.txt 0:7 gamma']);
    expect(answer.servers).toEqual(['texts', 'notes']);
    expect(doubts).toMatchObject([{ server: 'broken' }]);
  });
});

describe('a rename that moves a file', () => {
  const rename = { kind: 'rename', oldUri: 'file://<root>/alpha.txt', newUri: 'file://<root>/gamma.txt' };
  const edit = (file: string, character: number) => ({
    textDocument: { uri: `file://<root>/${file}`, version: null },
    edits: [
      {
        range: { start: { line: 0, character }, end: { line: 0, character: character + 5 } },
        newText: 'gamma',
      },
    ],
  });
  const renaming = (...documentChanges: readonly object[]) => ({
    on: { method: 'textDocument/rename' },
    do: [{ replyValue: { documentChanges } }],
  });

  it.each([
    ['where the server leaves that to the question about the move', [rename]],
    ['once where it has said so already', [edit('use.txt', 7), rename]],
  ])('changes what else mentions it, %s', async (_when, changes) => {
    const world = await open({ ...asking({ glob: '**/*.txt' }), rules: [renaming(...changes)] });
    const { answer } = await world.rename('use.txt', 'alp|ha', 'gamma');
    expect(answer?.proposal.steps.map(({ kind }) => kind)).toEqual(['edit', 'rename']);
    expect(world.shown(answer?.proposal.steps.slice(0, 1) ?? [])).toEqual(['use.txt 0:7 gamma']);
    expect(world.places(answer?.spans ?? [])).toEqual(['use.txt 0:7']);
    expect(asked(world)).toEqual(['{"files":[{"oldUri":"alpha.txt","newUri":"gamma.txt"}]}']);
  });
});

describe('after files have moved', () => {
  it('EDT-38: running servers that asked for it are told, after what changed on the disk', async () => {
    const world = await open(asking({ glob: '**/*.txt', matches: 'file' }));
    await world.moves(folder);
    renameSync(path.join(world.root, 'part'), path.join(world.root, 'piece'));
    await world.workspace.refresh(world.call);
    await world.backend.servers.filesMoved(world.asMoves(folder), world.call);
    await world.sent('workspace/didRenameFiles');
    const place = { path: path.join(world.root, 'use.txt'), position: { line: 0, character: 0 } };
    await world.backend.ask({ kind: 'hover', place }, world.call);
    expect(asked(world, 'workspace/didRenameFiles')).toEqual([
      '{"files":[{"oldUri":"part/alpha.txt","newUri":"piece/alpha.txt"}]}',
    ]);
    const order = world.received().map(({ method }) => method);
    expect(order.indexOf('workspace/didChangeWatchedFiles')).toBeLessThan(
      order.indexOf('workspace/didRenameFiles'),
    );
  });

  it('no server is started for that, and one that did not ask is not told', async () => {
    const world = await open({});
    await world.backend.servers.filesMoved(world.asMoves(one), world.call);
    expect(world.pids()).toEqual([]);
    await world.rename('use.txt', 'alpha', 'gamma');
    await world.backend.servers.filesMoved(world.asMoves(one), world.call);
    await world.rename('use.txt', 'alpha', 'gamma');
    expect(asked(world, 'workspace/didRenameFiles')).toEqual([]);
  });
});

function other(): FakeScript {
  const filters = [{ scheme: 'untitled', pattern: { glob: '**' } }];
  return { capabilities: { workspace: { fileOperations: { willRename: { filters } } } } };
}
