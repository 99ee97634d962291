import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { asLspanError } from '../../../src/core/errors.ts';
import { readGivenPath } from '../../../src/workspace/gate/given-path.ts';
import { pathOfUri } from '../../../src/workspace/gate/uri.ts';
import { windowsFault } from '../../../src/workspace/gate/windows-path.ts';

/** What an agent on Windows is told about a path that it gave. */
function refusalOf(given: string): string {
  try {
    return `allowed as ${readGivenPath(given, 'win32')}`;
  } catch (thrown) {
    return asLspanError(thrown).code;
  }
}

describe('on Windows', () => {
  test.each([
    ['C:x', 'relative to the current folder of a drive'],
    ['C:', 'relative to the current folder of a drive'],
    ['c:..\\..\\secret.ts', 'relative to the current folder of a drive'],
    ['NUL', 'device'],
    ['nul.txt', 'device'],
    ['src\\con', 'device'],
    ['src/AUX.ts', 'device'],
    ['com1.tar.gz', 'device'],
    ['LPT²', 'device'],
    ['CONIN$', 'device'],
    ['nul .ts', 'device'],
    ['src/a.ts:evil', 'stream'],
    ['C:\\w\\a.ts::$DATA', 'stream'],
    ['src/C:/x', 'stream'],
    ['src/a.ts.', 'dot or a space'],
    ['src/a.ts ', 'dot or a space'],
    ['.git./config', 'dot or a space'],
    ['.git /config', 'dot or a space'],
    ['.../x', 'dot or a space'],
  ])('BND-13 %j is another spelling of something, and refused', (given, why) => {
    expect(windowsFault(given)).toContain(why);
    expect(refusalOf(given)).toBe('invalid_input');
  });

  test.each([
    '\\\\?\\C:\\x',
    '\\\\.\\COM1',
    '\\\\host\\share',
    '//host/share',
    '/\\host/share',
    '\\/host/share',
  ])('BND-13 %j leads to another machine or a device, and is refused without asking the system', (given) => {
    expect(refusalOf(given)).toBe('outside_workspace');
  });

  test.each(['a.ts:evil', 'NUL:', 'http://h/x', 'file://host/share/x'])(
    'BND-13 %j is read as a URI, and refused',
    (given) => {
      expect(['invalid_input', 'outside_workspace']).toContain(refusalOf(given));
    },
  );

  test.each([
    'file:///C:/w/a.ts:evil',
    'file:///C:/w/a.ts.',
    'file:///C:/w/NUL',
    'file:///C%3A/w/a.ts%20',
    'file:///C:x',
  ])('BND-13 %s from a server does not name a file', (uri) => {
    expect(pathOfUri(uri, 'win32')).toEqual({ wrong: 'malformed' });
  });

  test.each([
    ['src/a.ts', 'src\\a.ts'],
    ['src\\sub/a.ts', 'src\\sub\\a.ts'],
    ['./src/../a.ts', 'a.ts'],
    ['C:/w\\a.ts', 'C:\\w\\a.ts'],
    ['nullable.ts', 'nullable.ts'],
    ['console/com10.ts', 'console\\com10.ts'],
    ['.gitignore', '.gitignore'],
    // The real path of a short name expands it.
    ['C:\\PROGRA~1\\a.ts', 'C:\\PROGRA~1\\a.ts'],
  ])('BND-13 %j is a path, with slashes of either kind', (given, normal) => {
    expect(path.win32.normalize(readGivenPath(given, 'win32'))).toBe(normal);
  });
});

describe('BND-14 strings that abort Node', () => {
  const deadly = [
    '\\\\exa mple\\s',
    '\\\\exa mple\\s\\a.ts',
    'file://exa mple/s',
    'file://xn--iñvalid.com/x',
    'http://xn--\u00ad/',
    'file://[::1/x',
    'file:///C:/%',
    `file://${'a'.repeat(70_000)}/x`,
  ];

  test.each(deadly.map((text) => [text.slice(0, 30), text]))('%j is refused by our own rules', (_, text) => {
    for (const platform of ['win32', 'linux'] as const) {
      expect(() => readGivenPath(text, platform)).toThrow();
      expect(pathOfUri(text, platform)).toHaveProperty('wrong');
    }
  });

  test('reach no function of Node that parses URLs', () => {
    const folder = path.resolve(import.meta.dirname, '../../../src');
    const users = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.startsWith('servers'))
      // The address of a database is no path.
      .filter((file) => path.basename(file) !== 'postgres-store.ts')
      .filter((file) =>
        /\b(pathToFileURL|domainToASCII|urlToHttpOptions)\(|new URL\(|url\.(format|parse|resolve)\(/.test(
          readFileSync(path.join(folder, file), 'utf8'),
        ),
      );
    expect(users).toEqual([]);
  });
});
