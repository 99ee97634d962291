import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withSeed } from '../../../with-seed.ts';
import { believed, type OverlayWorld, openOverlayWorld } from '../control/asking.ts';

const names = ['a.txt', 'b.txt', 'new.txt', 'folder/deep.txt'] as const;
const file = fc.constantFrom(...names);
/** A declaration of `alpha` in some line, with what else a text may hold. */
const text = fc
  .tuple(fc.integer({ min: 0, max: 6 }), fc.constantFrom('', '\uFEFF', '𝒳\r\n', 'ERROR_x\n'))
  .map(([lines, more]) => `${more}${'\n'.repeat(lines)}function alpha\n`);

/** One thing that a program around lspan, the user, the system or an agent does. */
const deed = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('hold' as const), file, text }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('give' as const), file }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('write' as const), file, text }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), file }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('overlay' as const), file, text }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('ask' as const), file }) },
);
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

/** What files hold, for who asks: what is held, else the disk's. */
class Model {
  readonly held = new Map<string, string>();
  readonly killed = new Set<number>();
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  text(name: string): string | undefined {
    const at = path.join(this.#root, name);
    return this.held.get(name) ?? (existsSync(at) ? readFileSync(at, 'utf8') : undefined);
  }
}

function withoutMark(whole: string | undefined): string | undefined {
  return whole?.replace(/^\uFEFF/, '');
}

/** At a question, the server has every held text open, and believes nothing that is not so. */
function expectBelief(world: OverlayWorld, model: Model, laid: Readonly<Record<string, string>> = {}): void {
  const texts = new Map(
    [...believed(world.received())].map(([uri, belief]) => [
      path.relative(world.root, fileURLToPath(uri)),
      belief,
    ]),
  );
  for (const [name, belief] of texts)
    expect({ name, belief }).toEqual({ name, belief: withoutMark(laid[name] ?? model.text(name)) });
  for (const name of model.held.keys()) expect([...texts.keys()]).toContain(name);
}

async function problems(
  world: OverlayWorld,
  name: string,
  who = world.backend as Parameters<OverlayWorld['problemsOf']>[0],
) {
  return world.problemsOf(who, name).catch((error) => error.code);
}

function expected(name: string, whole: string | undefined): unknown {
  if (whole === undefined) return 'not_found';
  const lines = withoutMark(whole)?.split(/\r\n|\n|\r/) ?? [];
  const found = lines.flatMap((line, index) => (line === 'ERROR_x' ? [`${index}:0 ERROR_x`] : []));
  return [[name, 'fresh', ...found].join(' ')];
}

async function run(world: OverlayWorld, model: Model, one: Deed): Promise<void> {
  const { workspace, backend, call } = world;
  if (one.do === 'hold') {
    workspace.hold(one.file, one.text);
    model.held.set(one.file, one.text);
  } else if (one.do === 'give') {
    workspace.hold(one.file, undefined);
    model.held.delete(one.file);
  } else if (one.do === 'write') world.write(one.file, one.text);
  else if (one.do === 'remove') {
    if (existsSync(path.join(world.root, one.file))) world.remove(one.file);
  } else if (one.do === 'kill') {
    const pid = world.pids().at(-1);
    // One that crashes more often is left alone for a while.
    if (pid === undefined || model.killed.has(pid) || model.killed.size === 2) return;
    model.killed.add(pid);
    process.kill(pid, 'SIGKILL');
    await world.logged.nth(({ event }) => event === 'server_crashed', model.killed.size);
  } else if (one.do === 'restart') await backend.servers.restart({}, call);
  else if (one.do === 'ask') {
    await workspace.refresh(call);
    expect(await problems(world, one.file)).toEqual(expected(one.file, model.text(one.file)));
    if (model.text(one.file) !== undefined) expectBelief(world, model);
  } else {
    await workspace.refresh(call);
    await world.overlay({ [one.file]: one.text }, async (overlaid) => {
      expect(await problems(world, one.file, overlaid)).toEqual(expected(one.file, one.text));
      expectBelief(world, model, { [one.file]: one.text });
    });
  }
}

it.each([
  ['is told of changes', {}],
  ['reads only what is open', { readsOnlyOpen: true }],
  ['publishes problems by itself', { lives: [{ diagnostics: 'push' as const }] }],
])(
  'a server that %s believes the disk and what is held of it at each question, whatever happens in between',
  {
    timeout: 120_000,
  },
  async (_how, server) => {
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 10, maxLength: 30 }), async (deeds) => {
        const files = { 'a.txt': 'function alpha\n', 'b.txt': 'alpha beta\n' };
        const world = await openOverlayWorld({
          files,
          servers: { fake: { extensions: ['txt'], ...server } },
        });
        const model = new Model(world.root);
        for (const one of deeds) await run(world, model, one);
        for (const name of names) await run(world, model, { do: 'ask', file: name });
        for (const name of names) await run(world, model, { do: 'give', file: name });
        for (const name of names) await run(world, model, { do: 'ask', file: name });
      }),
      withSeed({ numRuns: 3, endOnFailure: true }),
    );
  },
);

/** Texts that come one after the other, with who asks in between: about that of the moment, or under an overlay. */
const moment = fc.record({
  does: fc.constantFrom('hold', 'hold', 'give', 'ask', 'ask', 'ask', 'overlay'),
  pause: fc.integer({ min: 0, max: 4 }),
});

it('nobody of many who ask at once is answered about an older text than was held when it asked', {
  timeout: 120_000,
}, async () => {
  const world = await openOverlayWorld();
  await world.definition();
  let held = 0;
  const ask = async (least: number) => ({ least, found: await world.definition() });
  const overlay = (texts: Readonly<Record<string, string>>) =>
    world.overlay(texts, async (overlaid) => ({ least: 0, found: await world.definition(overlaid) }));
  const run = (does: string) => {
    // Later texts have the declaration further to the right, those of the disk and of overlays at the left.
    if (does === 'hold') world.workspace.hold('a.txt', `${' '.repeat(++held)}function alpha ${tail}`);
    if (does === 'give') world.workspace.hold('b.txt', held % 2 ? undefined : 'alpha held\n');
    if (does === 'ask') return ask(held);
    return does === 'overlay' ? overlay({ 'a.txt': `function alpha ${tail}` }) : undefined;
  };
  await fc.assert(
    fc.asyncProperty(fc.array(moment, { minLength: 60, maxLength: 60 }), async (moments) => {
      const asked: ReturnType<typeof run>[] = [];
      for (const { does, pause } of moments) {
        for (let turn = 0; turn < pause; turn += 1) await setImmediate();
        asked.push(run(does));
      }
      for (const one of await Promise.all(asked)) {
        const column = Number(/^a\.txt 0:(\d+)$/.exec(one?.found.join() ?? '')?.[1]);
        if (one) expect({ ...one, isOlder: !(column - 9 >= one.least) }).toMatchObject({ isOlder: false });
      }
      expect(await world.definition()).toEqual([`a.txt 0:${held + 9}`]);
    }),
    withSeed({ numRuns: 5, endOnFailure: true }),
  );
});

/** So that every position of any of the texts is one of all of them. */
const tail = '.'.repeat(500);
