import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PathMapping } from '../../../../src/backends/lsp/protocol/path-mapping.ts';
import { withSeed } from '../../../with-seed.ts';

const mapping = new PathMapping([{ near: '/home/me/p', far: '/workspace' }]);
const toNear = (uri: string, from = mapping) => uriIn(from.toNear({ params: { uri } }, undefined));
const toFar = (uri: string, from = mapping) => uriIn(from.toFar({ params: { uri } }, undefined));

function uriIn(message: unknown): string {
  return JSON.parse(JSON.stringify(message)).params.uri;
}

describe('the URI of a file that a server elsewhere names', () => {
  it.each([
    ['file:///workspace', 'file:///home/me/p'],
    ['file:///workspace/a.ts', 'file:///home/me/p/a.ts'],
    ['file:///workspace/a%20b/%C3%A9.ts', 'file:///home/me/p/a%20b/%C3%A9.ts'],
    ['file:///workspace/%61.ts', 'file:///home/me/p/%61.ts'],
    ['file:///%77orkspace/a.ts', 'file:///home/me/p/a.ts'],
    ['file://localhost/workspace/a.ts', 'file:///home/me/p/a.ts'],
    ['FILE:///workspace/a.ts', 'file:///home/me/p/a.ts'],
  ])('VIA-09 %s is %s here', (far, near) => {
    expect(toNear(far)).toBe(near);
  });

  it.each([
    'file:///workspaces/a.ts',
    'file:///Workspace/a.ts',
    'file:///usr/lib/a.d.ts',
    'file:///',
    'file:///workspace/../etc/passwd',
    'file:///workspace/%2e%2e/etc/passwd',
    'file:///workspace/..%2fetc/passwd',
    'file:///workspace/a%zz.ts',
    'file:///home/me/p/a.ts',
  ])('VIA-11 %s is no file here, and itself again on its way back', (far) => {
    expect(toNear(far)).toBe(`far-${far}`);
    expect(toFar(toNear(far))).toBe(far);
  });

  it.each(['https://example.com/workspace/a', 'untitled:a', 'jar:file:///workspace/a.jar!/b', 'a.ts', ''])(
    'VIA-11 %s stays as it is',
    (uri) => {
      expect([toNear(uri), toFar(uri)]).toEqual([uri, uri]);
    },
  );

  it('VIA-09 is found in whatever case where that does not matter', () => {
    const windows = new PathMapping([{ near: '/home/me/p', far: 'C:\\Code\\p' }]);
    for (const uri of ['file:///c%3A/code/p/A.ts', 'file:///C:/Code/P/A.ts'])
      expect(toNear(uri, windows)).toBe('file:///home/me/p/A.ts');
    expect(toFar('file:///home/me/p/A.ts', windows)).toBe('file:///C%3A/Code/p/A.ts');
    const { params } = JSON.parse(
      JSON.stringify(windows.toFar({ params: { rootPath: '/home/me/p/q' } }, 'initialize')),
    );
    expect(params.rootPath).toBe('C:\\Code\\p\\q');
  });

  it('VIA-11 is none here if a folder within another pair hides it', () => {
    const nested = new PathMapping([
      { near: '/a', far: '/x' },
      { near: '/a/b', far: '/y' },
    ]);
    expect(toNear('file:///y/c', nested)).toBe('file:///a/b/c');
    expect(toNear('file:///x/c', nested)).toBe('file:///a/c');
    expect(toNear('file:///x/b/c', nested)).toBe('far-file:///x/b/c');
  });
});

describe('a message', () => {
  const message = (uri: string) => ({
    jsonrpc: '2.0',
    id: 1,
    result: {
      uri,
      targetUri: uri,
      oldUri: uri,
      changes: { [uri]: [{ newText: 'file:///workspace/a.ts' }] },
      relatedDocuments: { [uri]: { kind: 'full', items: [] } },
      documentChanges: [{ textDocument: { uri, version: 1 } }, { kind: 'rename', oldUri: uri, newUri: uri }],
      watchers: [{ globPattern: { baseUri: { uri, name: 'w' }, pattern: '**/*.ts' } }],
      items: [{ scopeUri: uri, section: 'x' }],
    },
  });

  it('VIA-09 is mapped in every field that is a URI, and in keys that are', () => {
    expect(mapping.toNear(message('file:///workspace/a.ts'), 'x')).toEqual({
      ...message('file:///home/me/p/a.ts'),
      result: {
        ...message('file:///home/me/p/a.ts').result,
        changes: { 'file:///home/me/p/a.ts': [{ newText: 'file:///workspace/a.ts' }] },
      },
    });
  });

  it('VIA-12 is never mapped in text, settings, and what only the server understands', () => {
    const uri = 'file:///workspace/a.ts';
    const untouched = {
      jsonrpc: '2.0',
      method: 'window/logMessage',
      params: {
        message: `see ${uri} and /workspace/a.ts`,
        contents: { kind: 'markdown', value: `[a](${uri})` },
        text: '/workspace',
        data: { uri, rootUri: uri },
        settings: { uri },
        initializationOptions: { rootUri: uri },
        changes: [{ type: 1 }],
        arguments: [uri],
      },
    };
    expect(mapping.toNear(untouched, 'window/logMessage')).toEqual(untouched);
    const settings = { jsonrpc: '2.0', id: 1, result: [{ uri, rootPath: '/home/me/p' }] };
    expect(mapping.toFar(settings, 'workspace/configuration')).toEqual(settings);
  });

  it('VIA-09 has the paths and patterns of the protocol mapped', () => {
    const initialize = { params: { rootPath: '/home/me/p', rootUri: 'file:///home/me/p' } };
    expect(mapping.toFar(initialize, 'initialize')).toEqual({
      params: { rootPath: '/workspace', rootUri: 'file:///workspace' },
    });
    const watch = (globPattern: string) => ({ params: { watchers: [{ globPattern }] } });
    expect(mapping.toNear(watch('/workspace/**/*.rs'), undefined)).toEqual(watch('/home/me/p/**/*.rs'));
    expect(mapping.toNear(watch('**/*.rs'), undefined)).toEqual(watch('**/*.rs'));
    const command = (file: string) => ({ params: { arguments: ['quickinfo', { file }] } });
    expect(mapping.toFar(command('/home/me/p/a.ts'), 'workspace/executeCommand')).toEqual(
      command('/workspace/a.ts'),
    );
    expect(mapping.toFar(command('/home/me/p/a.ts'), 'other')).toEqual(command('/home/me/p/a.ts'));
  });
});

it('VIA-09 map(unmap(x)) = x for every path below any folders, whatever its name', () => {
  const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }).filter(isName);
  const folder = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `/${names.join('/')}`);
  const pairs = fc.uniqueArray(fc.record({ near: folder, far: folder }), {
    selector: ({ far }) => far,
    minLength: 1,
    maxLength: 4,
  });
  const below = fc.array(name, { maxLength: 3 });
  fc.assert(
    fc.property(pairs, below, fc.nat(), fc.boolean(), (given, rest, at, isWithin) => {
      const own = new PathMapping(given);
      const { far } = given[at % given.length] ?? { far: '/' };
      const names = [...(isWithin ? far.split('/').slice(1) : []), ...rest];
      const uri = `file:///${names.map(encodeURIComponent).map(encodeMarks).join('/')}`;
      expect(toFar(toNear(uri, own), own)).toBe(uri);
      expect(toNear(toFar(uri, own), own)).toBe(uri);
    }),
    withSeed({ numRuns: 2_000 }),
  );
});

/** What a file system takes, and a URI can have. */
function isName(name: string): boolean {
  return !/[/\0\\]/.test(name) && name !== '.' && name !== '..' && !/[\ud800-\udfff]/u.test(name);
}

function encodeMarks(name: string): string {
  return name.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}
