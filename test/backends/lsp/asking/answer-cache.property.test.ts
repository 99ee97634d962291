import { existsSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { defaultConfig } from '../../../../src/config/default-config.ts';
import type { Answering } from '../../../../src/core/backend.ts';
import { beginCall } from '../../../../src/core/call.ts';
import type { Place } from '../../../../src/core/question.ts';
import { openTestWorld, type TestWorld } from '../../../test-bridge.ts';
import { withSeed } from '../../../with-seed.ts';

const names = ['a.txt', 'b.txt', 'c.txt'];
const files = { 'a.txt': 'function alpha\n', 'b.txt': 'alpha beta\n', 'c.txt': 'function beta\nalpha\n' };
const texts = ['function alpha\n', 'beta\nfunction alpha\n', 'alpha beta\n', 'function beta\nalpha\n', '\n'];

/** One thing that happens: somebody edits, asks, or ends a server. */
const event = fc.oneof(
  { weight: 2, arbitrary: fc.tuple(fc.constant('write'), fc.nat(2), fc.nat(texts.length - 1)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('remove'), fc.nat(2), fc.constant(0)) },
  { weight: 12, arbitrary: fc.tuple(fc.constant('ask'), fc.nat(1), fc.nat(3)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('ask at once'), fc.nat(1), fc.nat(3)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('overlay'), fc.nat(2), fc.nat(texts.length - 1)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('restart'), fc.constant(0), fc.constant(0)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('kill'), fc.constant(0), fc.constant(0)) },
);

it('RES-08: who keeps and shares answers says what who asks each time says, whatever happens', {
  timeout: 240_000,
}, async () => {
  const ready = { kind: 'immediate' } as const;
  const none = {
    limits: { ...defaultConfig.limits, answers: 0 },
    cache: { share: false },
  };
  const cached = await openTestWorld({ files, servers: { fake: { ready } } });
  const plain = await openTestWorld({ files, servers: { fake: { ready } }, config: none });
  const both = [cached, plain];
  let spared = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 20, maxLength: 60 }), async (events) => {
      for (const [what, file, choice] of events) {
        const heard = await Promise.all(both.map((world) => happen(world, what, file, choice)));
        expect(heard[0]).toEqual(heard[1]);
      }
      const [few, many] = both.map(questions);
      spared = (many ?? 0) - (few ?? 0);
    }),
    withSeed({ numRuns: 10, endOnFailure: true }),
  );
  // Had nothing been kept or shared, the test would prove nothing.
  expect(spared).toBeGreaterThan(0);
});

async function happen(world: TestWorld, what: string, file: number, choice: number): Promise<unknown> {
  const name = names[file] ?? '';
  const call = beginCall({ time: 60_000 });
  if (what === 'write') world.write(name, texts[choice] ?? '');
  else if (what === 'remove') removed(world, name);
  else if (what === 'restart') await world.backend.servers.restart({}, call);
  else if (what === 'kill') await killed(world);
  else if (what === 'overlay') return overlaid(world, name, texts[choice] ?? '');
  else if (what === 'ask') return answered(world, name, choice);
  else return Promise.all([1, 2, 3].map(() => answered(world, name, choice)));
  return undefined;
}

/** What is answered after the barrier. */
async function answered(world: TestWorld, name: string, choice: number): Promise<string> {
  await world.workspace.refresh(beginCall({ time: 60_000 }));
  return told(world, world.backend, name, choice);
}

/** The same with another text of the file. */
async function overlaid(world: TestWorld, name: string, text: string): Promise<string> {
  const call = beginCall({ time: 60_000 });
  await world.workspace.refresh(call);
  const file = path.join(world.root, name);
  return world.backend.overlay(new Map([[file, text]]), call, (answering) => told(world, answering, name, 2));
}

/** An answer as text, without the root; an error is one too. */
function told(world: TestWorld, answering: Answering, name: string, choice: number): Promise<string> {
  return asked(answering, path.join(world.root, name), choice).then(
    ({ answer }) => JSON.stringify(answer ?? null).replaceAll(world.root, ''),
    (error) => String(error.code),
  );
}

function asked(answering: Answering, file: string, choice: number): Promise<{ readonly answer: unknown }> {
  const call = beginCall({ time: 60_000 });
  const place: Place = { path: file, position: { line: 0, character: 1 } };
  if (choice === 0) return answering.ask({ kind: 'outline', path: file }, call);
  if (choice === 1) return answering.ask({ kind: 'definition', place }, call);
  if (choice === 2) return answering.ask({ kind: 'references', place }, call);
  return answering.ask({ kind: 'symbols', query: 'alpha' }, call);
}

function removed(world: TestWorld, name: string): void {
  if (existsSync(path.join(world.root, name))) world.remove(name);
}

/** Ends the latest process, if it still runs, and waits until that has been noticed. */
async function killed(world: TestWorld): Promise<void> {
  const [server] = await world.backend.servers.status();
  if (server?.pid === undefined) return;
  const isCrash = ({ event }: { readonly event: string }) => event === 'server_crashed';
  const before = world.logged.all.filter(isCrash).length;
  process.kill(server.pid, 'SIGKILL');
  await world.logged.nth(isCrash, before + 1);
  // Many deaths in a row are not what is meant here.
  await world.backend.servers.restart({}, beginCall({ time: 60_000 }));
}

function questions(world: TestWorld): number {
  return world.traced.all.filter(({ direction, message }) => direction === 'to_server' && isQuestion(message))
    .length;
}

function isQuestion(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'method' in message && 'id' in message;
}
