import path from 'node:path';
import { expect, it } from 'vitest';
import { defaultConfig } from '../../../../src/config/default-config.ts';
import { beginCall, type Call } from '../../../../src/core/call.ts';
import type { FakeScript } from '../../../fake-server/script.ts';
import { openTestWorld, type TestSetting, type TestWorld } from '../../../test-bridge.ts';

const hover = 'textDocument/hover';

it('RES-07: eight who ask the same at once have the server asked once', async () => {
  const { world, ask, asked } = await opened();
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask()));
  expect(new Set(answers)).toEqual(new Set(['```\nfunction alpha\n```']));
  expect(asked()).toBe(1);
  expect(world.pids()).toHaveLength(1);
});

it('RES-07: one who cancels does not take the question from the others, and the last one does', async () => {
  const never: FakeScript = { rules: [{ on: { method: hover }, do: [{ never: true }] }] };
  const { world, ask } = await opened({ servers: { fake: { ready, lives: [never] } } });
  const leaving = [new AbortController(), new AbortController()];
  const asking = leaving.map(({ signal }) => ask(beginCall({ time: 60_000 }, signal)));
  const ended = Promise.allSettled(asking);
  await world.sent(hover);
  leaving[0]?.abort();
  await expect(asking[0]).rejects.toMatchObject({ code: 'cancelled' });
  expect(methodsTo(world)).not.toContain('$/cancelRequest');
  leaving[1]?.abort();
  await world.sent('$/cancelRequest');
  expect(await ended).toMatchObject([{ reason: { code: 'cancelled' } }, { reason: { code: 'cancelled' } }]);
});

it('RES-07: who asks in another scope does not share', async () => {
  const { ask, asked } = await opened();
  await Promise.all(['one', 'other'].map((scope) => ask(beginCall({ time: 60_000, scope }))));
  expect(asked()).toBe(2);
});

it('RES-07: who asks after a change does not wait for an answer about the text before it', async () => {
  const held: FakeScript = { rules: [{ on: { method: hover, nth: 1 }, do: [{ waitFor: 'fake/go' }] }] };
  const { world, ask, asked } = await opened({ servers: { fake: { ready, lives: [held] } } });
  const before = new AbortController();
  const first = ask(beginCall({ time: 60_000 }, before.signal)).catch(() => {});
  await world.sent(hover);
  world.write('a.txt', 'function alpha of late\n');
  await world.workspace.refresh(beginCall({ time: 60_000 }));
  expect(await ask()).toContain('function alpha of late');
  expect(asked()).toBe(2);
  before.abort();
  await first;
});

it('RES-08: the same is asked once as long as nothing changes, and anew after an edit', async () => {
  const { world, ask, asked } = await opened();
  for (let time = 0; time < 5; time += 1) expect(await ask()).toContain('function alpha');
  expect(asked()).toBe(1);
  world.write('a.txt', 'function alpha of late\n');
  await world.workspace.refresh(beginCall({ time: 60_000 }));
  expect(await ask()).toContain('function alpha of late');
  expect(asked()).toBe(2);
});

it('RES-08: a change to any file outdates what is kept, since nobody can tell what depends on it', async () => {
  const { world, ask, asked } = await opened();
  await ask();
  world.write('c.txt', 'something else\n');
  await world.workspace.refresh(beginCall({ time: 60_000 }));
  await ask();
  expect(asked()).toBe(2);
});

it('RES-08: what a server says by itself outdates its answers, for it may know more now', async () => {
  const told = { method: 'window/logMessage', params: { type: 3, message: 'Indexed.' } };
  const speaks: FakeScript = {
    rules: [{ on: { method: 'textDocument/definition' }, do: [{ reply: 'auto' }, { notify: told }] }],
  };
  const { world, ask, asked, place } = await opened({ servers: { fake: { ready, lives: [speaks] } } });
  await ask();
  await world.backend.ask({ kind: 'definition', place }, beginCall({ time: 60_000 }));
  await world.traced.nth(
    ({ direction, message }) => direction === 'from_server' && isOf(message, told.method),
  );
  await ask();
  expect(asked()).toBe(2);
});

it('RES-08: nothing is kept of a server that does not tell whether it has loaded the project', async () => {
  const { ask, asked } = await opened({ servers: { fake: { ready: { kind: 'unknown' } } } });
  for (let time = 0; time < 3; time += 1) await ask();
  expect(asked()).toBe(3);
});

it('RES-08: a server that is restarted, or has died, is asked again', async () => {
  const { world, ask, asked } = await opened();
  await ask();
  await world.backend.servers.restart({}, beginCall({ time: 60_000 }));
  await ask();
  expect(asked()).toBe(2);
  process.kill(world.pids().at(-1) ?? 0, 'SIGKILL');
  await world.logged.nth(({ event }) => event === 'server_crashed');
  await ask();
  expect(asked()).toBe(3);
});

it('RES-08: what a server says that is to be started anew is in doubt, and not kept', async () => {
  const held: FakeScript = { rules: [{ on: { method: hover, nth: 1 }, do: [{ waitFor: 'fake/go' }] }] };
  const server = { ready, lives: [held, {}], restartsOn: ['*.cfg'] };
  const { world, ask, place } = await opened({ servers: { fake: server } });
  const before = new AbortController();
  const first = ask(beginCall({ time: 60_000 }, before.signal)).catch(() => {});
  await world.sent(hover);
  world.write('lib.cfg', 'other libraries\n');
  await world.workspace.refresh(beginCall({ time: 60_000 }));
  const definition = () => world.backend.ask({ kind: 'definition', place }, beginCall({ time: 60_000 }));
  const doubt = { kind: 'project_not_loaded', detail: expect.stringContaining('Call again.') };
  const problems = () => world.backend.diagnostics([place.path], beginCall({ time: 60_000 }));
  expect(await definition()).toMatchObject({ doubts: [doubt] });
  expect(await problems()).toMatchObject({ answer: [{ state: 'pending' }], doubts: [doubt] });
  expect(world.pids()).toHaveLength(1);
  before.abort();
  await first;
  expect(await definition()).toMatchObject({ doubts: [] });
  expect(await problems()).toMatchObject({ answer: [{ state: 'fresh' }], doubts: [] });
  expect(world.pids()).toHaveLength(2);
});

it('RES-08: what is asked about other text is neither kept nor answered from what is', async () => {
  const { world, ask, place } = await opened();
  const overlaid = () =>
    world.backend.overlay(
      new Map([[path.join(world.root, 'a.txt'), 'function alpha elsewhere\n']]),
      beginCall({ time: 60_000 }),
      async (answering) =>
        (await answering.ask({ kind: 'hover', place }, beginCall({ time: 60_000 }))).answer,
    );
  for (let time = 0; time < 3; time += 1) {
    expect(await ask()).not.toContain('elsewhere');
    expect((await overlaid())?.text).toContain('elsewhere');
  }
});

it('RES-08: who asks only whether there is a hover gets no text, and who wants the text is not answered from that', async () => {
  const { world, place, ask, asked } = await opened();
  const textless = { kind: 'hover', place, textless: true } as const;
  const { answer } = await world.backend.ask(textless, beginCall({ time: 60_000 }));
  expect(answer).toMatchObject({ text: '' });
  expect(await ask()).toContain('function alpha');
  expect(asked()).toBe(2);
});

it('RES-08: nothing is kept where the user wants none kept', async () => {
  const { limits } = defaultConfig;
  const { ask, asked } = await opened({ config: { limits: { ...limits, answers: 0 } } });
  for (let time = 0; time < 3; time += 1) await ask();
  expect(asked()).toBe(3);
});

const ready = { kind: 'immediate' } as const;

async function opened(setting: TestSetting = {}) {
  const world = await openTestWorld({ servers: { fake: { ready } }, ...setting });
  const place = { path: path.join(world.root, 'b.txt'), position: { line: 0, character: 1 } };
  await world.workspace.refresh(beginCall({ time: 60_000 }));
  const ask = async (call: Call = beginCall({ time: 60_000 })) =>
    (await world.backend.ask({ kind: 'hover', place }, call)).answer?.text ?? '';
  const asked = () => methodsTo(world).filter((method) => method === hover).length;
  return { world, place, ask, asked };
}

function methodsTo(world: TestWorld): readonly unknown[] {
  return world.traced.all.flatMap(({ direction, message }) =>
    direction === 'to_server' && typeof message === 'object' && message !== null && 'method' in message
      ? [message.method]
      : [],
  );
}

function isOf(message: unknown, method: string): boolean {
  return typeof message === 'object' && message !== null && 'method' in message && message.method === method;
}
