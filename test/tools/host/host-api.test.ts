import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../../../src/config/default-config.ts';
import type { HostApi } from '../../../src/tools/host/host-api.ts';
import { openTestBridge, type TestServer, temporaryFolder } from '../../test-bridge.ts';
import { openTestDesk } from './open-host-api.ts';

const waiting = (time: number) => ({
  limits: { ...defaultConfig.limits, readiness: time, diagnostics: time, diagnosticsCold: time },
});
/** Waits for nobody for long: for where nothing comes. */
const hasty = waiting(200);
/** Long enough for what comes on a busy machine. */
const patient = waiting(3_000);
const mute: TestServer = { lives: [{ diagnostics: 'none' }] };

/** The error that a question ends with. */
const errorOf = (asked: Promise<unknown>) =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  );

/** The places and codes of the problems of a file, such as `2:3 ERROR_x`. */
async function check(desk: HostApi, file: string, text?: string): Promise<readonly string[]> {
  const { problems } = await desk.check(file, text);
  return problems.map(({ line, column, code }) => `${line}:${column} ${code}`);
}

/** What a server that is asked for problems answers. */
const answering = (items: readonly object[]): TestServer => ({
  lives: [
    {
      rules: [{ on: { method: 'textDocument/diagnostic' }, do: [{ replyValue: { kind: 'full', items } }] }],
    },
  ],
});

const range = (line: number, from: number, to: number) => ({
  start: { line, character: from },
  end: { line, character: to },
});

describe('a check of a file', () => {
  it('returns its problems by position, counted from 1', async () => {
    const { desk } = await openTestDesk();
    const error = { severity: 'error', code: 'ERROR_x', message: 'The word ERROR_x is an error.' };
    const warning = { severity: 'warning', code: 'WARN_y', message: 'The word WARN_y is a warning.' };
    expect(await desk.check('bad.txt', undefined)).toEqual({
      file: 'bad.txt',
      problems: [
        { file: 'bad.txt', line: 2, column: 3, ...error },
        { file: 'bad.txt', line: 2, column: 11, ...warning },
      ],
      doubts: [],
    });
    expect(await desk.check('good.txt', undefined)).toEqual({ file: 'good.txt', problems: [], doubts: [] });
  });

  it('sees the disk at that moment', async () => {
    const { bridge, desk } = await openTestDesk();
    expect(await check(desk, 'bad.txt')).toHaveLength(2);
    bridge.write('bad.txt', 'fine\n');
    expect(await check(desk, 'bad.txt')).toEqual([]);
  });

  it('merges several servers in the order of the text, without duplicates, and with a code only if there is one', async () => {
    const items = [
      { range: range(1, 4, 5), severity: 2, message: 'later' },
      { range: range(1, 4, 9), severity: 2, message: 'later' },
      { range: range(1, 4, 5), severity: 1, message: 'worse' },
      { range: range(0, 0, 1), severity: 4, message: 'first', code: 7 },
    ];
    const servers = { one: answering(items), two: answering([...items].reverse()) };
    const { desk } = await openTestDesk({ servers });
    expect((await desk.check('good.txt', undefined)).problems).toEqual([
      { file: 'good.txt', line: 1, column: 1, severity: 'hint', message: 'first', code: '7' },
      { file: 'good.txt', line: 2, column: 5, severity: 'error', message: 'worse' },
      { file: 'good.txt', line: 2, column: 5, severity: 'warning', message: 'later' },
    ]);
  });

  it('makes hidden characters in a message visible', async () => {
    const items = [{ range: range(0, 0, 1), severity: 1, message: 'a\u202Eb\nc', code: 'x\ny' }];
    const { desk } = await openTestDesk({ servers: { fake: answering(items) } });
    expect((await desk.check('good.txt', undefined)).problems).toMatchObject([
      { message: 'a\\u{202e}b\nc', code: 'x\\u{a}y' },
    ]);
  });

  it('always calls a file by the same name, however it was named', async () => {
    const { bridge, desk } = await openTestDesk();
    symlinkSync('bad.txt', path.join(bridge.root, 'link.txt'));
    for (const name of ['./bad.txt', 'link.txt', path.join(bridge.root, 'bad.txt')])
      expect(await desk.check(name, undefined)).toMatchObject({
        file: 'bad.txt',
        problems: [{ file: 'bad.txt' }, {}],
      });
  });

  it('is refused for files outside, missing files, folders and files without a server: none of these has "no problems"', async () => {
    const { desk } = await openTestDesk({ files: { 'a.txt': '', 'a.md': '', 'folder/b.txt': '' } });
    const refusals: readonly (readonly [file: string, text: string | undefined, code: string])[] = [
      ['../outside.txt', undefined, 'outside_workspace'],
      ['../outside.txt', 'ERROR_x', 'outside_workspace'],
      ['lost.txt', undefined, 'not_found'],
      ['folder', 'ERROR_x', 'invalid_input'],
      ['', 'ERROR_x', 'invalid_input'],
      ['a.md', undefined, 'not_supported'],
      ['a.md', 'ERROR_x', 'not_supported'],
    ];
    for (const [file, text, code] of refusals)
      await expect(desk.check(file, text)).rejects.toMatchObject({ name: 'LspanError', code });
  });

  it('by a server that is not installed says how to install it', async () => {
    const { desk } = await openTestDesk({ servers: { fake: { command: ['/nowhere/fake'] } } });
    await expect(desk.check('bad.txt', undefined)).rejects.toMatchObject({
      code: 'not_installed',
      nextStep: expect.any(String),
    });
  });

  it('by a server that never reports is empty, with a lasting doubt', async () => {
    const { desk } = await openTestDesk({ servers: { mute }, config: hasty });
    for (const text of [undefined, 'ERROR_new'])
      expect(await desk.check('bad.txt', text)).toMatchObject({
        problems: [],
        doubts: [{ kind: 'indexing', server: 'mute', lasting: true }],
      });
  });

  it('by a server that is silent about a file, though it reports that others have no problems, is an error', async () => {
    const params = { uri: 'file://<root>/good.txt', diagnostics: [] };
    const once = { notify: { method: 'textDocument/publishDiagnostics', params } };
    const rules = [{ on: { method: 'textDocument/didOpen', nth: 1 }, do: [once] }];
    const { desk } = await openTestDesk({
      servers: { fake: { lives: [{ diagnostics: 'none', rules }] } },
      config: patient,
    });
    expect(await desk.check('good.txt', undefined)).toMatchObject({ problems: [], doubts: [] });
    for (const text of [undefined, 'ERROR_new'])
      await expect(desk.check('bad.txt', text)).rejects.toMatchObject({ code: 'server_unverified' });
  });

  it('that found nothing while a server is still loading is an error that says to repeat it', async () => {
    const loading: TestServer = { ...mute, ready: { kind: 'log', message: /loaded/ } };
    const { desk } = await openTestDesk({ servers: { loading }, config: hasty });
    const error = await errorOf(desk.check('good.txt', undefined));
    expect(error).toMatchObject({
      code: 'server_unverified',
      retryable: true,
      message: expect.stringContaining('loading may not have checked the current text of good.txt'),
      nextStep: 'Check it again in a moment.',
    });
  });

  it('that found something is returned although another server is still loading', async () => {
    const loading: TestServer = { ...mute, ready: { kind: 'log', message: /loaded/ } };
    const { desk } = await openTestDesk({ servers: { fake: {}, loading }, config: hasty });
    expect(await desk.check('bad.txt', undefined)).toMatchObject({
      problems: [{ line: 2 }, { line: 2 }],
      doubts: expect.arrayContaining([expect.objectContaining({ server: 'loading' })]),
    });
  });

  it('never returns what a server said about an older text', async () => {
    const params = {
      uri: 'file://<root>/bad.txt',
      diagnostics: [{ range: range(0, 0, 1), severity: 1, message: 'old' }],
    };
    const publish = { notify: { method: 'textDocument/publishDiagnostics', params } };
    const rules = [{ on: { method: 'textDocument/didOpen' }, do: [publish] }];
    const { bridge, desk } = await openTestDesk({
      servers: { fake: { lives: [{ diagnostics: 'none', rules }] } },
      config: patient,
    });
    expect(await check(desk, 'bad.txt')).toEqual(['1:1 undefined']);
    bridge.write('bad.txt', 'all is well\n');
    await expect(desk.check('bad.txt', undefined)).rejects.toMatchObject({
      code: 'server_unverified',
      message: expect.stringContaining('older text'),
    });
  });

  it('ends if the caller cancels or its time is over, with words for a program', async () => {
    const never = [{ on: { method: 'textDocument/diagnostic' }, do: [{ never: true as const }] }];
    const servers = { fake: { lives: [{ rules: never }] } };
    const { bridge, desk } = await openTestDesk({ servers });
    const leaving = new AbortController();
    const left = errorOf(desk.check('bad.txt', undefined, { signal: leaving.signal }));
    await bridge.sent('textDocument/diagnostic');
    leaving.abort();
    expect(await left).toMatchObject({ code: 'cancelled' });
    const brief = await openTestDesk({ servers, config: { deadlines: { get_diagnostics: 1_000 } } });
    // So that the time is not spent on the start of the server.
    await brief.bridge.call('get_document_symbols', { file_path: 'bad.txt' });
    expect(await errorOf(brief.desk.check('bad.txt', undefined))).toMatchObject({
      code: 'timed_out',
      nextStep: 'Call again; if it takes too long again, see the state of the servers.',
    });
  });
});

describe('all known problems', () => {
  it('are listed by file in alphabetical order, including files without any', async () => {
    const names = ['b.txt', 'Z.txt', 'a.txt', 'folder/a.txt', 'é.txt'];
    const files = Object.fromEntries(names.map((name, index) => [name, index % 2 ? 'fine\n' : 'ERROR_x\n']));
    const { desk } = await openTestDesk({ files });
    for (const name of names) await desk.check(name, undefined);
    const known = await desk.problems();
    expect(Object.keys(known.files)).toEqual(['Z.txt', 'a.txt', 'b.txt', 'folder/a.txt', 'é.txt']);
    expect(known.files).toMatchObject({ 'a.txt': [{ file: 'a.txt', line: 1 }], 'Z.txt': [] });
    expect(known).toMatchObject({ complete: true, doubts: [] });
  });

  it('are incomplete while a file was not checked, which is said with words for a program', async () => {
    const { desk } = await openTestDesk({ servers: { fake: { lives: [{ diagnostics: 'push' }] } } });
    await desk.check('bad.txt', undefined);
    const { files, complete, doubts } = await desk.problems();
    expect(Object.keys(files)).toEqual(['bad.txt']);
    expect(complete).toBe(false);
    expect(doubts.map(({ detail }) => detail)).toEqual([
      'fake checked only the 1 file it has opened: check others by name, such as good.txt.',
    ]);
  });

  it('omit a file that a server has not checked, which would look like one without problems', async () => {
    const { desk } = await openTestDesk({ servers: { mute }, config: hasty });
    await desk.check('bad.txt', undefined);
    expect(await desk.problems()).toMatchObject({ files: {}, complete: false });
  });

  it('are an error if no server can report any', async () => {
    const { desk } = await openTestDesk({ files: { 'a.md': '' } });
    await expect(desk.problems()).rejects.toMatchObject({ code: 'not_supported' });
  });
});

describe('a change of problems', () => {
  it('is reported with the name of the file, but not for files outside', async () => {
    const outside = `file://${temporaryFolder('lspan-outside-')}/x.txt`;
    const publish = (uri: string) => ({
      notify: {
        method: 'textDocument/publishDiagnostics',
        params: { uri, diagnostics: [{ range: range(0, 0, 1), severity: 1, message: 'bad' }] },
      },
    });
    const opened = [
      { on: { method: 'textDocument/didOpen' }, do: [publish(outside), publish('file://<root>/other.txt')] },
    ];
    const { desk } = await openTestDesk({
      servers: { fake: { lives: [{ diagnostics: 'push', rules: opened }] } },
    });
    const told: (string | undefined)[] = [];
    const both = new Promise<void>((resolve) => {
      desk.onProblems((file) => {
        told.push(file);
        if (told.includes('other.txt') && told.includes('bad.txt')) resolve();
      });
    });
    await desk.check('bad.txt', undefined);
    await both;
    expect(told.filter((file) => file !== undefined).sort()).toEqual(['bad.txt', 'other.txt']);
  });

  it('on the disk is reported without a name, until the listener is removed', async () => {
    const { bridge, desk } = await openTestDesk();
    await desk.check('bad.txt', undefined);
    const told: unknown[] = [];
    let end = () => {};
    await new Promise<void>((resolve) => {
      end = desk.onProblems((file) => {
        told.push(file);
        resolve();
      });
      bridge.write('bad.txt', 'fine\n');
    });
    end();
    const before = told.length;
    bridge.write('bad.txt', 'ERROR_again\n');
    expect(await check(desk, 'bad.txt')).toEqual(['1:1 ERROR_again']);
    expect(told).toHaveLength(before);
    expect(new Set(told)).toEqual(new Set([undefined]));
  });
});

it('every bridge with a workspace has a host API', async () => {
  const { openBridge } = await import('../../../src/bridge.ts');
  const nowhere = await openBridge({ roots: [], surface: 'lspan', log: () => {} });
  expect(nowhere.hostApi).toBeUndefined();
  expect((await openTestBridge()).hostApi).toBeDefined();
});
