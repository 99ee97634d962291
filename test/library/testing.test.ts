import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBridge, LspanError } from '../../src/index.ts';
import { type FakeMessage, fakeServer } from '../../src/testing.ts';
import { startFake } from '../fake-server/start-fake.ts';
import { temporaryFolder } from '../test-bridge.ts';

const dist = path.resolve(import.meta.dirname, '../../dist');

describe('the fake server of lspan/testing', () => {
  it('is a command that any program can start, and records the messages that it received', async () => {
    using fake = fakeServer({ positionEncoding: 'utf-8' }, { id: 'words', extensions: ['words'] });
    const told = { ready: 'immediate', confine: 'never' };
    const server = { id: 'words', command: fake.command, extensions: ['words'], ...told };
    expect(fake.server).toEqual(server);
    expect(fake.received()).toEqual([]);
    const started = start(fake.command);
    await started.initialize();
    const [asked]: readonly FakeMessage[] = fake.received('initialize');
    expect(asked).toMatchObject({ id: 1, params: { capabilities: {} } });
    expect(fake.pids()).toEqual([started.child.pid]);
  });

  it('resolves `heard` when it has read a message, before or after the call', async () => {
    using fake = fakeServer();
    const later = fake.heard('initialized');
    const started = start(fake.command);
    await started.initialize();
    started.connection.notify('initialized', { one: 1 });
    expect(await later).toMatchObject({ params: { one: 1 } });
    started.connection.notify('initialized', { two: 2 });
    expect(await fake.heard('initialized', 2)).toMatchObject({ params: { two: 2 } });
    expect(await fake.heard('initialized')).toMatchObject({ params: { one: 1 } });
  });

  it('reports violations of the protocol by its client', async () => {
    using fake = fakeServer();
    const started = start(fake.command);
    started.connection.notify('initialized', {});
    await started.initialize();
    await started.initialize();
    expect(fake.complaints()).toEqual(['initialized before initialize', 'a second initialize']);
  });

  it('takes one script per process, and the last one for all later processes', async () => {
    const says = (text: string) => ({
      rules: [{ on: { method: 'fake/echo' }, do: [{ replyValue: text }] }],
    });
    using fake = fakeServer([says('first'), says('second')]);
    const heard: unknown[] = [];
    for (const _life of [1, 2, 3]) heard.push(await start(fake.command).request('fake/echo'));
    expect(heard).toEqual(['first', 'second', 'second']);
    expect(fake.pids()).toHaveLength(3);
    expect(() => fakeServer([])).toThrow(LspanError);
  });

  it.each<[unknown, unknown, string]>([
    [{ rulez: [] }, {}, 'Did you mean rules?'],
    [{ rules: [{ on: { start: true } }] }, {}, 'rules must be a list'],
    [[{}, 5], {}, 'The settings must be'],
    [{}, { extensions: 'txt' }, 'extensions must be a list of strings'],
  ])('refuses %j with %j, which would leave a decent server', (script, options, message) => {
    expect(() => fakeServer(Object(script), Object(options))).toThrow(message);
  });

  it('rejects pending waits when it is closed', async () => {
    const fake = fakeServer();
    const waiting = Array.from({ length: 20 }, () => fake.heard('initialize'));
    fake.close();
    fake.close();
    for (const one of waiting) await expect(one).rejects.toMatchObject({ code: 'cancelled' });
    expect(fake.received()).toEqual([]);
    await expect(fake.heard('initialize')).rejects.toMatchObject({ code: 'cancelled' });
  });
});

it('a bridge uses the fake server through its configuration', async () => {
  const workspace = temporaryFolder('lspan-bridge-');
  writeFileSync(path.join(workspace, 'a.txt'), 'function alpha\nalpha\n');
  using fake = fakeServer();
  await using bridge = await createBridge({ workspace, config: { servers: [fake.server] } });
  const { data } = await bridge.call('find_definition', { file_path: 'a.txt', line: 2, character: 1 });
  expect(data).toMatchObject({
    complete: true,
    definitions: [{ file_path: 'a.txt', line: 1, character: 10 }],
  });
});

describe('the package', () => {
  it('includes lspan/lsp and lspan/testing; a program that uses them prints nothing else and ends by itself', async () => {
    const folder = temporaryFolder('lspan-consumer-');
    writeFileSync(path.join(folder, 'a.txt'), 'function alpha\nalpha\n');
    const program = path.join(folder, 'program.mjs');
    writeFileSync(program, consumer);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, dist], { cwd: folder });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      references: [
        ['a.txt', 0, 9],
        ['a.txt', 1, 0],
      ],
      doubts: [],
      error: { code: 'not_found', isLspan: true },
      complaints: [],
      last: 'exit',
      listeners: 0,
    });
  });
});

/** A program that uses the installed lspan, except for the import path. */
const consumer = `
import path from 'node:path';
import { pathToFileURL } from 'node:url';
const load = (name) => import(pathToFileURL(path.join(process.argv[2], name)));
const [{ startClient, LspanError }, { fakeServer }] = [await load('lsp.mjs'), await load('testing.mjs')];
const listeners = () => process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
const before = listeners();
const fake = fakeServer();
const client = await startClient({ workspace: '.', server: fake.server });
const place = { path: 'a.txt', position: { line: 1, character: 0 } };
const { answer, doubts } = await client.ask({ kind: 'references', place });
const error = await client.ask({ kind: 'outline', path: 'none.txt' }).catch((thrown) => thrown);
const added = listeners() - before;
await client.close();
console.log(JSON.stringify({
  references: answer.map(({ path: file, range: { start } }) => [path.basename(file), start.line, start.character]),
  doubts,
  error: { code: error.code, isLspan: error instanceof LspanError },
  complaints: fake.complaints(),
  last: fake.received().at(-1).method,
  listeners: added,
}));
fake.close();
`;

/** Starts a process like a program under test would, and ends it with the test. */
function start(command: readonly string[]) {
  const started = startFake({}, { command });
  onTestFinished(() => started.stop());
  return started;
}
