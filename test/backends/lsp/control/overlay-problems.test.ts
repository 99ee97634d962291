import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import type { FakeScript, Rule } from '../../../fake-server/script.ts';
import { type OverlayWorld, openOverlayWorld } from './asking.ts';

const files = { 'a.txt': 'ERROR_disk\n', 'b.txt': 'WARN_disk\n' };
const texts = { 'a.txt': '\n\n  ERROR_overlaid\n' };
const [onDisk, inOverlay] = ['a.txt fresh 0:0 ERROR_disk', 'a.txt fresh 2:2 ERROR_overlaid'];

function openWith(script: FakeScript): Promise<OverlayWorld> {
  return openOverlayWorld({ files, servers: { fake: { lives: [script] } } });
}

/** Publishes an error that is only in the overlaid text, late: when the server is told something for the nth time. */
function late(file: string, method: string, nth: number, version?: number): Rule {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  const params = {
    uri: pathToFileURL(path.join('/ROOT', file)).href.replace('/ROOT', '<root>'),
    ...(version === undefined ? {} : { version }),
    diagnostics: [{ range, severity: 1, code: 'LATE', message: 'late' }],
  };
  return { on: { method, nth }, do: [{ notify: { method: 'textDocument/publishDiagnostics', params } }] };
}

/** Resolves when that has come. */
function heardLate(world: OverlayWorld): Promise<unknown> {
  return world.traced.nth(({ message }) => JSON.stringify(message).includes('LATE'));
}

it.each(['pull', 'push', 'push_unversioned', 'both'] as const)(
  'problems under an overlay are those of its text, and afterwards those of the disk again, by %s',
  async (diagnostics) => {
    const world = await openWith({ diagnostics });
    const { backend } = world;
    expect(await world.problemsOf(backend, 'a.txt', 'b.txt')).toEqual([onDisk, 'b.txt fresh 0:0 WARN_disk']);
    await world.overlay(texts, async (overlaid) => {
      expect(await world.problemsOf(overlaid, 'a.txt')).toEqual([inOverlay]);
      expect(await world.problemsOf(overlaid, 'b.txt')).toEqual(['b.txt fresh 0:0 WARN_disk']);
    });
    expect(await world.problemsOf(backend, 'a.txt', 'b.txt')).toEqual([onDisk, 'b.txt fresh 0:0 WARN_disk']);
    expect(await world.known()).toEqual(['a.txt', 'b.txt']);
  },
);

it('problems of a file that nobody asked about before the overlay are right afterwards', async () => {
  const world = await openWith({ diagnostics: 'push' });
  expect(await world.overlay(texts, (overlaid) => world.problemsOf(overlaid, 'a.txt'))).toEqual([inOverlay]);
  expect(await world.known()).toEqual([]);
  expect(await world.problemsOf(world.backend, 'a.txt')).toEqual([onDisk]);
});

it('a report of one text is never told as the previous one of the other', async () => {
  const world = await openWith({ diagnostics: 'pull' });
  await world.problemsOf(world.backend, 'a.txt');
  await world.overlay(texts, async (overlaid) => {
    await world.problemsOf(overlaid, 'a.txt');
    await world.problemsOf(overlaid, 'a.txt');
  });
  await world.problemsOf(world.backend, 'a.txt');
  const asked = world.received().filter(({ method }) => method === 'textDocument/diagnostic');
  const [first, second, third, fourth] = asked.map(({ params }) => JSON.stringify(params));
  expect(first).not.toContain('previousResultId');
  expect(second).not.toContain('previousResultId');
  expect(third).toContain('previousResultId');
  expect(fourth).not.toBe(third);
});

it('what a server publishes late about the overlaid version is not told as fresh of the disk', async () => {
  const world = await openWith({
    diagnostics: 'push',
    rules: [late('a.txt', 'textDocument/didClose', 1, 1)],
  });
  await world.overlay(texts, (overlaid) => world.problemsOf(overlaid, 'a.txt'));
  await heardLate(world);
  expect(await world.problemsOf(world.backend, 'a.txt')).toEqual([onDisk]);
});

it('what a server publishes late about another document, whose version stayed, is not told as fresh', async () => {
  // The second change is that which gives the first document its text back.
  const world = await openWith({
    diagnostics: 'push',
    rules: [late('b.txt', 'textDocument/didChange', 2, 1)],
  });
  await world.problemsOf(world.backend, 'a.txt', 'b.txt');
  await world.overlay(texts, (overlaid) => world.problemsOf(overlaid, 'a.txt'));
  await heardLate(world);
  expect(await world.problemsOf(world.backend, 'b.txt')).toEqual(['b.txt fresh 0:0 WARN_disk']);
});

it.each(['textDocument/didChange', '$/lspan/alive'])(
  'what a server publishes late and without a version, at %s, is not told as fresh',
  async (method) => {
    const rules = [late('a.txt', method, 2)];
    const world = await openWith({ diagnostics: 'push_unversioned', rules });
    await world.problemsOf(world.backend, 'a.txt');
    await world.overlay(texts, (overlaid) => world.problemsOf(overlaid, 'a.txt'));
    await heardLate(world);
    expect(await world.problemsOf(world.backend, 'a.txt')).toEqual([onDisk]);
  },
);

it('what a server has published about the disk is not told as fresh of the overlaid text', async () => {
  const rules = [
    late('a.txt', 'textDocument/didChange', 1, 1),
    late('b.txt', 'textDocument/didChange', 1, 1),
  ];
  const world = await openWith({ diagnostics: 'push', rules });
  await world.problemsOf(world.backend, 'a.txt', 'b.txt');
  await world.overlay(texts, async (overlaid) => {
    await world.definition(overlaid, world.call, 'a.txt');
    await heardLate(world);
    expect(await world.problemsOf(overlaid, 'b.txt')).toEqual(['b.txt fresh 0:0 WARN_disk']);
  });
});

it('nobody is told of problems in text that is not on the disk', async () => {
  const world = await openWith({ diagnostics: 'push' });
  const told: string[] = [];
  world.backend.onDiagnostics((file) => told.push(path.basename(file)));
  await world.overlay({ 'new.txt': 'ERROR_new\n' }, (overlaid) => world.problemsOf(overlaid, 'new.txt'));
  expect(told).toEqual([]);
});

it('problems that another call asks for while text is overlaid are those of the disk', async () => {
  const world = await openWith({ diagnostics: 'push' });
  const asked = await world.overlay(texts, async (overlaid) => {
    await world.problemsOf(overlaid, 'a.txt');
    return { promise: world.problemsOf(world.backend, 'a.txt') };
  });
  expect(await asked.promise).toEqual([onDisk]);
});
