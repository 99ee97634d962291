import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { beginCall } from '../../../src/core/call.ts';
import { limits } from '../../../src/core/limits.ts';
import type { Workspace } from '../../../src/workspace/workspace.ts';
import { openSandbox, temporaryFolder, writeFiles } from '../sandbox.ts';

async function open(
  files: Readonly<Record<string, string>> = { 'a.txt': 'disk alpha\n', 'b.txt': 'beta\n' },
) {
  const root = temporaryFolder(files);
  const sandbox = await openSandbox([root]);
  const { workspace } = sandbox;
  await sandbox.refresh();
  const at = (file: string) => path.join(root, file);
  const textOf = async (file: string) => (await workspace.read(at(file))).text;
  return { ...sandbox, root, at, textOf };
}

async function mentioning(workspace: Workspace, name: string): Promise<readonly string[]> {
  using call = beginCall({ time: 60_000 });
  return ((await workspace.mentioning(name, call)) ?? []).map((file) => workspace.show(file));
}

/** The code that something throws, if it does. */
function codeOf(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
}

describe('an unsaved text', () => {
  it('is what every reader of the file gets at once; after its release, readers get the text of the disk', async () => {
    const { workspace, at, textOf } = await open();
    expect(await mentioning(workspace, 'alpha')).toEqual(['a.txt']);
    workspace.hold('a.txt', 'held gamma\n');
    expect(await textOf('a.txt')).toBe('held gamma\n');
    expect(workspace.cached(at('a.txt'))?.text).toBe('held gamma\n');
    expect(workspace.readNow(at('a.txt'))).toBe('held gamma\n');
    expect(await mentioning(workspace, 'alpha')).toEqual([]);
    expect(await mentioning(workspace, 'gamma')).toEqual(['a.txt']);
    expect([...workspace.unsaved().keys()]).toEqual([at('a.txt')]);
    workspace.hold('a.txt', undefined);
    expect(await textOf('a.txt')).toBe('disk alpha\n');
    expect(await mentioning(workspace, 'gamma')).toEqual([]);
    expect(workspace.unsaved().size).toBe(0);
  });

  it('is reported as a change at once, unless it equals the current unsaved text', async () => {
    const { workspace, refresh } = await open();
    const before = workspace.generation();
    workspace.hold('a.txt', 'one\n');
    workspace.hold('a.txt', 'one\n');
    expect(workspace.generation()).toBe(before + 1);
    expect((await refresh()).changes).toEqual({ 'a.txt': 'changed' });
    workspace.hold('a.txt', 'two\n');
    workspace.hold('a.txt', undefined);
    workspace.hold('a.txt', undefined);
    workspace.hold('nowhere.txt', undefined);
    expect(workspace.generation()).toBe(before + 3);
  });

  it('hides changes of the file on the disk until it is released', async () => {
    const { workspace, refresh, at, textOf, files } = await open();
    workspace.hold('a.txt', 'held\n');
    await refresh();
    rmSync(at('a.txt'));
    expect((await refresh()).changes).toEqual({});
    expect(await textOf('a.txt')).toBe('held\n');
    expect(await workspace.resolve('a.txt')).toBe(at('a.txt'));
    expect(workspace.entry('a.txt').kind).toBe('file');
    expect(workspace.isSaved(at('a.txt'))).toBe(false);
    expect(files()).toEqual(['a.txt', 'b.txt']);
    workspace.hold('a.txt', undefined);
    expect((await refresh()).changes).toEqual({ 'a.txt': 'deleted' });
    await expect(textOf('a.txt')).rejects.toMatchObject({ code: 'not_found' });
    expect(files()).toEqual(['b.txt']);
  });

  it('that is saved and then released at once leaves the new text', async () => {
    const { workspace, refresh, at, textOf } = await open();
    workspace.hold('a.txt', 'saved\n');
    writeFileSync(at('a.txt'), 'saved\n');
    workspace.hold('a.txt', undefined);
    expect((await refresh()).changes).toEqual({ 'a.txt': 'changed' });
    expect(await textOf('a.txt')).toBe('saved\n');
  });

  it('can be of a file that does not exist, even in a missing folder, and is gone after its release', async () => {
    const { workspace, refresh, at, textOf, files } = await open();
    workspace.hold('new/deep/c.txt', 'held gamma\n');
    expect((await refresh()).changes).toEqual({ 'new/deep/c.txt': 'created' });
    expect(await workspace.resolve('new/deep/c.txt')).toBe(at('new/deep/c.txt'));
    expect(await textOf('new/deep/c.txt')).toBe('held gamma\n');
    expect(files()).toEqual(['a.txt', 'b.txt', 'new/deep/c.txt']);
    expect(await mentioning(workspace, 'gamma')).toEqual(['new/deep/c.txt']);
    workspace.hold('new/deep/c.txt', undefined);
    expect((await refresh()).changes).toEqual({ 'new/deep/c.txt': 'deleted' });
    expect(files()).toEqual(['a.txt', 'b.txt']);
    expect(await mentioning(workspace, 'gamma')).toEqual([]);
    await expect(workspace.resolve('new/deep/c.txt')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of an ignored file can be read, and is still not listed', async () => {
    const { workspace, textOf, files } = await open({ '.gitignore': 'out\n*.log\n', 'a.txt': 'a\n' });
    for (const file of ['out/new/x.txt', 'y.log', 'node_modules/z/i.txt']) workspace.hold(file, 'held\n');
    expect(await textOf('out/new/x.txt')).toBe('held\n');
    expect(files()).toEqual(['.gitignore', 'a.txt']);
  });

  it('is the same under every name of the file', async () => {
    const { workspace, root, at, textOf } = await open();
    symlinkSync('a.txt', at('link.txt'));
    mkdirSync(at('folder'));
    symlinkSync('folder', at('way'));
    workspace.hold('link.txt', 'by the link\n');
    expect(await textOf('a.txt')).toBe('by the link\n');
    expect(await textOf('link.txt')).toBe('by the link\n');
    workspace.hold(`file://${root}/./a.txt`, 'by a URI\n');
    expect(await textOf('link.txt')).toBe('by a URI\n');
    workspace.hold('way/new.txt', 'on the way\n');
    expect(await workspace.resolve('way/new.txt')).toBe(at('folder/new.txt'));
    expect([...workspace.unsaved().keys()]).toEqual([at('a.txt'), at('folder/new.txt')]);
    workspace.hold(at('link.txt'), undefined);
    workspace.hold('folder/new.txt', undefined);
    expect(workspace.unsaved().size).toBe(0);
  });

  it.skipIf(process.platform === 'win32')(
    'is refused for a new file whose name servers would read as that of another',
    async () => {
      const { workspace } = await open();
      const holding = () => workspace.hold('folder\\a.txt', 'held\n');
      expect(holding).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    },
  );

  it('is released by the name that it was set by, wherever that leads by then', async () => {
    const { workspace, at } = await open();
    symlinkSync('a.txt', at('link.txt'));
    workspace.hold('link.txt', 'held\n');
    rmSync(at('link.txt'));
    symlinkSync('b.txt', at('link.txt'));
    workspace.hold('link.txt', 'held anew\n');
    expect([...workspace.unsaved().keys()]).toEqual([at('b.txt')]);
    rmSync(at('link.txt'));
    workspace.hold('link.txt', undefined);
    expect(workspace.unsaved().size).toBe(0);
  });

  it('survives the deletion and return of its folder on the disk', async () => {
    const { workspace, refresh, at, textOf } = await open({ 'd/a.txt': 'a\n', 'd/b.txt': 'b\n' });
    workspace.hold('d/a.txt', 'held\n');
    await refresh();
    renameSync(at('d'), at('e'));
    expect((await refresh()).changes).toEqual({
      'd/b.txt': 'deleted',
      'e/a.txt': 'created',
      'e/b.txt': 'created',
    });
    expect(await textOf('d/a.txt')).toBe('held\n');
    writeFiles(at('.'), { 'd/a.txt': 'anew\n' });
    await refresh();
    workspace.hold('d/a.txt', undefined);
    expect(await textOf('d/a.txt')).toBe('anew\n');
  });

  it('is read like a file: with any line endings, and without the byte order mark', async () => {
    const { workspace, at } = await open();
    workspace.hold('a.txt', '\uFEFFone\r\ntwo\rthree 𝒳\n');
    const document = await workspace.read(at('a.txt'));
    expect(document).toMatchObject({ hasBom: true, lineCount: 4, text: 'one\r\ntwo\rthree 𝒳\n' });
    writeFileSync(at('b.txt'), '\uFEFFone\r\ntwo\rthree 𝒳\n');
    expect((await workspace.read(at('b.txt'))).hash).toBe(document.hash);
  });
});

describe('an unsaved text is refused', () => {
  it.each([
    ['../outside.txt', 'text', 'outside_workspace'],
    ['/etc/hostname', 'text', 'outside_workspace'],
    ['', 'text', 'invalid_input'],
    ['folder', 'text', 'invalid_input'],
    ['out.txt', 'text', 'outside_workspace'],
    ['a.txt', 'a\0b', 'invalid_input'],
    ['a.txt', 'half \ud83d of it', 'invalid_input'],
    ['a.txt', 'x'.repeat(limits.document + 1), 'limit_exceeded'],
  ])('for %s with %.20j as %s, which changes nothing', async (file, text, code) => {
    const { workspace, at, textOf } = await open();
    mkdirSync(at('folder'));
    symlinkSync('/etc/hostname', at('out.txt'));
    workspace.hold('a.txt', 'before\n');
    expect(codeOf(() => workspace.hold(file, text))).toBe(code);
    expect([...workspace.unsaved().keys()]).toEqual([at('a.txt')]);
    expect(await textOf('a.txt')).toBe('before\n');
  });

  it('for one file more than the limit, until another is released', async () => {
    const { workspace } = await open();
    for (let index = 0; index < limits.held.files; index += 1) workspace.hold(`${index}.txt`, 'held\n');
    workspace.hold('0.txt', 'again\n');
    expect(codeOf(() => workspace.hold('more.txt', ''))).toBe('limit_exceeded');
    workspace.hold('0.txt', undefined);
    workspace.hold('more.txt', '');
    expect(workspace.unsaved().size).toBe(limits.held.files);
  });

  it('for one byte more than the limit, not counting the text that it replaces', async () => {
    const { workspace } = await open();
    const whole = limits.held.bytes / limits.document;
    const most = 'x'.repeat(limits.document);
    for (let index = 0; index < whole; index += 1) workspace.hold(`${index}.txt`, most);
    expect(codeOf(() => workspace.hold('more.txt', 'x'))).toBe('limit_exceeded');
    workspace.hold('0.txt', most.replace('x', 'y'));
    workspace.hold('0.txt', most.slice(1));
    workspace.hold('more.txt', 'x');
    expect(codeOf(() => workspace.hold('more.txt', 'é'))).toBe('limit_exceeded');
  });
});

it('no unsaved text is accepted for a path below a file', async () => {
  const { workspace } = await open();
  expect(codeOf(() => workspace.hold('a.txt/new/x.txt', 'held'))).toBe('invalid_input');
  workspace.hold('new', 'held');
  expect(codeOf(() => workspace.hold('new/x.txt', 'held'))).toBe('invalid_input');
  workspace.hold('new', undefined);
  workspace.hold('new/x.txt', 'held');
  expect(codeOf(() => workspace.hold('new', 'held'))).toBe('invalid_input');
  expect([...workspace.unsaved().keys()].map((held) => workspace.show(held))).toEqual(['new/x.txt']);
});
