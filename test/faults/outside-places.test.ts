import * as realFs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import type { Action, FakeScript } from '../fake-server/script.ts';
import { ask, expectError, expectInOrder, openTestBridge, temporaryFolder } from '../test-bridge.ts';

/** What was asked of the disk, by path. */
const asked: string[] = vi.hoisted(() => []);

vi.mock('node:fs', async (original) => {
  const real = await original<typeof realFs>();
  const noting = Object.entries(real).map(([name, value]) => {
    if (typeof value !== 'function' || !name.endsWith('Sync')) return [name, value];
    const note = (...args: unknown[]) => {
      asked.push(String(args[0]));
      return Reflect.apply(value, real, args);
    };
    return [name, Object.assign(note, value)];
  });
  return { ...real, ...Object.fromEntries(noting) };
});

const definition = 'textDocument/definition';
const open = (...actions: Action[]) => {
  const script: FakeScript = { rules: [{ on: { method: definition, nth: 1 }, do: actions }] };
  return openTestBridge({ servers: { fake: { lives: [script] } } });
};
const secret = 'the secret words';
const secretFile = () => {
  const file = path.join(temporaryFolder('lspan-outside-'), 'secret.txt');
  realFs.writeFileSync(file, `${secret}\n`);
  return file;
};

describe('BND-18 a place outside the workspace that a server names', () => {
  const uris: readonly [string, (file: string) => string][] = [
    ['a file of the system', () => 'file:///etc/passwd'],
    ['a file elsewhere', (file) => pathToFileURL(file).href],
    ['a way up', (file) => `file:///a/b/../..${file}`],
    ['a way out of the workspace', () => 'file://<root>/../../etc/passwd'],
    ['an encoded way up', (file) => `file:///a/%2e%2e${file}`],
    ['another machine', (file) => `file://host${file}`],
    ['a scheme of an editor', (file) => `vscode-remote://ssh${file}`],
    ['a web page', () => 'https://example.com/secret.txt'],
    ['an archive', (file) => `jar:file://${file}!/a.txt`],
    ['a document without a file', () => 'untitled:secret.txt'],
    ['something that is no URI', () => 'secret.txt'],
  ];
  it.each(uris)('%s is shown without its text, and the disk is not asked about it', async (_what, uriOf) => {
    const bridge = await open({ outsideUri: { uri: uriOf(secretFile()) } });
    asked.length = 0;
    const { data, text } = await ask(bridge);
    const touched = asked.filter((each) => each.includes('secret') || each.startsWith('/etc/'));
    expect(asked).toContain(path.join(bridge.root, 'b.txt'));
    expect(touched).toEqual([]);
    expect(data).toMatchObject({ total: 1, definitions: [{ external: 'outside', line: 1, character: 1 }] });
    expect(data.definitions).toEqual([expect.not.objectContaining({ text: expect.anything() })]);
    expect(text).toContain('[external outside]');
    expect(text).not.toContain(secret);
    await expectInOrder(bridge);
  });

  it('is not read through a link in the workspace either', async () => {
    const bridge = await open({ outsideUri: { uri: 'file://<root>/link.txt' } });
    const file = secretFile();
    realFs.symlinkSync(file, path.join(bridge.root, 'link.txt'));
    asked.length = 0;
    const { data, text } = await ask(bridge);
    expect(data).toMatchObject({ definitions: [{ external: 'outside' }] });
    expect(text).not.toContain(secret);
    expect(asked).not.toContain(file);
    expectError(
      await bridge.call('get_hover', { file_path: 'link.txt', line: 1, character: 1 }),
      'outside_workspace',
    );
    await expectInOrder(bridge);
  });
});

it('BND-20 an edit that nobody asked for is refused, and nothing is written', async () => {
  const start = { line: 0, character: 0 };
  const edit = {
    documentChanges: [
      { kind: 'create', uri: 'file://<root>/new.txt' },
      {
        textDocument: { uri: 'file://<root>/a.txt', version: null },
        edits: [{ range: { start, end: start }, newText: 'unasked' }],
      },
    ],
  };
  const bridge = await open({ request: { method: 'workspace/applyEdit', params: { edit } } });
  await expectInOrder(bridge);
  const answers = bridge.received().filter(({ method }) => method === undefined);
  expect(answers).toMatchObject([{ result: { applied: false } }]);
  expect(realFs.readdirSync(bridge.root)).toEqual(['a.txt', 'b.txt']);
  expect(realFs.readFileSync(path.join(bridge.root, 'a.txt'), 'utf8')).not.toContain('unasked');
});
