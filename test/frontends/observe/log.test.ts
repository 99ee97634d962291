import { describe, expect, it } from 'vitest';
import { LspanError } from '../../../src/core/errors.ts';
import { limits } from '../../../src/core/limits.ts';
import type { LogLevel } from '../../../src/core/log.ts';
import { createLog } from '../../../src/frontends/observe/log.ts';

/** Returns the lines that a log writes for events with these fields. */
function write(
  format: 'human' | 'json',
  fields: Readonly<Record<string, unknown>>,
  level: LogLevel = 'warn',
): string {
  const written: string[] = [];
  const now = () => new Date(2026, 0, 2, 12, 3, 4, 56);
  createLog({ level: 'warn', format, write: (line) => written.push(line), now })(
    level,
    'server_died',
    fields,
  );
  return written.join('');
}

function json(fields: Readonly<Record<string, unknown>>) {
  return JSON.parse(write('json', fields));
}

const hostile = 'a\nb\r\u001b[31m\u202e\u2028\u2066\u200b\ufeff\u009b\ud800\u{e0041}"\\ =';

describe('the log', () => {
  it('writes one line for people', () => {
    expect(write('human', { server: 'pyright', code: 1, note: 'two words', list: [1, 'x'] })).toBe(
      '12:03:04.056 warn  server_died server=pyright code=1 note="two words" list=[1,"x"]\n',
    );
  });

  it('does not grow if it is not read, and logs how many lines were lost', () => {
    const written: string[] = [];
    let isFull = false;
    const options = { level: 'warn', format: 'json', isFull: () => isFull } as const;
    const log = createLog({ ...options, write: (line) => written.push(line) });
    log('warn', 'one');
    isFull = true;
    for (const level of ['warn', 'error', 'debug'] as const) log(level, 'lost');
    isFull = false;
    log('debug', 'not shown');
    log('warn', 'two');
    log('warn', 'three');
    expect(written.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'one' },
      { level: 'warn', event: 'log_not_read', fields: { lost: 2 } },
      { event: 'two' },
      { event: 'three' },
    ]);
  });

  it('writes one JSON object per line', () => {
    const time = new Date(2026, 0, 2, 12, 3, 4, 56).toISOString();
    expect(json({ server: 'pyright' })).toEqual({
      time,
      level: 'warn',
      event: 'server_died',
      fields: { server: 'pyright' },
    });
  });

  it('omits events below its level', () => {
    expect(write('human', {}, 'info')).toBe('');
    expect(write('human', {}, 'error')).toMatch(/ error server_died\n$/);
  });

  it.each(['human', 'json'] as const)(
    'INF-11 BND-12 writes one plain line in the format %s whatever the values contain',
    (format) => {
      const line = write(format, {
        [hostile]: hostile,
        nested: { [hostile]: [hostile] },
        error: new Error(hostile),
      });
      expect(line.indexOf('\n')).toBe(line.length - 1);
      expect(line.slice(0, -1)).toMatch(/^[\x20-\x7e]+$/);
    },
  );

  it('INF-11 keeps the exact values in JSON', () => {
    expect(json({ value: hostile }).fields).toEqual({ value: hostile });
  });

  it('INF-01 shows no secret, by the name of its field at any depth', () => {
    const secret = 'c4n4ry-0123456789';
    const fields = {
      token: secret,
      Authorization: secret,
      headers: { cookie: secret, 'x-api-key': 'shown', apiKey: secret, api_key: secret },
      list: [{ dbPassword: { inner: secret } }],
      clientSecret: [secret],
    };
    for (const format of ['human', 'json'] as const) expect(write(format, fields)).not.toContain(secret);
    expect(json(fields).fields).toMatchObject({ token: '[redacted]', list: [{ dbPassword: '[redacted]' }] });
  });

  it('INF-01 shows no bearer token, wherever it occurs in a text', () => {
    const token = 'q7Zc0aXH-2v_Wm9Rk4LtYb1NsUe6Fd3PjGoAhCiQxDw';
    const fields = {
      error: new Error(`no ${token}, it says`, { cause: new LspanError('internal', `"${token}"`) }),
      header: 'authorization: bearer anything.else/at+all==',
      [token]: { [token]: token },
      long: `${'a '.repeat(limits.log.text / 2 - 10)}${token}`,
    };
    for (const format of ['human', 'json'] as const) {
      const line = write(format, { fields });
      for (let at = 0; at + 8 <= token.length; at += 1)
        expect(line.includes(token.slice(at, at + 8))).toBe(false);
      expect(line).not.toContain('anything');
    }
    const names = [
      'get-the-very-long-name-of-a-component-right',
      'a'.repeat(64),
      'fffffffffffffffffffffffffffffff',
    ];
    expect(json({ names }).fields).toEqual({ names });
  });

  it('shows counts of tokens', () => {
    expect(json({ max_tokens: 4000, token: null }).fields).toEqual({ max_tokens: 4000, token: null });
  });

  it('shows an LspanError with its code and cause', () => {
    const error = new LspanError('not_found', 'No such file.', { cause: new LspanError('busy', 'Wait.') });
    expect(json({ error }).fields.error).toEqual({
      code: 'not_found',
      message: 'No such file.',
      cause: { code: 'busy', message: 'Wait.' },
    });
    expect(json({ error: new TypeError('oh') }).fields.error).toMatchObject({
      name: 'TypeError',
      message: 'oh',
    });
  });

  it('never throws', () => {
    const circle: Record<string, unknown> = {
      big: 10n,
      none: undefined,
      fn: () => 1,
      symbol: Symbol('s'),
      nan: Number.NaN,
    };
    circle.self = circle;
    circle.map = new Map<unknown, unknown>([[1, new Set([circle])]]);
    circle.date = new Date(Number.NaN);
    expect(json({ circle }).fields.circle).toMatchObject({
      big: '10',
      self: '[circular]',
      nan: 'NaN',
      date: 'Invalid Date',
      map: { 1: ['[circular]'] },
    });
    const broken = {
      get value() {
        throw new Error('no');
      },
    };
    expect(json({ broken }).fields).toEqual({ unreadable: true });
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    expect(json({ proxy: revoked.proxy }).fields).toEqual({ unreadable: true });
    expect(json({ toJSON: () => 1, nothing: Object.create(null) }).fields).toMatchObject({ nothing: {} });
  });

  it('is bounded in depth, number and length', () => {
    const deep = JSON.parse(`${'[{"a":'.repeat(50)}1${'}]'.repeat(50)}`);
    const shared = Array.from({ length: 50 }, () => 1);
    const bomb = [shared, shared, shared].map((inner) =>
      [inner, inner, inner, inner].map((more) => [more, more, more]),
    );
    const line = write('json', { deep, bomb, long: 'x'.repeat(1e6), bytes: Buffer.alloc(1e6) });
    expect(line.length).toBeLessThan(3 * limits.log.text);
    expect(line).toContain('[deep]');
    expect(line).toContain('[1000000 bytes]');
  });
});
