import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filePartsOf } from '../../../../src/backends/lsp/documents/file-parts.ts';
import { DocumentAliases } from '../../../../src/backends/lsp/protocol/document-aliases.ts';
import { uriOfPath } from '../../../../src/platform/files/uri-of-path.ts';
import { clangd } from '../../../../src/servers/clangd.ts';
import { type Document, documentOf } from '../../../../src/workspace/texts/document.ts';
import { noFacts } from '../../../project-facts.ts';

/** A folder of C at `/w`, in which the listed files are compiled by themselves. */
function project(texts: Record<string, string>, compiled = ['/w/whole.c']) {
  const files = new Map(Object.entries(texts));
  files.set('/w/compile_commands.json', JSON.stringify(compiled.map((file) => ({ file }))));
  const aliases = new DocumentAliases();
  const unsaved = new Map<string, Document>();
  const facts = {
    ...noFacts,
    exists: (path: string) => files.has(path),
    list: (folder: string) =>
      [...files.keys()]
        .filter((file) => dirname(file) === folder)
        .map((file) => file.slice(folder.length + 1)),
    read: (path: string) => unsaved.get(path)?.text ?? files.get(path),
  };
  const workspace = { uri: uriOfPath, unsaved: () => unsaved };
  const parts = filePartsOf({ workspace, facts, aliases, definition: clangd });
  if (!parts) throw new Error('clangd reads some files only with others.');
  /** Returns the name under which a file is opened. */
  const nameOf = (path: string, text = files.get(path) ?? '') => {
    parts.onOpening(documentOf(path, text));
    return JSON.parse(JSON.stringify(aliases.toFar({ params: { uri: uriOfPath(path) } }, undefined))).params
      .uri;
  };
  return { files, unsaved, parts, nameOf };
}

const whole = 'int limit;\n#include "part.c"\nint kinds[] = {\n#include "kinds.h"\n};\n';
const part = 'int size(void) { return limit; }\n';

describe('a file is opened under an alias', () => {
  it.each([
    ['a source that a compiled one includes', { '/w/part.c': part }, '/w/part.c'],
    ['a source with a byte order mark', { '/w/part.c': `\uFEFF${part}` }, '/w/part.c'],
    ['a header in a declaration', { '/w/kinds.h': '1, 2,\n' }, '/w/kinds.h'],
    ['a part in a folder below', { '/w/parts/part.c': part }, '/w/parts/part.c'],
    ['a part of a list', { '/w/kinds.h': '#include "deep.c"\n', '/w/deep.c': part }, '/w/deep.c'],
  ])('if it is %s', (_what, texts: Record<string, string>, file) => {
    const { nameOf } = project({ '/w/whole.c': whole, ...texts });
    expect(nameOf(file)).toBe(uriOfPath(file).replace(/(?=\.[ch]$)/, '.lspan'));
  });
});

describe('a file is opened under its own name', () => {
  it.each([
    ['is the whole', { '/w/whole.c': whole }, '/w/whole.c', undefined],
    ['is compiled by itself too', { '/w/part.c': part }, '/w/part.c', ['/w/whole.c', '/w/part.c']],
    ['includes what it needs', { '/w/part.c': `#include "limit.h"\n${part}` }, '/w/part.c', undefined],
    ['is a header with a guard', { '/w/kinds.h': '#pragma once\n1,\n' }, '/w/kinds.h', undefined],
    ['is included by nothing', { '/w/other.c': part }, '/w/other.c', undefined],
    ['is a part of what nobody compiles', { '/w/part.c': part, '/w/main.c': '' }, '/w/part.c', ['/w/main.c']],
    ['has a neighbour of that name', { '/w/part.c': part, '/w/part.lspan.c': '' }, '/w/part.c', undefined],
  ])('if it %s', (_what, texts: Record<string, string>, file, compiled) => {
    const { nameOf, parts } = project({ '/w/whole.c': whole, ...texts }, compiled);
    expect(nameOf(file)).toBe(uriOfPath(file));
    expect(parts.isOutdated).toBe(false);
  });

  it('if its text is not on the disk, and the server is outdated when that text is gone', () => {
    const { nameOf, unsaved, parts } = project({ '/w/whole.c': whole, '/w/part.c': part });
    unsaved.set('/w/part.c', documentOf('/w/part.c', 'int other;\n'));
    expect(nameOf('/w/part.c', 'int other;\n')).toBe('file:///w/part.c');
    expect(parts.isOutdated).toBe(false);
    unsaved.clear();
    expect(parts.isOutdated).toBe(true);
  });
});

describe('a server is outdated', () => {
  const changed = (path: string) => [{ path, kind: 'changed' as const }];

  it('if a part has changed on the disk, whether it was open or not', () => {
    const { parts } = project({ '/w/whole.c': whole, '/w/part.c': part });
    parts.note(changed('/w/whole.c'));
    expect(parts.isOutdated).toBe(false);
    parts.note(changed('/w/part.c'));
    expect(parts.isOutdated).toBe(true);
  });

  it('if a file that it was sent as a part is none any more', () => {
    const { parts, files, nameOf } = project({ '/w/whole.c': whole, '/w/part.c': part });
    nameOf('/w/part.c');
    files.set('/w/whole.c', 'int limit;\n');
    parts.note(changed('/w/whole.c'));
    expect(parts.isOutdated).toBe(true);
    expect(parts.isPart('/w/part.c')).toBe(false);
  });

  it('if a file that it was sent as a whole has become a part', () => {
    const { parts, files, nameOf } = project({ '/w/whole.c': 'int limit;\n', '/w/part.c': part });
    expect(nameOf('/w/part.c')).toBe('file:///w/part.c');
    files.set('/w/whole.c', whole);
    parts.note(changed('/w/whole.c'));
    expect(parts.isOutdated).toBe(true);
  });
});
