import { expect, it } from 'vitest';
import { beginCall } from '../../../../src/core/call.ts';
import { limits } from '../../../../src/core/limits.ts';
import { IncludeGraph } from '../../../../src/tools/mentions/unserved/include-graph.ts';
import { openTestWorld } from '../../../test-bridge.ts';

/** A graph over files, and how often it has listed the files of the workspace, or read one. */
async function openGraph(files: Readonly<Record<string, string>>) {
  const world = await openTestWorld({ files });
  const call = beginCall({ time: 60_000 });
  await world.workspace.refresh(call);
  const asked: string[] = [];
  const workspace = new Proxy(world.workspace, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return (...given: readonly unknown[]): unknown => {
        asked.push([key, ...(key === 'cached' ? given : [])].map(String).join(' '));
        return Reflect.apply(value, target, given);
      };
    },
  });
  const graph = new IncludeGraph({ ...world, workspace }, call);
  const at = (file: string) => `${world.root}/${file}`;
  const count = (what: string) => asked.filter((one) => one === what).length;
  return { graph, at, count, read: (file: string) => world.workspace.read(at(file)) };
}

it('the files of the workspace are listed once, however many files include something', async () => {
  const { graph, read, count } = await openGraph({
    'a.S': '#include <sys/a.h>\n',
    'b.S': '#include <b.h>\n#include <own.h>\n',
    'c.S': '#include <../lib/own.h>\n#include "d.h"\n',
    'd.y': '#include <other/own.h>\n',
    'lib/own.h': '',
  });
  const found = await Promise.all(
    ['a.S', 'b.S', 'c.S', 'd.y'].map(async (file) => graph.includesOwn(await read(file))),
  );
  expect(found).toEqual([false, true, true, false]);
  expect(count('files')).toBe(1);
});

it('what includes several files, however indirectly, is read once', async () => {
  const { graph, at, count } = await openGraph({
    'a.def': '',
    'b.inc': '#include "a.def"\n',
    'all.h': '#include "b.inc"\n#include <c.def>\n',
    'c.def': '',
    'main.c': '#include "../all.h"\n',
    'other.c': '/* a.def b.inc all.h c.def */\n',
  });
  expect(await graph.above(at('a.def'))).toEqual(new Set(['a.def', 'b.inc', 'all.h', 'main.c'].map(at)));
  expect(await graph.above(at('c.def'))).toEqual(new Set(['c.def', 'all.h', 'main.c'].map(at)));
  expect(await graph.includersOf(at('main.c'))).toEqual([]);
  for (const file of ['all.h', 'main.c', 'other.c']) expect(count(`cached ${at(file)}`), file).toBe(1);
});

it('files that include each other have an end', async () => {
  const { graph, at } = await openGraph({ 'a.inc': '#include "b.inc"\n', 'b.inc': '#include "a.inc"\n' });
  expect(await graph.above(at('a.inc'))).toEqual(new Set(['a.inc', 'b.inc'].map(at)));
});

it('includers are not known if more files than the limit mention the name', async () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}.c`, '#include "a.inc"\n']));
  for (const count of [limits.mentions.includers, limits.mentions.includers + 1]) {
    const { graph, at } = await openGraph({ 'a.inc': '', ...many(count) });
    const found = await graph.includersOf(at('a.inc'));
    expect(found?.length).toBe(count > limits.mentions.includers ? undefined : count);
  }
});
