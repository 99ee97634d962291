import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openBridge } from '../../../src/bridge.ts';
import { errorCodes, LspanError } from '../../../src/core/errors.ts';
import { limits } from '../../../src/core/limits.ts';
import { silent } from '../../../src/core/log.ts';
import { documentSymbols } from '../../../src/surfaces/gateway/document-symbols.ts';
import {
  type FailureCode,
  failureCodes,
  failureIn,
  failureNumbers,
} from '../../../src/surfaces/gateway/failure.ts';
import { withoutForeignPaths } from '../../../src/surfaces/gateway/foreign-paths.ts';
import { strictUri } from '../../../src/tools/host/strict-uri.ts';
import { writeCursor } from '../../../src/tools/run/cursor.ts';
import { fail } from '../../../src/tools/run/render-error.ts';
import type { Outcome } from '../../../src/tools/run/tool.ts';
import type { FakeScript } from '../../fake-server/script.ts';
import { openTestWorld, type TestSetting, temporaryFolder } from '../../test-bridge.ts';
import { type OpenGateway, openGateway } from './open-gateway.ts';

const position = { line: 0, character: 10 };
const on = (method: string, ...actions: NonNullable<FakeScript['rules']>[number]['do']): TestSetting => ({
  servers: { fake: { lives: [{ rules: [{ on: { method }, do: actions }] }] } },
});
const hover = (bridge: OpenGateway) => ['hover', { uri: bridge.uri('a.txt'), position }] as const;
const forgotten = writeCursor('vscode.lsp.diagnostics.workspace', { snapshot: '0123456789', offset: 2 });
const many = 'function alpha\n'.concat('alpha\n'.repeat(9));

/** A server that finds so many. */
function symbols(count: number): TestSetting {
  const uris = ['file://<root>/a.txt'];
  return on('workspace/symbol', { replyLarge: { kind: 'symbols', count, uris } });
}

interface Provoked {
  readonly code: FailureCode;
  readonly retryable?: boolean;
  readonly says?: RegExp;
  readonly setting?: () => TestSetting;
  readonly ask: (
    bridge: OpenGateway,
  ) => readonly [tool: string, args: object] | Promise<readonly [string, object]>;
}

async function nextPage(bridge: OpenGateway) {
  const asked = { uri: bridge.uri('a.txt'), position, pageSize: 2 };
  const { nextCursor: cursor } = await bridge.ask('references', asked);
  return { ...asked, cursor };
}

/** How each failure is met. */
const provoked: Readonly<Record<string, Provoked>> = {
  'a field that there is not': {
    code: 'INVALID_PARAMS',
    says: /^Unknown field: "x"\./,
    ask: () => ['workspaceSymbols', { query: 'a', x: 1 }],
  },
  'a field that a position does not have': {
    code: 'INVALID_PARAMS',
    says: /^Unknown field: "position\.x"\./,
    ask: ({ uri }) => ['hover', { uri: uri('a.txt'), position: { ...position, x: 1 } }],
  },
  'a line that the text does not have': {
    code: 'INVALID_PARAMS',
    ask: ({ uri }) => ['hover', { uri: uri('a.txt'), position: { line: 3, character: 0 } }],
  },
  'a character that the line does not have': {
    code: 'INVALID_PARAMS',
    ask: ({ uri }) => ['hover', { uri: uri('a.txt'), position: { line: 0, character: 15 } }],
  },
  'a page of nothing': {
    code: 'INVALID_PARAMS',
    ask: () => ['diagnostics.workspace', { pageSize: 0 }],
  },
  'a file outside': {
    code: 'WORKSPACE_DENIED',
    ask: () => ['documentSymbols', { uri: 'file:///etc/passwd' }],
  },
  'a URI that is a path': { code: 'URI_INVALID', ask: () => ['documentSymbols', { uri: 'a.txt' }] },
  'a file that is not there': {
    code: 'NOT_FOUND',
    ask: ({ uri }) => ['documentSymbols', { uri: uri('none.txt') }],
  },
  'a cursor that is none': {
    code: 'CURSOR_INVALID',
    ask: () => ['workspaceSymbols', { query: 'a', cursor: 'none' }],
  },
  'a cursor of other arguments': {
    code: 'CURSOR_INVALID',
    setting: () => ({ files: { 'a.txt': many } }),
    ask: async (bridge) => ['references', { ...(await nextPage(bridge)), includeDeclaration: true }],
  },
  'a cursor of another tool': {
    code: 'CURSOR_INVALID',
    setting: () => ({ files: { 'a.txt': many } }),
    ask: async (bridge) => ['workspaceSymbols', { query: 'a', cursor: (await nextPage(bridge)).cursor }],
  },
  'a cursor of a list that is another one now': {
    code: 'CURSOR_STALE',
    setting: () => ({ files: { 'a.txt': many } }),
    ask: async (bridge) => {
      const asked = await nextPage(bridge);
      bridge.write('a.txt', `${many}alpha\n`);
      return ['references', asked];
    },
  },
  'a cursor of a file that is gone': {
    code: 'CURSOR_STALE',
    setting: () => ({ files: { 'a.txt': many } }),
    ask: async (bridge) => {
      const asked = await nextPage(bridge);
      bridge.remove('a.txt');
      return ['references', asked];
    },
  },
  'a cursor that nobody remembers': {
    code: 'CURSOR_EXPIRED',
    ask: () => ['diagnostics.workspace', { cursor: forgotten }],
  },
  'more than lists hold': {
    code: 'SNAPSHOT_TOO_LARGE',
    setting: () => symbols(limits.results.total + 1),
    ask: () => ['workspaceSymbols', { query: 'a' }],
  },
  'a file that is too large': {
    code: 'CAP_EXCEEDED',
    setting: () => ({ files: { 'a.txt': 'a'.repeat(5 * 1024 * 1024) } }),
    ask: hover,
  },
  'a server that does not answer': {
    code: 'TIMEOUT',
    retryable: true,
    setting: () => ({ ...on('textDocument/hover', { never: true }), deadline: 1_000 }),
    ask: hover,
  },
  'a server that does not do this': {
    code: 'PROVIDER_UNAVAILABLE',
    setting: () => ({ servers: { fake: { lives: [{ capabilities: { hoverProvider: null } }] } } }),
    ask: hover,
  },
  'a server that is not installed': {
    code: 'PROVIDER_UNAVAILABLE',
    setting: () => ({ servers: { none: { command: [path.join(homeOf(), 'bin/none'), '--stdio'] } } }),
    ask: hover,
  },
  'a server that crashes': {
    code: 'PROVIDER_UNAVAILABLE',
    retryable: true,
    setting: () => on('textDocument/hover', { exit: { code: 3 } }),
    ask: hover,
  },
  'a server that contradicts itself': {
    code: 'PROVIDER_UNAVAILABLE',
    retryable: true,
    setting: () => ({
      servers: {
        fake: {
          ready: { kind: 'immediate' },
          lives: [{ rules: [{ on: { method: 'textDocument/references' }, do: [{ emptyResult: true }] }] }],
        },
      },
    }),
    ask: ({ uri }) => ['references', { uri: uri('a.txt'), position }],
  },
};

describe('failures', () => {
  it.each(Object.entries(provoked))(
    'INF-04 %s',
    async (_, { code, retryable = false, says, setting, ask }) => {
      moveHome();
      const bridge = await openGateway(setting?.());
      const [tool, args] = await ask(bridge);
      const outcome = await bridge.refuse(tool, args, code);
      expect(outcome.data).toMatchObject({
        error: { retryable, message: expect.stringMatching(says ?? /./) },
      });
      expectDiscreet(outcome, bridge.root);
    },
  );

  it('begin when a list has more items than allowed', async () => {
    const bridge = await openGateway(symbols(limits.results.total));
    const page = await bridge.ask('workspaceSymbols', { query: 'a' });
    expect(page).toMatchObject({ total: limits.results.total, complete: true });
  });

  it('without a workspace say what to do', async () => {
    const bridge = await openBridge({ roots: [], surface: 'gateway', log: silent });
    const { data } = await bridge.call('vscode.lsp.workspaceSymbols', { query: 'a' });
    const { code, nextStep } = failureIn(data);
    expect({ code, nextStep }).toEqual({
      code: 'WORKSPACE_DENIED',
      nextStep: expect.stringContaining('--workspace'),
    });
  });

  it('are short and hide no characters, whatever the names of fields', async () => {
    const bridge = await openGateway();
    const names = Array.from({ length: 2_000 }, (_, index) => `field\u202e${index}`);
    const args = Object.fromEntries(names.map((name) => [name, 1]));
    const { text } = await bridge.refuse('diagnostics.workspace', args, 'INVALID_PARAMS');
    expect(text.length).toBeLessThan(3_000);
    expect(text).toContain('field\\u{202e}0');
    expect(text).not.toContain('\u202e');
  });

  it('are each provoked above, except internal ones', () => {
    const met = new Set(Object.values(provoked).map(({ code }) => code));
    expect(Object.keys(failureNumbers).filter((code) => ![...met].some((one) => one === code))).toEqual([
      'INTERNAL',
    ]);
  });

  it('INF-04 of internal errors reveal nothing about the cause', () => {
    moveHome();
    const cause = new Error(`EACCES: permission denied, open '${homeOf()}/key'`);
    const error = new LspanError('internal', `Failed in ${homeOf()}/key.\n    at f (${homeOf()}/a.js:1:1)`, {
      cause,
    });
    const told = failureIn(fail(error).data);
    expect(told).toMatchObject({ code: 'INTERNAL', message: 'Failed in <path>.' });
    expect(failureIn({})).toMatchObject({ code: 'INTERNAL', retryable: false });
  });

  it('have a name and a number for each of our codes', () => {
    for (const code of errorCodes) expect(failureNumbers).toHaveProperty(failureCodes[code]);
    const numbers: readonly number[] = Object.values(failureNumbers);
    expect(numbers.filter((number) => number === -32002 || (number <= -32020 && number >= -32099))).toEqual(
      [],
    );
  });
});

describe('a file outside the workspace', () => {
  it('INF-05 is refused with the same words, whether it exists, does not exist, or cannot be read', async () => {
    const beyond = temporaryFolder('lspan-beyond-');
    const bridge = await openGateway();
    const uris = [
      'file:///etc/passwd',
      'file:///etc/no-such-file',
      `file://${beyond}`,
      `file://${beyond}/none/at/all.txt`,
      'file:///proc/1/environ',
      'file:///',
      `${bridge.uri('')}../../etc/passwd`,
      `file://${bridge.root}x/a.txt`,
    ];
    const texts = new Set<string>();
    for (const uri of uris) {
      const { text } = await bridge.refuse('definition', { uri, position }, 'WORKSPACE_DENIED');
      texts.add(text);
    }
    expect([...texts]).toEqual([
      'WORKSPACE_DENIED: The URI is not in the workspace.\nNext: Pass a URI of a file in the workspace.',
    ]);
    expect(bridge.received().filter(({ method }) => method?.startsWith('textDocument/'))).toEqual([]);
  });

  it('INF-05 may be one of the libraries of a language, though our own tools read them', async () => {
    const world = await openTestWorld();
    const library = temporaryFolder('lspan-library-');
    writeFileSync(path.join(library, 'lib.txt'), 'function alpha\n');
    world.workspace.addLibraryRoots([library]);
    expect(await world.workspace.resolve(`${library}/lib.txt`)).toBe(`${library}/lib.txt`);
    const options = {
      deadline: 30_000,
      maxTokens: 4_000,
      shown: 'data',
      report: () => {},
      log: silent,
    } as const;
    const { signal } = new AbortController();
    for (const uri of [`file://${library}/lib.txt`, `file://${library}/none.txt`]) {
      const { data } = await documentSymbols.run(world, { uri }, { ...options, signal });
      expect(data).toMatchObject({ error: { code: 'WORKSPACE_DENIED' } });
    }
  });
});

describe('URIs', () => {
  it.each([
    'a.txt',
    '/etc/passwd',
    './a.txt',
    'http://localhost/a.txt',
    'untitled:a.txt',
    'vscode-remote://wsl/a.txt',
    'file:a.txt',
    'file:/a.txt',
    'file://a.txt',
    'file://localhost/a.txt',
    'file://evil.example/a.txt',
    'file:////evil.example/a.txt?x',
    'file:///a.txt?query',
    'file:///a.txt#L1',
    'file:///a%2Fb.txt',
    'file:///a%5cb.txt',
    'file:///a%00.txt',
    'file:///a%zz.txt',
    'file:///a%ff.txt',
    'file:///a\nb.txt',
    'file:///a\u0000b.txt',
    'file:///a\\b.txt',
    'file:///\ud800.txt',
    '',
    ' file:///a.txt',
  ])('%j is not the URI of a file', (given) => {
    expect(strictUri(given)).toEqual({ fault: expect.stringMatching(/^[A-Z].*\.$/) });
  });

  it('have a maximum length', () => {
    expect(strictUri(`file:///${'a/'.repeat(2_100)}`)).toHaveProperty('fault');
    expect(strictUri(`file:///${'a/'.repeat(2_000)}`)).toHaveProperty('uri');
  });

  it.each([
    ['file:///w/a.txt', 'file:///w/a.txt'],
    ['FILE:///w/a.txt', 'file:///w/a.txt'],
    ['file:///w/./x/../a.txt', 'file:///w/a.txt'],
    ['file:///w//a.txt', 'file:///w/a.txt'],
    ['file:///w/%61.txt', 'file:///w/a.txt'],
    ['file:///w/ä b.txt', 'file:///w/%C3%A4%20b.txt'],
    ['file:///w/%23%3F%25.txt', 'file:///w/%23%3F%25.txt'],
    ['file:///w/%252e.txt', 'file:///w/%252e.txt'],
  ])('%s means %s', (given, uri) => {
    expect(strictUri(given)).toEqual({ uri });
  });

  it('of one file are one question, however they are spelled', async () => {
    const bridge = await openGateway({ files: { 'a.txt': many } });
    const asked = await nextPage(bridge);
    const uri = `file://${bridge.root}/./%61.txt`;
    const { items } = await bridge.ask('references', { ...asked, uri, position: { character: 10, line: 0 } });
    expect(items).toHaveLength(2);
  });
});

describe('TRN-35 invalid input', () => {
  const place = '{"line":0,"character":0}';
  it.each([
    ['a field too many', `{"uri":"URI","position":${place},"colour":"red"}`],
    ['one in the position', '{"uri":"URI","position":{"line":0,"character":0,"offset":1}}'],
    ['a prototype', `{"uri":"URI","position":${place},"__proto__":{"admin":true}}`],
    ['one in the position', '{"uri":"URI","position":{"line":0,"character":0,"__proto__":{}}}'],
    ['a constructor', `{"uri":"URI","position":${place},"constructor":{}}`],
    ['a number as a text', '{"uri":"URI","position":{"line":"0","character":0}}'],
    ['a text as a number', `{"uri":7,"position":${place}}`],
    ['a line before the first', '{"uri":"URI","position":{"line":-1,"character":0}}'],
    ['half a line', '{"uri":"URI","position":{"line":0.5,"character":0}}'],
    ['more than a line can be', '{"uri":"URI","position":{"line":2147483648,"character":0}}'],
    ['no position', '{"uri":"URI"}'],
    ['nothing', '{}'],
    ['a list', '[]'],
    ['a reference to a schema elsewhere', '{"uri":"URI","position":{"$ref":"http://evil.example/s.json"}}'],
    ['10 MB of a URI', `{"uri":"file:///${'a'.repeat(10_000_000)}","position":${place}}`],
  ])('%s is refused, and has no effect', async (_, json) => {
    const bridge = await openGateway();
    const args: object = JSON.parse(json.replace('URI', bridge.uri('a.txt')));
    const { text } = await bridge.refuse('definition', args, 'INVALID_PARAMS');
    expect(text.length).toBeLessThan(2_000);
    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false);
    expect(bridge.pids()).toEqual([]);
  });
});

it('INF-04 paths outside the roots are hidden in every text, and those inside are not', () => {
  const opens = (file: string) => file.startsWith('/w/');
  const hide = (text: string) => withoutForeignPaths(text, opens);
  expect(hide('at /w/a.ts and /home/me/x.ts.')).toBe('at /w/a.ts and <path>.');
  expect(hide('"file:///home/me/x.ts" (~/y.ts) /w/../etc/passwd')).toBe('"<path>" (<path>) <path>');
  expect(hide('and/or 1/2 C:\\Users\\me')).toBe('and/or 1/2 <path>');
  expect(hide('see https://example.org/a or file:/etc/x')).toBe('see https://example.org/a or file:<path>');
});

function homeOf(): string {
  return process.env.HOME ?? '';
}

/** A home of a user with a name that stands nowhere else. */
function moveHome(): void {
  const before = { HOME: process.env.HOME, USER: process.env.USER };
  process.env.HOME = path.join(temporaryFolder('lspan-home-'), 'cassandra');
  process.env.USER = 'cassandra';
  onTestFinished(() => void Object.assign(process.env, before));
}

/** No stack, no home, no user's name, no list of roots, and no absolute path but one in the root that the call named. */
function expectDiscreet({ text, data }: Outcome, root: string): void {
  const told = `${text}\n${JSON.stringify(data)}`.replaceAll(`file://${root}/none.txt`, '');
  expect(told).not.toMatch(/\n\s+at |node:internal|\.ts:\d|\.js:\d/);
  expect(told).not.toContain('cassandra');
  expect(told).not.toContain(root);
  const paths = told.match(/(?<![\w~./])\/[\w.-]+\/[\w./-]*/g) ?? [];
  expect(paths).toEqual([]);
}
