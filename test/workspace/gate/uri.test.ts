import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pathOfUri, uriOfPath } from '../../../src/workspace/gate/uri.ts';

describe('URIs', () => {
  test.each([
    ['file:///w/a.ts', '/w/a.ts'],
    ['file:/w/a.ts', '/w/a.ts'],
    ['FILE:///w/a.ts', '/w/a.ts'],
    ['file://localhost/w/a.ts', '/w/a.ts'],
    ['file:////w/a.ts', '//w/a.ts'],
    ['file:///w/a%20b%C3%A9.ts', '/w/a bé.ts'],
    ['file:///w/a%252e.ts', '/w/a%2e.ts'],
    ['file:///w/%2e%2e%2fx', '/w/../x'],
    ['file:///w%5Cx', '/w\\x'],
    ['file:///w/a.ts#L3', '/w/a.ts'],
    ['file:///w/a.ts?q=1', '/w/a.ts'],
    ['file:///C%3A/x', '/C:/x'],
  ])('BND-11 %s is decoded exactly once', (uri, path) => {
    expect(pathOfUri(uri, 'linux')).toEqual({ path });
  });

  test.each([
    ['http://h/x', 'scheme'],
    ['untitled:Untitled-1', 'scheme'],
    ['jar:file:///x.jar!/a', 'scheme'],
    ['data:text/plain,x', 'scheme'],
    ['file://host/share/x', 'host'],
    ['file://ho%73t/share', 'host'],
    ['file://127.0.0.1/x', 'host'],
    ['file:relative', 'malformed'],
    ['file:///w/%00', 'malformed'],
    ['file:///w/%zz', 'malformed'],
    ['file:///w/%ff', 'malformed'],
    ['no uri', 'malformed'],
  ])('BND-10 %s does not name a local file: %s', (uri, wrong) => {
    expect(pathOfUri(uri, 'linux')).toEqual({ wrong });
  });

  test.each([
    ['file:///C%3A/x/a.ts', { path: 'C:\\x\\a.ts' }],
    ['file:///c:/x/../a.ts', { path: 'C:\\a.ts' }],
    ['file:///c%3a/x/a.ts', { path: 'C:\\x\\a.ts' }],
    ['file:///C:/x/a.ts', { path: 'C:\\x\\a.ts' }],
    ['file:////host/share', { wrong: 'host' }],
    ['file:///%5C%5Chost/share', { wrong: 'host' }],
    ['file:///x', { wrong: 'malformed' }],
  ])('PRO-22 on Windows %s is read with its drive, and never as a share', (uri, expected) => {
    expect(pathOfUri(uri, 'win32')).toEqual(expected);
  });

  test('a path is encoded as editors encode it', () => {
    expect(uriOfPath('/w/src/a-b_c.~1.ts')).toBe('file:///w/src/a-b_c.~1.ts');
    expect(uriOfPath("/w/(g)/[s]/@m/a b+c!'*é#?%.ts")).toBe(
      'file:///w/%28g%29/%5Bs%5D/%40m/a%20b%2Bc%21%27%2A%C3%A9%23%3F%25.ts',
    );
  });

  test('a path survives the round trip through its URI', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[/\0]/.test(text));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), (names) => {
        const path = `/${names.join('/')}`;
        expect(pathOfUri(uriOfPath(path), 'linux')).toEqual({ path });
      }),
    );
  });
});
