import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileSettings } from '../../src/backends/lsp/documents/file-settings.ts';
import { headerSettings } from '../../src/servers/projects/header-settings.ts';
import { noFacts } from '../project-facts.ts';

/** Returns what clangd is told of a header, in a folder `/w` in which `/w/scan.c` is compiled. */
function toldOf(header: string, texts: Record<string, string>, flags: readonly string[] = []): unknown {
  return headerSettings(factsOf(texts, flags)).of(header);
}

function factsOf(texts: Record<string, string>, flags: readonly string[] = []) {
  const entry = { directory: '/w', file: 'scan.c', arguments: ['cc', ...flags, '-c', 'scan.c'] };
  const all = (): Record<string, string> => ({
    ...texts,
    '/w/compile_commands.json': JSON.stringify([entry]),
  });
  return {
    ...noFacts,
    exists: (path: string) => path in all(),
    list: (folder: string) =>
      Object.keys(all())
        .filter((file) => dirname(file) === folder)
        .map((file) => file.slice(folder.length + 1)),
    read: (path: string) => all()[path],
  };
}

function includedBefore(told: unknown): readonly string[] {
  const text = JSON.stringify(told) ?? '';
  return Array.from(text.matchAll(/"-include","([^"]*)"/g), ([, file = '']) => file);
}

const source = '#include "quick.h"\n#include "scan.h"\n';
const quick = '#define QUICK\ntypedef struct { int depth; } Scanner;\n';

describe('a header is read with what is included before it', () => {
  it.each([
    ['a macro', 'int QUICK scan(void);\n'],
    ['a type', 'int scan(Scanner *s);\n'],
    ['a macro of a header that it includes', '#include "inner.h"\n'],
  ])('if it needs %s of it', (_what, scan) => {
    const texts = { '/w/scan.c': source, '/w/quick.h': quick, '/w/inner.h': 'int QUICK i;\n' };
    expect(includedBefore(toldOf('/w/scan.h', { ...texts, '/w/scan.h': scan }))).toEqual(['/w/quick.h']);
  });

  it('if that declares it by a file of its own, found by the options of the compiler', () => {
    const texts = { '/w/scan.c': source, '/w/scan.h': 'int QUICK scan(void);\n' };
    const found = { ...texts, '/w/include/quick.h': '#include "deep.h"\n', '/w/include/deep.h': quick };
    expect(includedBefore(toldOf('/w/scan.h', found, ['-Iinclude']))).toEqual(['/w/include/quick.h']);
    expect(includedBefore(toldOf('/w/scan.h', found, ['-I', 'include']))).toEqual(['/w/include/quick.h']);
  });

  it('and with headers of the language, if it uses their types and includes none', () => {
    const texts = { '/w/scan.c': '#include <stddef.h>\n#include "scan.h"\n' };
    expect(includedBefore(toldOf('/w/scan.h', { ...texts, '/w/scan.h': 'size_t scan(void);\n' }))).toEqual([
      'stddef.h',
    ]);
    const own = '#include <stdio.h>\nsize_t scan(void);\n';
    expect(toldOf('/w/scan.h', { ...texts, '/w/scan.h': own })).toBeUndefined();
  });

  it('as the language of the file that includes it, with its options', () => {
    const texts = { '/w/scan.c': source, '/w/quick.h': quick, '/w/scan.h': 'int QUICK scan(void);\n' };
    expect(toldOf('/w/scan.h', texts, ['-DFAST', '-fplugin=evil.so', '-o', '/tmp/out'])).toEqual({
      compilationDatabaseChanges: {
        '/w/scan.h': {
          workingDirectory: '/w',
          compilationCommand: [...['cc', '-DFAST', '-include', '/w/quick.h', '-x', 'c-header', '/w/scan.h']],
        },
      },
    });
  });
});

it('with trust, a header has all options of the file that includes it', () => {
  const texts = { '/w/scan.c': source, '/w/quick.h': quick, '/w/scan.h': 'int QUICK scan(void);\n' };
  const facts = { ...factsOf(texts, ['-Xclang', '-fancy', '-o', 'out.o', '-x', 'c++']), trusted: true };
  expect(JSON.stringify(headerSettings(facts).of('/w/scan.h'))).toContain(
    '["cc","-Xclang","-fancy","-x","c++","-include","/w/quick.h","-x","c++-header","/w/scan.h"]',
  );
});

describe('nothing is said of a header', () => {
  it.each([
    ['needs nothing', source, 'int scan(void);\n'],
    ['declares what it needs', source, '#define QUICK\nint QUICK scan(void);\n'],
    ['includes what it needs', source, '#include "quick.h"\nint QUICK scan(void);\n'],
    ['names a macro only in a comment', source, '/* QUICK */ int scan(void);\n'],
    ['is included first', '#include "scan.h"\n#include "quick.h"\n', 'int QUICK scan(void);\n'],
    [
      'may be included after something, on a condition',
      '#ifdef FAST\n#include "quick.h"\n#endif\n#include "scan.h"\n',
      'int QUICK scan(void);\n',
    ],
    [
      'is included after something that is commented out',
      '/*\n#include "quick.h"\n*/\n// #include "quick.h"\n#include "scan.h"\n',
      'int QUICK scan(void);\n',
    ],
    [
      'is included after a header of the system that is called like one beside it',
      '#include <quick.h>\n#include "scan.h"\n',
      'int QUICK scan(void);\n',
    ],
    ['declares a class as it needs it', source.replace('quick', 'engine'), 'class Engine;\n'],
    ['nobody includes', '#include "quick.h"\n', 'int QUICK scan(void);\n'],
  ])('that %s', (_what, text, scan) => {
    expect(
      toldOf('/w/scan.h', {
        ...{ '/w/scan.c': text, '/w/quick.h': quick, '/w/engine.h': 'class Engine {};\n' },
        '/w/scan.h': scan,
      }),
    ).toBeUndefined();
  });

  it('that what is included before it includes too', () => {
    const texts = { '/w/scan.c': source, '/w/quick.h': `${quick}#include "scan.h"\n` };
    expect(toldOf('/w/scan.h', { ...texts, '/w/scan.h': 'int QUICK scan(void);\n' })).toBeUndefined();
  });
});

it('settings are sent once, and again after a change that matters', () => {
  const texts: Record<string, string> = {
    '/w/scan.c': source,
    '/w/quick.h': quick,
    '/w/scan.h': 'int QUICK a;\n',
  };
  const settings = new FileSettings(headerSettings(factsOf(texts)));
  expect(settings.toSend('/w/scan.h')).toBeDefined();
  expect(settings.toSend('/w/scan.h')).toBeUndefined();
  texts['/w/scan.c'] = `#include "other.h"\n${source}`;
  texts['/w/other.h'] = '#define QUICK\n';
  settings.note([{ path: '/w/readme.md', kind: 'changed' }]);
  expect(settings.toSend('/w/scan.h')).toBeUndefined();
  settings.note([{ path: '/w/scan.c', kind: 'changed' }]);
  expect(includedBefore(settings.toSend('/w/scan.h'))).toEqual(['/w/other.h']);
});
