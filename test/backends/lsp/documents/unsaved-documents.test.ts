import { expect, it } from 'vitest';
import type { Doubt } from '../../../../src/core/doubts.ts';
import { limits } from '../../../../src/core/limits.ts';
import type { FakeScript } from '../../../fake-server/script.ts';
import {
  believed,
  codeOf,
  expectOfDisk,
  inOverlay as inHeld,
  moved,
  type OverlayWorld,
  onDisk,
  openOverlayWorld,
} from '../control/asking.ts';

const held = moved['a.txt'];

/** What the server believes of files, by name. */
function beliefs({ received }: OverlayWorld): Record<string, string> {
  const texts = [...believed(received())].map(([uri, text]) => [uri.split('/').at(-1) ?? '', text]);
  return Object.fromEntries(texts.sort());
}

/** The files of which a server was told as changed on the disk. */
function announced({ received }: OverlayWorld): readonly string[] {
  const events = received().filter(({ method }) => method === 'workspace/didChangeWatchedFiles');
  return events.flatMap(({ params }) => JSON.stringify(params).match(/\w+\.txt","type":\d/g) ?? []);
}

async function doubtsOf(world: OverlayWorld, file = 'b.txt'): Promise<readonly Doubt[]> {
  const place = { path: `${world.root}/${file}`, position: { line: 0, character: 1 } };
  return (await world.backend.ask({ kind: 'definition', place }, world.call)).doubts;
}

it('a question about another file is answered from the held text, and from the disk once it is given back', async () => {
  const world = await openOverlayWorld();
  expect(await world.definition()).toEqual(onDisk);
  world.workspace.hold('a.txt', held);
  expect(await world.definition()).toEqual(inHeld);
  world.workspace.hold('a.txt', '\nfunction alpha\n');
  expect(await world.definition()).toEqual(['a.txt 1:9']);
  world.workspace.hold('a.txt', undefined);
  await expectOfDisk(world);
  expect(announced(world)).toEqual([]);
});

it('a server that starts later, was killed, or was restarted has the held text before it is asked', async () => {
  const world = await openOverlayWorld();
  world.workspace.hold('a.txt', held);
  expect(await world.definition()).toEqual(inHeld);
  expect(Object.keys(beliefs(world))).toEqual(['a.txt', 'b.txt']);
  process.kill(world.pids().at(-1) ?? 0, 'SIGKILL');
  await world.logged.nth(({ event }) => event === 'server_crashed');
  expect(await world.definition()).toEqual(inHeld);
  await world.backend.servers.restart({}, world.call);
  expect(await world.definition()).toEqual(inHeld);
  expect(beliefs(world)['a.txt']).toBe(held);
  expect(world.pids()).toHaveLength(3);
});

it('what is held while a server starts reaches it before the question', async () => {
  const lives: FakeScript[] = [{ rules: [{ on: { method: 'initialize' }, do: [{ delayMs: 100 }] }] }];
  const world = await openOverlayWorld({ servers: { fake: { lives } } });
  const asked = world.definition();
  await world.sent('initialize');
  world.workspace.hold('a.txt', held);
  expect(await asked).toEqual(inHeld);
});

it('a file that is not on the disk is found while it is held, and closed when it is given back', async () => {
  const world = await openOverlayWorld({ files: { 'b.txt': 'alpha beta\n' } });
  expect(await world.definition()).toEqual([]);
  world.workspace.hold('new.txt', '\nfunction alpha\n');
  expect(await world.definition()).toEqual(['new.txt 1:9']);
  expect(announced(world)).toEqual([]);
  world.workspace.hold('new.txt', undefined);
  await expectOfDisk(world, []);
  expect(Object.keys(beliefs(world))).toEqual(['b.txt']);
  expect(announced(world)).toEqual(['new.txt","type":3']);
});

it('what happens to a held file on the disk is told when it is given back, and no sooner', async () => {
  const world = await openOverlayWorld();
  world.workspace.hold('a.txt', held);
  await world.definition();
  world.remove('a.txt');
  await world.workspace.refresh(world.call);
  expect(await world.definition()).toEqual(inHeld);
  world.write('a.txt', '\nfunction alpha\n');
  await world.workspace.refresh(world.call);
  expect(await world.definition()).toEqual(inHeld);
  expect(announced(world)).toEqual([]);
  world.workspace.hold('a.txt', undefined);
  await expectOfDisk(world, ['a.txt 1:9']);
  expect(announced(world)).toEqual(['a.txt","type":2']);
});

it('a file that was deleted while it was held is gone when it is given back', async () => {
  const world = await openOverlayWorld();
  world.workspace.hold('a.txt', held);
  await world.definition();
  world.remove('a.txt');
  await world.workspace.refresh(world.call);
  world.workspace.hold('a.txt', undefined);
  await expectOfDisk(world, []);
});

it('a held document is never closed to make room', async () => {
  const many = Array.from({ length: limits.openDocuments + 5 }, (_, index) => [`${index}.txt`, 'word\n']);
  const world = await openOverlayWorld({
    files: { 'a.txt': 'function alpha\n', 'b.txt': 'alpha beta\n', ...Object.fromEntries(many) },
  });
  world.workspace.hold('a.txt', held);
  await world.problemsOf(world.backend, ...many.map(([name = '']) => name));
  expect(Object.keys(beliefs(world))).toHaveLength(limits.openDocuments);
  expect(beliefs(world)['a.txt']).toBe(held);
  expect(await world.definition()).toEqual(inHeld);
});

it('an overlay lies over the held text, and gives back to it', async () => {
  const world = await openOverlayWorld();
  world.workspace.hold('a.txt', held);
  const above = { 'a.txt': '\nfunction alpha\n' };
  expect(await world.overlay(above, (overlaid) => world.definition(overlaid))).toEqual(['a.txt 1:9']);
  expect(await world.definition()).toEqual(inHeld);
  const beside = await world.overlay({ 'b.txt': '\nalpha\n' }, (overlaid) =>
    world.definition(overlaid, world.call, 'b.txt', 1),
  );
  expect(beside).toEqual(inHeld);
  world.workspace.hold('a.txt', undefined);
  await expectOfDisk(world);
});

it('what is held during an overlay counts when that is over', async () => {
  const world = await openOverlayWorld();
  await world.overlay({ 'b.txt': 'alpha\n' }, async (overlaid) => {
    await world.definition(overlaid);
    world.workspace.hold('a.txt', held);
  });
  expect(await world.definition()).toEqual(inHeld);
  await world.overlay({ 'a.txt': '\nfunction alpha\n' }, async (overlaid) => {
    world.workspace.hold('a.txt', undefined);
    expect(await world.definition(overlaid)).toEqual(['a.txt 1:9']);
  });
  await expectOfDisk(world);
});

it('a server that reads only what is open reads all anew, and the disk again afterwards', async () => {
  const files = { 'a.txt': 'function alpha\n', 'b.txt': 'alpha beta\n', 'c.txt': 'alpha gamma\n' };
  const world = await openOverlayWorld({
    files,
    servers: { fake: { lives: [{}], extensions: ['txt'], readsOnlyOpen: true } },
  });
  await world.definition(world.backend, world.call, 'c.txt');
  world.workspace.hold('a.txt', held);
  expect(await world.definition()).toEqual(inHeld);
  expect(beliefs(world)).toEqual({ 'a.txt': held, 'b.txt': files['b.txt'] });
  const above = await world.overlay({ 'c.txt': 'alpha\n' }, async (overlaid) => {
    const found = await world.definition(overlaid, world.call, 'c.txt');
    expect(beliefs(world)).toMatchObject({ 'a.txt': held, 'c.txt': 'alpha\n' });
    return found;
  });
  expect(above).toEqual(inHeld);
  world.workspace.hold('a.txt', undefined);
  await expectOfDisk(world);
  expect(beliefs(world)['a.txt']).toBe(files['a.txt']);
});

it('a server that takes no text says so of a held file, and is in doubt about all others', async () => {
  const lives: FakeScript[] = [{ capabilities: { textDocumentSync: { openClose: true, change: 0 } } }];
  const world = await openOverlayWorld({ servers: { fake: { lives } } });
  await world.definition();
  expect(await doubtsOf(world)).toEqual([]);
  world.workspace.hold('a.txt', held);
  expect(await codeOf(world.definition(world.backend, world.call, 'a.txt'))).toBe('not_supported');
  expect(await doubtsOf(world)).toMatchObject([
    { kind: 'unsaved_elsewhere', detail: expect.stringContaining('"a.txt"') },
  ]);
  world.workspace.hold('a.txt', undefined);
  expect(await doubtsOf(world)).toEqual([]);
  expect(await world.problemsOf(world.backend, 'a.txt')).toEqual(['a.txt fresh']);
});

it('a server that reads its set-up on the disk is in doubt while another text of that is held', async () => {
  const fake = { lives: [{}], projectMarkers: ['project.json'] };
  const world = await openOverlayWorld({
    files: { 'a.txt': 'function alpha\n', 'b.txt': 'alpha\n', 'project.json': '{}' },
    servers: { fake },
  });
  expect(await doubtsOf(world)).toEqual([]);
  world.workspace.hold('project.json', '{ "strict": true }');
  expect(await doubtsOf(world)).toMatchObject([{ kind: 'unsaved_elsewhere', server: 'fake' }]);
  world.workspace.hold('project.json', undefined);
  expect(await doubtsOf(world)).toEqual([]);
});

it('two servers of one file have the held text, and one of other files is not told of it', async () => {
  const world = await openOverlayWorld({
    files: { 'a.txt': 'ERROR_disk\n', 'c.md': 'word\n' },
    servers: {
      fake: { lives: [{}] },
      second: { lives: [{}], extensions: ['txt'] },
      other: { lives: [{}], extensions: ['md'] },
    },
  });
  await world.problemsOf(world.backend, 'a.txt', 'c.md');
  world.workspace.hold('a.txt', '\nERROR_held\n');
  expect(await world.problemsOf(world.backend, 'a.txt', 'c.md')).toEqual([
    'a.txt fresh 1:0 ERROR_held',
    'c.md fresh',
  ]);
  for (const server of ['fake', 'second'])
    expect([...believed(world.received(server)).values()]).toEqual(['\nERROR_held\n']);
  expect(JSON.stringify(world.received('other'))).not.toContain('a.txt');
});

it.each(['pull', 'push', 'push_unversioned', 'both'] as const)(
  'problems are fresh of the held text, and of the disk again afterwards, by %s',
  async (diagnostics) => {
    const files = { 'a.txt': 'ERROR_disk\n', 'b.txt': 'WARN_disk\n' };
    const world = await openOverlayWorld({ files, servers: { fake: { lives: [{ diagnostics }] } } });
    const problems = () => world.problemsOf(world.backend, 'a.txt', 'b.txt');
    expect(await problems()).toEqual(['a.txt fresh 0:0 ERROR_disk', 'b.txt fresh 0:0 WARN_disk']);
    world.workspace.hold('a.txt', '\nERROR_held\n');
    expect(await problems()).toEqual(['a.txt fresh 1:0 ERROR_held', 'b.txt fresh 0:0 WARN_disk']);
    world.workspace.hold('new.txt', 'ERROR_new\n');
    expect(await world.problemsOf(world.backend, 'new.txt')).toEqual(['new.txt fresh 0:0 ERROR_new']);
    expect(await world.known()).toEqual(['a.txt', 'b.txt', 'new.txt']);
    world.workspace.hold('a.txt', undefined);
    world.workspace.hold('new.txt', undefined);
    expect(await problems()).toEqual(['a.txt fresh 0:0 ERROR_disk', 'b.txt fresh 0:0 WARN_disk']);
    expect(await world.known()).toEqual(['a.txt', 'b.txt']);
  },
);
