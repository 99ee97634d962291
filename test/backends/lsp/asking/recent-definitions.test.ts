import path from 'node:path';
import { expect, it } from 'vitest';
import { defaultConfig } from '../../../../src/config/default-config.ts';
import { beginCall } from '../../../../src/core/call.ts';
import type { FakeScript, Rule } from '../../../fake-server/script.ts';
import { openTestWorld, type TestSetting } from '../../../test-bridge.ts';

const definition = 'textDocument/definition';
const ready = { kind: 'immediate' } as const;
const told = { method: 'window/logMessage', params: { type: 3, message: 'Indexed.' } };

it('RES-08: where a name is defined that a search for uses asked about is not asked again', async () => {
  const { search, define, asked } = await opened();
  await search();
  const before = asked();
  expect(before).toBeGreaterThan(0);
  expect(await define()).toMatchObject([{ range: { start: { line: 0, character: 9 } } }]);
  expect(asked()).toBe(before);
});

it('RES-08: a search for uses asks again where a name is defined after a change to any file', async () => {
  const { world, search, define, asked } = await opened();
  await search();
  const before = asked();
  world.write('d.txt', 'something else\n');
  await world.workspace.refresh(beginCall({ time: 60_000 }));
  await define();
  expect(asked()).toBe(before + 1);
});

it('RES-08: and after the text itself has changed, which has another answer', async () => {
  const { world, search, define } = await opened();
  await search();
  world.write('a.txt', 'first\nfunction alpha\n');
  await world.workspace.refresh(beginCall({ time: 60_000 }));
  expect(await define()).toMatchObject([{ range: { start: { line: 1, character: 9 } } }]);
});

it('RES-08: and after the server has said something, for it may know more now', async () => {
  const speaks: Rule = { on: { method: definition }, do: [{ reply: 'auto' }, { notify: told }] };
  const { world, search, define, asked } = await opened({ rules: [speaks] });
  await search();
  const before = asked();
  await world.traced.nth(({ message }) => isOf(message, told.method), before);
  await define();
  expect(asked()).toBe(before + 1);
});

it('RES-08: a server that found nothing is asked again', async () => {
  const empty: Rule = { on: { method: definition }, do: [{ replyValue: [] }] };
  const { search, define, asked } = await opened({ rules: [empty] });
  await search();
  const before = asked();
  await define();
  expect(asked()).toBeGreaterThan(before);
});

it('RES-08: what is asked about other text is not answered from what is known', async () => {
  const { world, place, search, asked } = await opened();
  await search();
  const before = asked();
  const call = beginCall({ time: 60_000 });
  const texts = new Map([[path.join(world.root, 'a.txt'), 'first\nfunction alpha\n']]);
  const found = await world.backend.overlay(texts, call, (overlaid) =>
    overlaid.ask({ kind: 'definition', place }, call),
  );
  expect(found.answer).toMatchObject([{ range: { start: { line: 1, character: 9 } } }]);
  expect(asked()).toBe(before + 1);
});

it('RES-08: every definition is asked for where the user wants no answers kept', async () => {
  const { limits } = defaultConfig;
  const { search, define, asked } = await opened({}, { config: { limits: { ...limits, answers: 0 } } });
  await search();
  const before = asked();
  await define();
  expect(asked()).toBe(before + 1);
});

const listed = [
  { uri: 'file://<root>/a.txt', range: rangeFrom(9) },
  { uri: 'file://<root>/b.txt', range: rangeFrom(0) },
];
const some: Rule = { on: { method: 'textDocument/references' }, do: [{ replyValue: listed }] };

function rangeFrom(character: number) {
  return { start: { line: 0, character }, end: { line: 0, character: character + 5 } };
}

/** A server that lists no use in c.txt, so that a search asks what the name there means. */
async function opened(script: FakeScript = {}, setting: TestSetting = {}) {
  const files = { 'a.txt': 'function alpha\n', 'b.txt': 'alpha\n', 'c.txt': 'alpha here\n', 'd.txt': '\n' };
  const lives = [{ ...script, rules: [...(script.rules ?? []), some] }];
  const world = await openTestWorld({ files, servers: { fake: { ready, lives } }, ...setting });
  const fileOf = (name: string) => path.join(world.root, name);
  await world.workspace.refresh(beginCall({ time: 60_000 }));
  const place = { path: fileOf('c.txt'), position: { line: 0, character: 0 } };
  const start = { path: fileOf('b.txt'), position: { line: 0, character: 0 } };
  const search = () => world.backend.ask({ kind: 'references', place: start }, beginCall({ time: 60_000 }));
  const define = async () =>
    (await world.backend.ask({ kind: 'definition', place }, beginCall({ time: 60_000 }))).answer;
  const asked = () =>
    world.traced.all.filter(({ direction, message }) => direction === 'to_server' && isAt(message)).length;
  return { world, place, search, define, asked };
}

/** A request for the definition of the name in c.txt. */
function isAt(message: unknown): boolean {
  return isOf(message, definition) && JSON.stringify(message).includes('c.txt');
}

function isOf(message: unknown, method: string): boolean {
  return typeof message === 'object' && message !== null && 'method' in message && message.method === method;
}
