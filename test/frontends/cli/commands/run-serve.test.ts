import { describe, expect, it } from 'vitest';
import { addressOf } from '../../../../src/frontends/cli/commands/run-serve.ts';
import { parseCommandLine } from '../../../../src/frontends/cli/parse-command-line.ts';

function addressIn(...words: string[]) {
  const command = parseCommandLine(['serve', ...words]);
  if (command.kind !== 'serve') throw new Error(`It was read as ${command.kind}.`);
  return addressOf(command.flags);
}

describe('the address of lspan serve', () => {
  it('is the loopback address and port 3939 by default', () => {
    const usual = {
      port: 3939,
      host: '127.0.0.1',
      path: '/mcp',
      origins: [],
      sessions: true,
      only: undefined,
    };
    expect(addressIn()).toEqual(usual);
    expect(addressIn('--port', '0', '--host', '::1', '--endpoint', '/a/b.c', '--no-sessions')).toEqual({
      ...usual,
      port: 0,
      host: '::1',
      path: '/a/b.c',
      sessions: false,
    });
    expect(addressIn('--protocol', '2025-11-25').only).toBe('2025-11-25');
  });

  it.each(['0.0.0.0', '::', 'localhost', 'example.org', '192.168.1.2', '127.0.0.2', '127.1', '[::1]'])(
    'TRN-06 is never %s',
    (host) => {
      expect(() => addressIn('--host', host)).toThrow(/Give a loopback address/);
    },
  );

  it.each(['65536', '-1', '80.5', 'http', '0x50', ' 80'])('cannot have the port %j', (port) => {
    expect(() => addressIn(`--port=${port}`)).toThrow(/--port cannot be/);
  });

  it.each(['mcp', '/', '/healthz', '/metrics', '/a?b', '/a b', '/a/', '//a', '/%41'])(
    'cannot have the path %j',
    (path) => {
      expect(() => addressIn(`--endpoint=${path}`)).toThrow(/--endpoint cannot be/);
    },
  );

  it('accepts origins exactly as browsers write them', () => {
    const good = [
      'http://localhost:6274',
      'https://example.org',
      'vscode-webview://abc',
      'chrome-extension://abc',
    ];
    expect(addressIn(...good.map((origin) => `--allow-origin=${origin}`)).origins).toEqual(good);
    const bad = [
      '*',
      'null',
      'example.org',
      'http://a/',
      'http://a/b',
      'HTTP://a',
      'http://a:80',
      'http://u@a',
      'file://',
    ];
    for (const origin of bad)
      expect(() => addressIn(`--allow-origin=${origin}`)).toThrow(/--allow-origin cannot/);
  });
});
