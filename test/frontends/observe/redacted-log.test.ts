import { randomBytes, randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { LspanError } from '../../../src/core/errors.ts';
import { createLog } from '../../../src/frontends/observe/log.ts';
import { redactedLog } from '../../../src/frontends/observe/redacted-log.ts';
import { canaryScan } from '../../canary-scan.ts';

const roots = ['/code/my project', '/code/other'];
const formats = ['human', 'json'] as const;

function write(format: 'human' | 'json', fields: Readonly<Record<string, unknown>>, grounds = roots): string {
  const written: string[] = [];
  const style = redactedLog(grounds);
  createLog({ level: 'debug', format, style, write: (line) => written.push(line) })(
    'info',
    'http.test',
    fields,
  );
  return written.join('');
}

function json(fields: Readonly<Record<string, unknown>>, grounds = roots) {
  return JSON.parse(write('json', fields, grounds)).fields;
}

/** Every way in which content of a client could be logged. */
function everyWay(value: string): Readonly<Record<string, unknown>> {
  const names = [
    'address',
    'at',
    'body',
    'client',
    'code',
    'error',
    'event',
    'file',
    'from',
    'header',
    'holder',
  ];
  const more = [
    'id',
    'message',
    'method',
    'name',
    'path',
    'reason',
    'roots',
    'route',
    'rpc',
    'server',
    'session',
  ];
  const rest = ['stack', 'state', 'text', 'thrown', 'tool', 'uri', 'url', 'version', 'warning', 'why', value];
  const error = Object.assign(new Error(value), { code: value });
  error.name = value;
  const fields = [...names, ...more, ...rest].map((name) => [name, value]);
  const nested = [...names, ...more, ...rest].map((name) => [name, [{ [name]: [value] }]]);
  return {
    ...Object.fromEntries(fields),
    nested: Object.fromEntries(nested),
    headers: { authorization: `Bearer ${value}`, 'mcp-session-id': value, [value]: value },
    map: new Map([[value, new Set([value])]]),
    error,
    thrown: new LspanError('internal', value, { cause: error }),
    cause: new SyntaxError(`Unexpected token, "${value.slice(0, 20)}"... is not valid JSON`),
    buffer: Buffer.from(value),
    fn: () => value,
  };
}

describe('the redacted log', () => {
  it('INF-01 shows no token and no session id, wherever they occur', () => {
    const token = randomBytes(32).toString('base64url');
    const session = randomUUID();
    const spoken = (secret: string) => [
      secret,
      `Bearer ${secret}`,
      `bearer  ${secret}, x`,
      `/a/${secret}/b`,
      `?t=${secret}`,
    ];
    for (const secret of [token, session])
      for (const format of formats)
        for (const said of spoken(secret))
          expect(canaryScan(secret, { log: write(format, everyWay(said)) })).toEqual([]);
  });

  it('INF-01 shows nothing of a body', () => {
    const body =
      '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"get_hover","text":"my own words"}}';
    for (const format of formats)
      expect(write(format, { body, error: body, message: body, headers: { body } })).not.toMatch(
        /own words|jsonrpc/,
      );
    expect(json({ body })).toEqual({ body: `[${body.length} characters]` });
  });

  it.each(formats)('INF-11 no value of a header forges a line in the format %s', (format) => {
    const hostile = 'x\r\n12:00:00.000 info  http.started\u001b[2K\u2028\u0085{"level":"error"}\u202e';
    const line = write(format, everyWay(hostile));
    expect(line.indexOf('\n')).toBe(line.length - 1);
    expect(line.slice(0, -1)).toMatch(/^[\x20-\x7e]+$/);
  });

  it('shows paths relative to their root, and none outside the roots', () => {
    expect(
      json({
        roots,
        file: '/code/my project/src/a.ts',
        uri: 'file:///code/my%20project/src/b.ts',
        path: '/code/my project/../secret/c.ts',
        from: [
          '/code/other/d.ts',
          'file:///code/other/%2e%2e/e.ts',
          '/code/otherwise',
          'https://example.org/',
        ],
      }),
    ).toEqual({
      roots: ['my project/.', 'other/.'],
      file: 'my project/src/a.ts',
      uri: 'my project/src/b.ts',
      path: '(outside)',
      from: ['other/d.ts', '(outside)', '(outside)', '(outside)'],
    });
    expect(json({ file: '/code/one/a.ts', root: '/code/one' }, ['/code/one'])).toEqual({
      file: 'a.ts',
      root: '.',
    });
  });

  it('INF-04 keeps our own sentences except for paths in them', () => {
    const why = `The file ${homedir()}/.local/state/x is open to others, unlike "/code/my project/a.ts" and C:\\Users\\x.`;
    expect(json({ why }).why).toBe(
      'The file (outside) is open to others, unlike "my project/a.ts" and (outside)',
    );
    expect(json({ why: 'and/or 1/2 of src/a.ts' }).why).toBe('and/or 1/2 of src/a.ts');
  });

  it('keeps the facts of an event', () => {
    const fields = {
      route: 'endpoint',
      method: 'POST',
      status: 200,
      ms: 1.5,
      bytes_in: 10,
      late: false,
      server: 'pyright',
    };
    expect(
      json({ ...fields, why: 'hostCount', tool: 'vscode.lsp.hover', address: '127.0.0.1', endpoint: '/mcp' }),
    ).toEqual({
      ...fields,
      why: 'hostCount',
      tool: 'vscode.lsp.hover',
      address: '127.0.0.1',
      endpoint: '/mcp',
    });
  });

  it('shows the name and source line of an error, not its message', () => {
    const cause = Object.assign(new TypeError('/etc/secret\n    at forged.js:1:1'), { code: 'ENOENT' });
    expect(json({ error: new LspanError('busy', 'Wait for me.', { cause }) })).toEqual({
      error: {
        code: 'busy',
        cause: {
          name: 'TypeError',
          code: 'ENOENT',
          at: expect.stringMatching(/^redacted-log\.test\.ts:\d+:\d+$/),
        },
      },
    });
  });
});
