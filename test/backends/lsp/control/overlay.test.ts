import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { TraceEntry } from '../../../../src/bridge.ts';
import { limits } from '../../../../src/core/limits.ts';
import type { FakeScript } from '../../../fake-server/script.ts';
import {
  believed,
  callFor,
  codeOf,
  expectOfDisk,
  inOverlay,
  moved,
  onDisk,
  openOverlayWorld,
} from './asking.ts';

const count = (received: readonly { readonly method?: string }[], name: string) =>
  received.filter(({ method }) => method === name).length;

it('what is asked under an overlay is answered about its texts, and what is asked afterwards about the disk', async () => {
  const world = await openOverlayWorld();
  expect(await world.definition()).toEqual(onDisk);
  expect(await world.overlay(moved, (overlaid) => world.definition(overlaid))).toEqual(inOverlay);
  await expectOfDisk(world);
  expect(count(world.received(), 'textDocument/didSave')).toBe(0);
});

it('a document that was open gets the text of the disk again, and one that was not is closed', async () => {
  const world = await openOverlayWorld();
  await world.definition();
  const texts = { ...moved, 'b.txt': 'alpha gamma\n' };
  await world.overlay(texts, async (overlaid) => {
    await world.definition(overlaid);
    expect([...believed(world.received()).values()].sort()).toEqual(Object.values(texts).sort());
  });
  await expectOfDisk(world);
  expect([...believed(world.received()).keys()].map((uri) => uri.split('/').at(-1))).toEqual(['b.txt']);
});

it.each([
  ['the work is done', undefined],
  ['the work fails', new Error('no')],
])(
  'a server that reads only what is open gets all of the disk that it was sent meanwhile once %s',
  async (_when, failure) => {
    const files = {
      'a.txt': 'function alpha\n',
      'b.txt': 'alpha beta\n',
      'c.txt': 'alpha gamma\n',
      'd.txt': '',
    };
    const fake = { lives: [{}], extensions: ['txt'], readsOnlyOpen: true };
    const world = await openOverlayWorld({ files, servers: { fake } });
    const worked = world.overlay(moved, async (overlaid) => {
      await world.definition(overlaid);
      if (failure) throw failure;
    });
    await worked.catch(() => {});
    // What is written meanwhile has all closed that is open.
    world.write('d.txt', 'delta\n');
    await world.workspace.refresh(world.call);
    await world.definition(world.backend, world.call, 'c.txt');
    const names = [...believed(world.received()).keys()].map((uri) => uri.split('/').at(-1));
    expect(names.sort()).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt']);
    await expectOfDisk(world);
  },
);

it('a file that does not exist can be overlaid, is found from other files, and is gone afterwards', async () => {
  const world = await openOverlayWorld({ files: { 'b.txt': 'alpha beta\n' } });
  expect(await world.definition()).toEqual([]);
  const under = { 'new.txt': '\nfunction alpha\n' };
  expect(await world.overlay(under, (overlaid) => world.definition(overlaid))).toEqual(['new.txt 1:9']);
  expect(await world.known()).not.toContain('new.txt');
  await expectOfDisk(world, []);
});

it('spans in overlaid files are converted with the overlaid text, whatever a server counts in', async () => {
  const world = await openOverlayWorld({ servers: { fake: { lives: [{ positionEncoding: 'utf-8' }] } } });
  const texts = { 'a.txt': '\n𝒳é function alpha\n', 'b.txt': 'é𝒳 alpha\n' };
  const spans = await world.overlay(texts, async (overlaid) => {
    const place = { path: `${world.root}/b.txt`, position: { line: 0, character: 5 } };
    return (await overlaid.ask({ kind: 'references', place }, world.call)).answer;
  });
  expect(spans.map(({ range }) => range.start)).toEqual([
    { line: 1, character: 13 },
    { line: 0, character: 4 },
  ]);
});

it('a definition that another call asks while text is overlaid waits, and gets the answer of the disk', async () => {
  const world = await openOverlayWorld();
  const { asked, during } = await world.overlay(moved, async (overlaid) => {
    await world.definition(overlaid);
    const before = count(world.received(), 'textDocument/definition');
    const promise = world.definition();
    await world.definition(overlaid);
    await world.definition(overlaid);
    const sent = count(world.received(), 'textDocument/definition') - before;
    return { asked: { promise }, during: sent };
  });
  expect(during).toBe(2);
  expect(await asked.promise).toEqual(onDisk);
});

it('questions that are under way are answered before text is overlaid', async () => {
  const lives: FakeScript[] = [
    { rules: [{ on: { method: 'textDocument/definition', nth: 1 }, do: [{ delayMs: 200 }] }] },
  ];
  const world = await openOverlayWorld({ servers: { fake: { lives } } });
  const asked = world.definition();
  await world.sent('textDocument/definition');
  expect(await world.overlay(moved, (overlaid) => world.definition(overlaid))).toEqual(inOverlay);
  expect(await asked).toEqual(onDisk);
});

it('who waits for an overlay longer than its own deadline is told that the server is busy, or that it was cancelled', async () => {
  const world = await openOverlayWorld();
  const leaving = new AbortController();
  await world.overlay(moved, async (overlaid) => {
    const cancelled = codeOf(world.definition(world.backend, callFor(60_000, leaving.signal)));
    expect(await codeOf(world.definition(world.backend, callFor(100)))).toBe('busy');
    expect(await codeOf(world.overlay(moved, async () => 'begun', callFor(100)))).toBe('busy');
    leaving.abort();
    expect(await cancelled).toBe('cancelled');
    expect(await world.definition(overlaid)).toEqual(inOverlay);
  });
  await expectOfDisk(world);
});

it('text is taken back when the work fails, and the error is that of the work', async () => {
  const world = await openOverlayWorld();
  const failed = world.overlay(moved, async (overlaid) => {
    await world.definition(overlaid);
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  await expectOfDisk(world);
});

it('text is taken back when the deadline comes, though the work goes on, which then gets no answers any more', async () => {
  const world = await openOverlayWorld();
  await world.definition();
  let late: Promise<unknown> | undefined;
  const call = callFor(2_000);
  const work = world.overlay(
    moved,
    async (overlaid) => {
      await world.definition(overlaid);
      late = new Promise<void>((resolve) => call.signal.addEventListener('abort', () => resolve()))
        .then(() => setImmediate())
        .then(() => world.definition(overlaid));
      late.catch(() => {});
      return late;
    },
    call,
  );
  expect(await codeOf(work)).toBe('timed_out');
  await expectOfDisk(world);
  expect(await codeOf(late ?? Promise.resolve())).toBe('cancelled');
});

it('a question that the work did not wait for is cancelled when the work ends', async () => {
  const lives: FakeScript[] = [{ rules: [{ on: { method: 'textDocument/hover' }, do: [{ never: true }] }] }];
  const world = await openOverlayWorld({ servers: { fake: { lives } } });
  let left: Promise<unknown> | undefined;
  await world.overlay(moved, async (overlaid) => {
    const place = { path: `${world.root}/a.txt`, position: { line: 2, character: 10 } };
    left = codeOf(overlaid.ask({ kind: 'hover', place }, world.call));
    await world.sent('textDocument/hover');
  });
  expect(await left).toBe('cancelled');
  await expectOfDisk(world);
});

/** What has happened when the caller cancels: messages of the bridge, or nothing at all. */
const moments = {
  'before it begins': undefined,
  'while the server starts': 'initialize',
  'when the text is sent': 'textDocument/didOpen',
  'while a question is answered': 'textDocument/definition',
} as const;

it.each(Object.entries(moments))('text is taken back when the caller cancels %s', async (_moment, method) => {
  const slow = { on: { method: 'textDocument/definition', nth: 1 }, do: [{ delayMs: 300 }] };
  const world = await openOverlayWorld({ servers: { fake: { lives: [{ rules: [slow] }] } } });
  const leaving = new AbortController();
  if (method === undefined) leaving.abort();
  const call = callFor(60_000, leaving.signal);
  const work = codeOf(world.overlay(moved, (overlaid) => world.definition(overlaid, call), call));
  if (method) await world.sent(method);
  leaving.abort();
  expect(await work).toBe('cancelled');
  await expectOfDisk(world);
});

it('who waits to begin and is cancelled lets those after it go on', async () => {
  const world = await openOverlayWorld();
  const leaving = new AbortController();
  const { second, third } = await world.overlay(moved, async (overlaid) => {
    await world.definition(overlaid);
    const waiting = world.overlay(moved, (other) => world.definition(other), callFor(60_000, leaving.signal));
    const promises = { second: { promise: codeOf(waiting) }, third: { promise: world.definition() } };
    await setImmediate();
    leaving.abort();
    return promises;
  });
  expect(await second.promise).toBe('cancelled');
  expect(await third.promise).toEqual(onDisk);
});

it('a server that dies while text is overlaid is started anew, and asked again about the same texts', async () => {
  const dies: FakeScript = {
    rules: [{ on: { method: 'textDocument/definition', nth: 2 }, do: [{ exit: { code: 3 } }] }],
  };
  const world = await openOverlayWorld({ servers: { fake: { lives: [dies, {}] } } });
  await world.definition();
  const place = { path: `${world.root}/b.txt`, position: { line: 0, character: 1 } };
  const reply = await world.overlay(moved, (overlaid) =>
    overlaid.ask({ kind: 'definition', place }, world.call),
  );
  expect(reply.answer.map(({ range }) => range.start.line)).toEqual([2]);
  expect(reply.doubts.map(({ kind }) => kind)).toEqual(['server_restarted']);
  expect(world.pids()).toHaveLength(2);
  await expectOfDisk(world);
});

it('a server that is killed between two questions about overlaid text holds it again at the second', async () => {
  const world = await openOverlayWorld();
  await world.overlay(moved, async (overlaid) => {
    expect(await world.definition(overlaid)).toEqual(inOverlay);
    process.kill(world.pids()[0] ?? 0, 'SIGKILL');
    await world.logged.nth(({ event }) => event === 'server_crashed');
    expect(await world.definition(overlaid)).toEqual(inOverlay);
  });
  expect(world.pids()).toHaveLength(2);
  await expectOfDisk(world);
});

it('a server that is killed when text was overlaid last starts with the text of the disk', async () => {
  const world = await openOverlayWorld();
  await world.overlay(moved, async (overlaid) => {
    await world.definition(overlaid);
    process.kill(world.pids()[0] ?? 0, 'SIGKILL');
    await world.logged.nth(({ event }) => event === 'server_crashed');
  });
  await expectOfDisk(world);
});

it('a server that is restarted on demand while text is overlaid holds it again', async () => {
  const world = await openOverlayWorld();
  await world.overlay(moved, async (overlaid) => {
    await world.definition(overlaid);
    await world.backend.servers.restart({}, world.call);
    expect(await world.definition(overlaid)).toEqual(inOverlay);
  });
  await expectOfDisk(world);
});

it('a server that cannot be told of the text of the disk again is ended', async () => {
  const large = `${'x'.repeat(3_900_000)}\n`;
  const names = Array.from({ length: 6 }, (_, index) => `large${index}.txt`);
  const files = {
    'a.txt': 'function alpha\n',
    'b.txt': 'alpha beta\n',
    ...Object.fromEntries(names.map((name) => [name, large])),
  };
  const deaf: FakeScript = {
    rules: [{ on: { method: 'textDocument/hover' }, do: [{ reply: 'auto' }, { stopReadingStdin: true }] }],
  };
  const world = await openOverlayWorld({ files, servers: { fake: { lives: [deaf, {}] } } });
  for (const name of names) await world.definition(world.backend, world.call, name);
  const small = Object.fromEntries(names.map((name) => [name, 'word\n']));
  await world.overlay(small, async (overlaid) => {
    const place = { path: `${world.root}/b.txt`, position: { line: 0, character: 1 } };
    await overlaid.ask({ kind: 'hover', place }, world.call);
  });
  const crash = await world.logged.nth(({ event }) => event === 'server_crashed');
  expect(String(crash.fields.error)).toContain('could not be reset');
  expect(await world.definition()).toEqual(onDisk);
  expect(world.pids()).toHaveLength(2);
});

const tells = ({ message }: TraceEntry) =>
  JSON.stringify(message).includes('workspace/didChangeWatchedFiles');

it('what changes on the disk while text is overlaid is told afterwards', async () => {
  const world = await openOverlayWorld();
  await world.definition(world.backend, world.call, 'a.txt');
  await world.overlay(moved, async (overlaid) => {
    await world.definition(overlaid);
    world.write('a.txt', '\nfunction alpha\n');
    world.write('c.txt', '\n\n\nfunction gamma\n');
    await world.workspace.refresh(world.call);
    expect(await world.definition(overlaid)).toEqual(inOverlay);
    expect(world.traced.all.filter(tells)).toEqual([]);
    expect([...believed(world.received()).values()]).toContain(moved['a.txt']);
  });
  expect(world.traced.all.filter(tells)).toHaveLength(1);
  await expectOfDisk(world, ['a.txt 1:9']);
});

it('a file that is deleted while text is overlaid for it is gone afterwards', async () => {
  const world = await openOverlayWorld();
  await world.definition(world.backend, world.call, 'a.txt');
  await world.overlay(moved, async (overlaid) => {
    world.remove('a.txt');
    await world.workspace.refresh(world.call);
    expect(await world.definition(overlaid)).toEqual(inOverlay);
  });
  await expectOfDisk(world, []);
});

it('two overlays of the same server come one after the other', async () => {
  const world = await openOverlayWorld();
  const one = { 'a.txt': '\nfunction alpha\n' };
  const asked = [one, moved, one].map((texts) =>
    world.overlay(texts, (overlaid) => world.definition(overlaid)),
  );
  expect(await Promise.all(asked)).toEqual([['a.txt 1:9'], inOverlay, ['a.txt 1:9']]);
  await expectOfDisk(world);
});

const two = {
  servers: { one: {}, two: { extensions: ['md'] } },
  files: { 'a.txt': 'function alpha\n', 'b.txt': 'alpha\n', 'c.md': 'function other\n' },
};

it('overlays of several servers do not wait for each other in a circle', async () => {
  const world = await openOverlayWorld(two);
  const [md, txt] = [{ 'c.md': 'other\n' }, { 'a.txt': '\nfunction alpha\n' }];
  const texts = [{ ...txt, ...md }, { ...md, ...txt }, md, txt, { ...md, ...txt }, { ...txt, ...md }];
  const asked = texts.map((each) =>
    world.overlay(each, async (overlaid) => ('a.txt' in each ? world.definition(overlaid) : [])),
  );
  expect(await Promise.all(asked)).toEqual(texts.map((each) => ('a.txt' in each ? ['a.txt 1:9'] : [])));
});

it('a server of other files answers meanwhile, also to the work itself', async () => {
  const world = await openOverlayWorld(two);
  await world.overlay({ 'c.md': 'other\n' }, async (overlaid) => {
    expect(await world.definition()).toEqual(onDisk);
    expect(await world.definition(overlaid)).toEqual(onDisk);
  });
});

it('the work is not kept waiting for a server that it does not hold and another overlay does', async () => {
  const world = await openOverlayWorld(two);
  await world.overlay({ 'c.md': 'other\n' }, (overlaid) =>
    world.overlay(moved, async () => {
      expect(await codeOf(world.definition(overlaid))).toBe('busy');
    }),
  );
});

it('a server that reads files only from the disk is not asked about other text', async () => {
  const lives: FakeScript[] = [{ capabilities: { textDocumentSync: { openClose: true, change: 0 } } }];
  const world = await openOverlayWorld({ servers: { fake: { lives } } });
  expect(await codeOf(world.overlay(moved, (overlaid) => world.definition(overlaid)))).toBe('not_supported');
  await expectOfDisk(world);
});

it('no server is started for texts that nobody asks about', async () => {
  const world = await openOverlayWorld();
  expect(await world.overlay(moved, async () => 'done')).toBe('done');
  expect(world.pids()).toEqual([]);
});

it('a path outside the workspace, and more or larger texts than the bounds, are refused', async () => {
  const world = await openOverlayWorld();
  const { files, bytes } = limits.overlay;
  const many = (number: number) =>
    Object.fromEntries(Array.from({ length: number }, (_, index) => [`${index}.txt`, '']));
  const large = (size: number) =>
    Object.fromEntries(
      Array.from({ length: bytes / size }, (_, index) => [`${index}.txt`, 'x'.repeat(size)]),
    );
  const refused = (texts: Record<string, string>) => codeOf(world.overlay(texts, async () => 'done'));
  expect(await refused({ '../elsewhere.txt': '' })).toBe('outside_workspace');
  expect(await refused(many(files))).toEqual({ value: 'done' });
  expect(await refused(many(files + 1))).toBe('limit_exceeded');
  expect(await refused({ 'a.txt': 'x'.repeat(limits.document) })).toEqual({ value: 'done' });
  expect(await refused({ 'a.txt': 'x'.repeat(limits.document + 1) })).toBe('limit_exceeded');
  expect(await refused(large(limits.document))).toEqual({ value: 'done' });
  expect(await refused({ ...large(limits.document), more: 'x' })).toBe('limit_exceeded');
});

it('outlines that tools keep are those of the text on the disk, also when it changed while they waited', async () => {
  const world = await openOverlayWorld();
  const file = `${world.root}/a.txt`;
  const names = async () => (await world.outlines.of(world, file, world.call)).answer.map(({ name }) => name);
  const asked = await world.overlay({ 'a.txt': 'function other\n' }, async (overlaid) => {
    await world.definition(overlaid);
    const promise = names();
    world.write('a.txt', 'function later\n');
    await world.workspace.refresh(world.call);
    return { promise };
  });
  expect(await asked.promise).toEqual(['later']);
  world.write('a.txt', 'function alpha\n');
  await world.workspace.refresh(world.call);
  expect(await names()).toEqual(['alpha']);
});
