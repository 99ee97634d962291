import { describe, expect, it } from 'vitest';
import type { FakeScript } from '../fake-server/script.ts';
import { expectInOrder, openTestBridge, type TestBridge } from '../test-bridge.ts';

const announced = (bridge: TestBridge) =>
  bridge.received().filter(({ method }) => method === 'workspace/didChangeWatchedFiles');
const simplified = (bridge: TestBridge) =>
  bridge.logged.all.filter(({ event }) => event === 'watching_everything');

/** Changes a file that the server does not serve, and gives what it was told. */
async function toldOf(bridge: TestBridge, file: string): Promise<string> {
  await expectInOrder(bridge);
  bridge.write(file, 'changed\n');
  await expectInOrder(bridge);
  return JSON.stringify(announced(bridge));
}

describe('PRO-25 a server that wants to watch', () => {
  const open = (watch: readonly string[]) => {
    const script: FakeScript = { watch };
    return openTestBridge({ servers: { fake: { lives: [script] } } });
  };

  it('some files is told of them, and of no others', async () => {
    const bridge = await open(['**/*.{cfg,ini}']);
    expect(await toldOf(bridge, 'x/y.ini')).toContain('x/y.ini');
    expect(await toldOf(bridge, 'x/y.other')).not.toContain('y.other');
    expect(simplified(bridge)).toEqual([]);
  });

  it('everything is told of everything', async () => {
    const bridge = await open(['**/*']);
    expect(await toldOf(bridge, 'x/y.other')).toContain('x/y.other');
    expect(simplified(bridge)).toEqual([]);
  });

  it('everything is told of folders that come with files, the outer ones first, and of no others', async () => {
    const bridge = await open(['**/*']);
    await toldOf(bridge, 'old/a.other');
    const before = announced(bridge).length;
    await toldOf(bridge, 'old/b.other');
    await toldOf(bridge, 'old/new/newer/c.other');
    const told = announced(bridge).slice(before);
    const names = told.map(({ params }) => [...JSON.stringify(params).matchAll(/project-\w+\/([^"]*)/g)]);
    expect(names.map((found) => found.map(([, name]) => name))).toEqual([
      ['old/b.other'],
      ['old/new', 'old/new/newer', 'old/new/newer/c.other'],
    ]);
  });

  const greedy: readonly [string, readonly string[]][] = [
    ['10,000 globs', Array.from({ length: 10_000 }, (_, index) => `**/${index}.*`)],
    ['alternatives that multiply', ['{a,b}'.repeat(40)]],
    ['a pattern of a megabyte', ['a'.repeat(1 << 20)]],
    ['what is no pattern', ['**/{a', '**/[b']],
  ];
  it.each(greedy)('%s is told of everything, which the log tells once', async (_what, watch) => {
    const bridge = await open(watch);
    expect(await toldOf(bridge, 'x/y.other')).toContain('x/y.other');
    expect(simplified(bridge)).toEqual([{ event: 'watching_everything', fields: { server: 'fake' } }]);
  });

  it('stars that would be tried in turn for ever is told of what they mean', async () => {
    const bridge = await open([`**/${'*a'.repeat(60)}b`, `${'**/x*/'.repeat(60)}y`]);
    const name = `${'a'.repeat(200)}.other`;
    expect(await toldOf(bridge, `${'x/'.repeat(60)}${name}`)).not.toContain(name);
    expect(await toldOf(bridge, `${'a'.repeat(200)}b`)).toContain('ab"');
    expect(simplified(bridge)).toEqual([]);
  });
});
