import { createHash } from 'node:crypto';
import { appendFileSync, closeSync, ftruncateSync, openSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { AllowedFolders } from '../../../src/workspace/gate/allowed-folders.ts';
import { readInside } from '../../../src/workspace/gate/read-inside.ts';
import { type Document, decodeDocument } from '../../../src/workspace/texts/document.ts';
import { openSandbox, temporaryFolder, writeFiles } from '../sandbox.ts';

function documentOf(text: string | Buffer): Document {
  const document = decodeDocument('/a.ts', Buffer.from(text));
  return typeof document === 'string' ? expect.fail(document) : document;
}

describe('a document', () => {
  test('is cut at every kind of line ending', () => {
    const document = documentOf('one\ntwo\r\nthree\rfour\n\r\n');
    const lines = Array.from({ length: document.lineCount }, (_, index) => document.line(index));
    expect(lines).toEqual(['one', 'two', 'three', 'four', '', '']);
    expect(document.line(6)).toBe('');
    expect(document.line(-1)).toBe('');
    expect(documentOf('').lineCount).toBe(1);
  });

  test('keeps positions inside the text', () => {
    const document = documentOf('ab\r\ncde');
    expect(document.clamp({ line: 0, character: 9 })).toEqual({ line: 0, character: 2 });
    expect(document.clamp({ line: 1, character: 2 })).toEqual({ line: 1, character: 2 });
    expect(document.clamp({ line: 7, character: 0 })).toEqual({ line: 1, character: 3 });
    expect(document.clamp({ line: -1, character: 5 })).toEqual({ line: 0, character: 0 });
    expect(document.clamp({ line: 0, character: Number.NaN })).toEqual({ line: 0, character: 0 });
  });

  test('begins after its byte order mark, and its hash is that of the bytes', () => {
    const bytes = Buffer.from('\uFEFFconst é = 1;\n');
    const document = documentOf(bytes);
    expect(document).toMatchObject({ text: 'const é = 1;\n', hasBom: true });
    expect(document.hash).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(documentOf('const é = 1;\n').hash).not.toBe(document.hash);
    expect(documentOf('a').hasBom).toBe(false);
  });

  test('is neither binary nor in another encoding', () => {
    expect(decodeDocument('/a', Buffer.from([0x61, 0]))).toBe('binary');
    expect(decodeDocument('/a', Buffer.from('é', 'latin1'))).toBe('not_utf8');
    expect(decodeDocument('/a', Buffer.from([0xed, 0xa0, 0x80]))).toBe('not_utf8');
  });
});

describe('reading', () => {
  test('says what is wrong with a file that is not text', async () => {
    const root = temporaryFolder({
      'a.bin': Buffer.from([1, 0, 2]),
      'latin.ts': Buffer.from('é', 'latin1'),
      'd/x': '',
    });
    const { workspace } = await openSandbox([root]);
    const refusal = (name: string) => workspace.read(path.join(root, name));
    await expect(refusal('a.bin')).rejects.toMatchObject({
      code: 'invalid_input',
      message: '"a.bin" is a binary file.',
    });
    await expect(refusal('latin.ts')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(refusal('d')).rejects.toMatchObject({
      code: 'invalid_input',
      message: '"d" is a folder, not a file.',
    });
    await expect(refusal('none')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('RES-05 a file of 4 MiB is read, one byte more is refused, and so is a huge sparse one', async () => {
    const root = temporaryFolder({ 'most.ts': 'x'.repeat(limits.document) });
    const { workspace } = await openSandbox([root]);
    const most = path.join(root, 'most.ts');
    expect((await workspace.read(most)).text).toHaveLength(limits.document);
    appendFileSync(most, 'x');
    const descriptor = openSync(path.join(root, 'sparse.ts'), 'w');
    ftruncateSync(descriptor, 10 * 1024 ** 3);
    closeSync(descriptor);
    const { workspace: other } = await openSandbox([root]);
    for (const name of ['most.ts', 'sparse.ts'])
      await expect(other.read(path.join(root, name))).rejects.toMatchObject({ code: 'limit_exceeded' });
  });

  test.runIf(process.platform === 'linux')(
    'RES-05 a file that is longer than its size says is still bounded',
    () => {
      const folder = `/proc/${process.pid}`;
      expect(readInside(new AllowedFolders([folder]), `${folder}/maps`, 1_000)).toEqual({
        kind: 'too_large',
      });
      expect(readInside(new AllowedFolders([folder]), `${folder}/maps`, limits.document).kind).toBe('bytes');
    },
  );

  test.runIf(process.platform === 'linux')('a plain file that fails to be read is told as unreadable', () => {
    const folder = `/proc/${process.pid}`;
    expect(readInside(new AllowedFolders([folder]), `${folder}/mem`, 1_000)).toEqual({ kind: 'unreadable' });
  });

  test('the same document is returned until a change of the file is reported', async () => {
    const root = temporaryFolder({ 'a.ts': 'x', 'node_modules/m/b.d.ts': 'y' });
    const { workspace, refresh } = await openSandbox([root]);
    await refresh();
    for (const name of ['a.ts', 'node_modules/m/b.d.ts']) {
      const first = await workspace.read(path.join(root, name));
      expect(await workspace.read(path.join(root, name))).toBe(first);
    }
    rmSync(path.join(root, 'a.ts'));
    expect((await workspace.read(path.join(root, 'a.ts'))).text).toBe('x');
    await refresh();
    await expect(workspace.read(path.join(root, 'a.ts'))).rejects.toMatchObject({ code: 'not_found' });
  });

  test('the cache stays within its limit, and drops the least recently read first', async () => {
    const size = limits.documentCache / 8;
    const names = Array.from({ length: 9 }, (_, index) => `f${index}.ts`);
    const root = temporaryFolder(Object.fromEntries(names.map((name) => [name, 'x'.repeat(size)])));
    const { workspace, refresh } = await openSandbox([root]);
    await refresh();
    const read = (name: string) => workspace.read(path.join(root, name));
    const documents = await Promise.all(names.slice(0, 8).map(read));
    expect(await read('f0.ts')).toBe(documents[0]);
    await read('f8.ts');
    expect(await read('f0.ts')).toBe(documents[0]);
    expect(await read('f1.ts')).not.toBe(documents[1]);
  });

  test('unwatched files beyond the limit of comparisons are read again instead', async () => {
    const names = Array.from(
      { length: limits.trackedFiles + 1 },
      (_, index) => `node_modules/f${index}.d.ts`,
    );
    const root = temporaryFolder(Object.fromEntries(names.map((name) => [name, 'old'])));
    const { workspace, refresh } = await openSandbox([root]);
    await refresh();
    for (const name of names) await workspace.read(path.join(root, name));
    writeFiles(root, Object.fromEntries(names.map((name) => [name, 'new'])));
    const { changes } = await refresh();
    expect(Object.keys(changes)).toHaveLength(limits.trackedFiles);
    for (const name of names) expect((await workspace.read(path.join(root, name))).text).toBe('new');
  });

  test('a link to a file inside is read as that file; one that leads outside is not read', async () => {
    const world = temporaryFolder({ 'app/a.ts': 'x', 'secret.ts': 'y' });
    const root = path.join(world, 'app');
    symlinkSync('a.ts', path.join(root, 'link.ts'));
    symlinkSync('../secret.ts', path.join(root, 'out.ts'));
    const { workspace } = await openSandbox([root]);
    expect((await workspace.read(path.join(root, 'link.ts'))).path).toBe(path.join(root, 'a.ts'));
    await expect(workspace.read(path.join(root, 'out.ts'))).rejects.toMatchObject({
      code: 'outside_workspace',
    });
  });
});
