import path from 'node:path';
import { expect, it } from 'vitest';
import { beginCall } from '../../../src/core/call.ts';
import { limits } from '../../../src/core/limits.ts';
import { openTestWorld, type TestSetting, type TestWorld } from '../../test-bridge.ts';

const didOpen = 'textDocument/didOpen';
const imports = Array.from({ length: limits.warming.files + 4 }, (_, index) => `part${index}.txt`);
const files = {
  'main.txt': `${imports.map((name) => `use "./${name}"`).join('\n')}\nfunction main\n`,
  ...Object.fromEntries(imports.map((name) => [name, `function in_${name.replace('.txt', '')}\n`])),
};

it('what a file imports is opened once nobody asks, as many as may be, and answers stay the same', async () => {
  const world = await opened();
  const before = await outline(world, 'main.txt');
  await world.sent(didOpen, 1 + limits.warming.files);
  expect(await outline(world, 'main.txt')).toEqual(before);
  expect(openedPaths(world)).toEqual(['main.txt', ...imports.slice(0, limits.warming.files)]);
});

it('nothing is warmed while a question is in flight', async () => {
  const slow = { rules: [{ on: { method: 'textDocument/hover' }, do: [{ never: true } as const] }] };
  const world = await opened({ servers: { fake: { ready, lives: [slow] } } });
  const leaving = new AbortController();
  const place = { path: path.join(world.root, 'main.txt'), position: { line: 0, character: 1 } };
  const asked = world.backend.ask({ kind: 'hover', place }, beginCall({ time: 60_000 }, leaving.signal));
  const ended = asked.catch(() => {});
  await world.sent('textDocument/hover');
  await outline(world, 'main.txt');
  expect(openedPaths(world)).toEqual(['main.txt']);
  leaving.abort();
  await ended;
  await world.sent(didOpen, 2);
});

it('nothing is warmed in servers that do not profit from it, nor is one started for it', async () => {
  const world = await opened({ config: {} });
  await outline(world, 'main.txt');
  await world.backend.stop({}, beginCall({ time: 60_000 }));
  await outline(world, 'part0.txt');
  expect(openedPaths(world)).toEqual(['main.txt', 'part0.txt']);
  expect(world.pids()).toHaveLength(2);
});

it('warming ends with the workspace', async () => {
  const world = await opened();
  await outline(world, 'main.txt');
  await world.backend.close({ hurried: true });
  expect(openedPaths(world).length).toBeLessThanOrEqual(2);
});

const ready = { kind: 'immediate' } as const;

async function opened(setting: TestSetting = {}): Promise<TestWorld> {
  const config = { thrift: { share: true, warm: 'all' } } as const;
  const world = await openTestWorld({ files, servers: { fake: { ready } }, config, ...setting });
  await world.workspace.refresh(beginCall({ time: 60_000 }));
  return world;
}

async function outline(world: TestWorld, file: string): Promise<unknown> {
  const asked = { kind: 'outline', path: path.join(world.root, file) } as const;
  return world.backend.ask(asked, beginCall({ time: 60_000 }));
}

/** In the order in which they were opened. */
function openedPaths(world: TestWorld): readonly string[] {
  return world.traced.all.flatMap(({ direction, message }) => {
    const sent = JSON.stringify(message);
    if (direction !== 'to_server' || !sent.includes(`"${didOpen}"`)) return [];
    return [path.basename(/"uri":"([^"]+)"/.exec(sent)?.[1] ?? '')];
  });
}
