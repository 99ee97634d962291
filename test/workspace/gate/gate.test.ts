import { execFileSync } from 'node:child_process';
import { linkSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { asLspanError, type LspanError } from '../../../src/core/errors.ts';
import type { Workspace } from '../../../src/workspace/workspace.ts';
import { openSandbox, temporaryFolder, writeFiles } from '../sandbox.ts';

const secret = 'the secret of somebody else';

/** A root with a file, beside a folder with a secret. */
async function openGate() {
  const world = temporaryFolder({ 'app/src/a.ts': 'inside', 'secrets/x.ts': secret });
  const root = path.join(world, 'app');
  const { workspace, refresh } = await openSandbox([root]);
  return { world, root, workspace, refresh };
}

async function refusalOf(attempted: Promise<unknown>): Promise<LspanError> {
  return attempted.then(
    (value) => expect.fail(`was allowed: ${String(value)}`),
    (thrown: unknown) => asLspanError(thrown),
  );
}

async function codeOf(workspace: Workspace, given: string): Promise<string> {
  return (await refusalOf(workspace.resolve(given))).code;
}

describe('the gate', () => {
  test('relative paths, absolute paths and file: URIs lead to one real path', async () => {
    const { root, workspace } = await openGate();
    const real = path.join(root, 'src/a.ts');
    for (const given of [
      'src/a.ts',
      './src/../src//a.ts',
      real,
      `file://${real}`,
      `file:${real}`,
      'src/a.ts/.',
    ])
      expect(await workspace.resolve(given)).toBe(real);
    expect(workspace.show(real)).toBe('src/a.ts');
    expect(workspace.uri(real)).toBe(`file://${real}`);
  });

  test('BND-01 a folder whose name only begins like the root is outside', async () => {
    const { world, workspace } = await openGate();
    writeFiles(world, { 'app-secret/x': '', app2: '', appé: '', 'app.ts': '' });
    for (const name of ['app-secret/x', 'app2', 'appé', 'app.ts'])
      expect(await codeOf(workspace, path.join(world, name))).toBe('outside_workspace');
  });

  test('BND-02 climbing out is refused, and nothing is expanded', async () => {
    const { root, workspace } = await openGate();
    for (const given of [
      '../secrets/x.ts',
      'src/../../secrets/x.ts',
      'src//..//..//secrets/x.ts',
      '/etc/passwd',
      '..',
      '/',
    ])
      expect(await codeOf(workspace, given)).toBe('outside_workspace');
    for (const given of ['./.../x', '~', '~root/x', '$HOME/x', `~${os.userInfo().username}/x`])
      expect(await codeOf(workspace, given)).toBe('not_found');
    writeFiles(root, { '~/x': '', '$HOME/x': '' });
    expect(await workspace.resolve('~/x')).toBe(path.join(root, '~/x'));
    expect(await workspace.resolve('$HOME/x')).toBe(path.join(root, '$HOME/x'));
  });

  test('BND-03 links that lead outside are refused, whatever their form', async () => {
    const { world, root, workspace } = await openGate();
    const links: Record<string, string> = {
      'file.ts': path.join(world, 'secrets/x.ts'),
      dir: path.join(world, 'secrets'),
      'relative.ts': '../secrets/x.ts',
      chain1: 'chain2',
      chain2: 'chain3',
      chain3: 'chain4',
      chain4: 'chain5',
      chain5: '../secrets/x.ts',
      'dangling.ts': path.join(world, 'secrets/nothing.ts'),
      loop1: 'loop2',
      loop2: 'loop1',
      itself: 'itself/x',
    };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(root, name));
    for (const given of [...Object.keys(links), 'dir/x.ts', 'dir/nothing.ts']) {
      expect(await codeOf(workspace, given), given).toBe('outside_workspace');
      expect((await refusalOf(workspace.read(path.join(root, given)))).code, given).not.toBe('internal');
      expect(workspace.fromUri(`file://${path.join(root, given)}`).standing, given).toBe('outside');
    }
  });

  test('BND-04 a link from inside to inside is followed', async () => {
    const { root, workspace } = await openGate();
    symlinkSync('src/a.ts', path.join(root, 'link.ts'));
    symlinkSync(path.join(root, 'src'), path.join(root, 'folder'));
    symlinkSync('../app/src', path.join(root, 'around'));
    for (const given of ['link.ts', 'folder/a.ts', 'around/a.ts'])
      expect(await workspace.resolve(given)).toBe(path.join(root, 'src/a.ts'));
    expect(workspace.fromUri(`file://${root}/folder/a.ts`)).toEqual({
      path: path.join(root, 'src/a.ts'),
      standing: 'inside',
    });
    expect(await codeOf(workspace, 'folder/missing.ts')).toBe('not_found');
  });

  test('BND-05 a root that is a link works in both spellings', async () => {
    const world = temporaryFolder({ 'real/a.ts': 'x' });
    symlinkSync('real', path.join(world, 'link'));
    symlinkSync(path.join(world, 'link/a.ts'), path.join(world, 'real/by-link.ts'));
    const { workspace } = await openSandbox([path.join(world, 'link')]);
    const real = path.join(world, 'real/a.ts');
    expect(workspace.roots).toEqual([path.join(world, 'real')]);
    for (const given of ['a.ts', path.join(world, 'link/a.ts'), real, 'by-link.ts'])
      expect(await workspace.resolve(given)).toBe(real);
    expect(workspace.fromUri(`file://${world}/link/a.ts`)).toEqual({ path: real, standing: 'inside' });
    expect((await workspace.read(path.join(world, 'link/a.ts'))).path).toBe(real);
  });

  test('BND-07 a missing path lies where its nearest existing folder really is', async () => {
    const { world, root, workspace } = await openGate();
    symlinkSync(path.join(world, 'secrets'), path.join(root, 'new'));
    expect(await codeOf(workspace, 'new/deep/x')).toBe('outside_workspace');
    expect(await codeOf(workspace, 'missing/deep/x')).toBe('not_found');
    expect(await codeOf(workspace, 'src/a.ts/x')).toBe('not_found');
  });

  test('BND-08 a file with a second hard link outside is read and left as it is', async () => {
    const { world, root, workspace } = await openGate();
    linkSync(path.join(world, 'secrets/x.ts'), path.join(root, 'hard.ts'));
    expect((await workspace.read(await workspace.resolve('hard.ts'))).text).toBe(secret);
    expect(readFileSync(path.join(world, 'secrets/x.ts'), 'utf8')).toBe(secret);
  });

  test('BND-09 pipes, sockets, devices and directories are refused without waiting', async () => {
    const { root, workspace } = await openGate();
    execFileSync('mkfifo', [path.join(root, 'pipe.ts')]);
    const server = createServer().listen(path.join(root, 'socket.ts'));
    onTestFinished(() => void server.close());
    for (const [name, target] of [
      ['zero', '/dev/zero'],
      ['environ', '/proc/self/environ'],
      ['tty', '/dev/tty'],
    ] as const)
      symlinkSync(target, path.join(root, name));
    for (const given of ['pipe.ts', 'socket.ts', 'src', '.']) {
      expect(await codeOf(workspace, given)).toBe('invalid_input');
      expect((await refusalOf(workspace.read(path.join(root, given)))).code).toBe('invalid_input');
    }
    for (const given of [
      '/dev/zero',
      '/proc/self/environ',
      'file:///proc/self/environ',
      'zero',
      'environ',
      'tty',
    ])
      expect(await codeOf(workspace, given)).toBe('outside_workspace');
    expect((await refusalOf(workspace.read('/proc/self/environ'))).code).toBe('outside_workspace');
    expect((await refusalOf(workspace.resolve('src'))).message).toContain('is a folder');
  });

  test('BND-10 other schemes and hosts are refused', async () => {
    const { workspace } = await openGate();
    for (const given of [
      'http://h/x',
      'untitled:x',
      'vscode-remote://h/x',
      'jar:file:///x',
      'zipfile:/x',
      'data:,x',
    ])
      expect(await codeOf(workspace, given)).toBe('invalid_input');
    for (const given of ['file://host/share/x', '\\\\host\\share', '\\\\?\\C:\\x', '//host/share'])
      expect(await codeOf(workspace, given)).toBe('outside_workspace');
  });

  test('BND-11 an encoded path that climbs out is decoded once and refused', async () => {
    const { root, workspace } = await openGate();
    const uri = `file://${root}`;
    for (const way of [
      '/%2e%2e%2fsecrets/x.ts',
      '%2F..%2Fsecrets%2Fx.ts',
      '/..%2fsecrets/x.ts#frag',
      '/../secrets/x.ts?q',
    ])
      expect(await codeOf(workspace, uri + way), way).toBe('outside_workspace');
    expect(await codeOf(workspace, `${uri}/%252e%252e%252fsecrets/x.ts`)).toBe('not_found');
    expect(await codeOf(workspace, `${uri}/..%5Csecrets%5Cx.ts`)).toBe('not_found');
    expect(await codeOf(workspace, `${uri}/src/a.ts%00.png`)).toBe('invalid_input');
    expect(await codeOf(workspace, 'src/a.ts\0.png')).toBe('invalid_input');
    expect(await codeOf(workspace, 'file:///C%3A/x')).toBe('outside_workspace');
  });

  test('BND-12 no character of a path breaks or hides a message', async () => {
    const { root, workspace } = await openGate();
    for (const given of [
      'a\nb',
      'a\u001b[31mb',
      'a\u202eb',
      '/etc/\u2066x',
      'a\ud800b',
      'a\u0085b',
      'tag\u{e0041}',
      'q"q',
    ]) {
      const { message, nextStep } = await refusalOf(workspace.resolve(given));
      expect(`${message} ${nextStep}`).toMatch(/^[\x20-\x7e]*$/);
    }
    expect(await codeOf(workspace, 'a\ud800b')).toBe('invalid_input');
    writeFiles(root, { 'deep/a\nb.ts': 'x' });
    expect(await workspace.resolve('deep/a\nb.ts')).toBe(path.join(root, 'deep/a\nb.ts'));
    expect((await refusalOf(workspace.resolve('x'.repeat(5_000)))).message.length).toBeLessThan(300);
    expect(await codeOf(workspace, 'x'.repeat(300))).toBe('invalid_input');
    expect(await codeOf(workspace, '')).toBe('invalid_input');
  });

  test('BND-18 a server neither learns nor shows anything from outside', async () => {
    const { world, root, workspace } = await openGate();
    const library = temporaryFolder({ 'lib/lib.d.ts': 'library', 'other/x.d.ts': secret });
    symlinkSync('../other', path.join(library, 'lib/out'));
    workspace.addLibraryRoots([path.join(library, 'lib'), path.join(library, 'missing'), '/']);
    const standing = (uri: string) => workspace.fromUri(uri).standing;
    expect(workspace.fromUri('file:///etc/passwd')).toEqual({ path: '/etc/passwd', standing: 'outside' });
    expect(standing(`file://${world}/secrets/x.ts`)).toBe('outside');
    expect(standing(`file://${library}/other/x.d.ts`)).toBe('outside');
    expect(standing(`file://${library}/lib/out/x.d.ts`)).toBe('outside');
    expect(standing(`file://${library}/lib/lib.d.ts`)).toBe('library');
    expect(standing(`file://${root}/src/a.ts`)).toBe('inside');
    expect(standing(`file://${root}/src/not-yet.ts`)).toBe('inside');
    expect(workspace.fromUri('jdt://contents/x')).toEqual({ path: 'jdt://contents/x', standing: 'outside' });
    expect((await workspace.read(path.join(library, 'lib/lib.d.ts'))).text).toBe('library');
    for (const file of ['/etc/passwd', `${library}/lib/out/x.d.ts`, `${library}/lib/../other/x.d.ts`])
      expect((await refusalOf(workspace.read(file))).code).toBe('outside_workspace');
  });

  test('BND-18 the place of a URI is cached only until something changes', async () => {
    const { world, root, workspace, refresh } = await openGate();
    await refresh();
    const uri = `file://${root}/src/a.ts`;
    expect(workspace.fromUri(uri).standing).toBe('inside');
    renameSync(path.join(root, 'src'), path.join(root, 'before'));
    symlinkSync(path.join(world, 'secrets'), path.join(root, 'src'));
    await refresh();
    expect(workspace.fromUri(uri).standing).toBe('outside');
  });

  test('BND-21 a path belongs to the longest of nested roots, and each file is listed once', async () => {
    const root = temporaryFolder({ 'a.ts': '', 'sub/b.ts': '', 'node_modules/pkg/c.ts': '' });
    const nested = [root, path.join(root, 'sub'), path.join(root, 'node_modules/pkg')];
    const { workspace, refresh, files } = await openSandbox(nested);
    await refresh();
    expect(workspace.rootOf(path.join(root, 'sub/b.ts'))).toBe(path.join(root, 'sub'));
    expect(workspace.rootOf(path.join(root, 'subway'))).toBe(root);
    expect(workspace.rootOf(path.dirname(root))).toBeUndefined();
    expect(files()).toEqual(['a.ts', 'node_modules/pkg/c.ts', 'sub/b.ts']);
  });

  test('INF-04 a refusal names no root and no other path', async () => {
    const { world, workspace } = await openGate();
    const { message, nextStep } = await refusalOf(workspace.resolve('../secrets/x.ts'));
    expect(`${message} ${nextStep}`).not.toContain(world);
    expect((await refusalOf(workspace.resolve('missing.ts'))).message).not.toContain(world);
  });

  test('INF-05 existing, missing and unreadable paths outside are refused alike', async () => {
    const { world, root, workspace } = await openGate();
    symlinkSync(path.join(world, 'secrets'), path.join(root, 'out'));
    const refusals = await Promise.all(
      ['x.ts', 'y.ts'].map(async (name) => {
        const { code, message, nextStep } = await refusalOf(workspace.resolve(`out/${name}`));
        return { code, message: message.replace(name, '*'), nextStep };
      }),
    );
    expect(refusals[0]).toEqual(refusals[1]);
    expect(refusals[0]?.code).toBe('outside_workspace');
    const { message } = await refusalOf(workspace.resolve('/etc/shadow'));
    expect(message).toBe(
      (await refusalOf(workspace.resolve('/etc/sh4dow'))).message.replace('sh4dow', 'shadow'),
    );
  });

  test('a missing file is answered with files of the same name', async () => {
    const { root, workspace, refresh } = await openGate();
    writeFiles(root, { 'lib/a.ts': '', 'x/a.ts': '', 'y/a.ts': '' });
    await refresh();
    const refusal = await refusalOf(workspace.resolve('test/a.ts'));
    expect(refusal).toMatchObject({
      code: 'not_found',
      message: 'There is no file "test/a.ts" in the workspace.',
    });
    expect(refusal.nextStep).toBe('Did you mean "lib/a.ts" or "src/a.ts" or "x/a.ts"?');
  });

  test('a path without its extension is answered with the files that it may be', async () => {
    const { root, workspace, refresh } = await openGate();
    writeFiles(root, { 'lib/cart.ts': '', 'lib/card.ts': '' });
    await refresh();
    expect((await refusalOf(workspace.resolve('lib/cart'))).nextStep).toBe('Did you mean "lib/cart.ts"?');
  });

  test.each([
    ['C:\\Users\\me\\shop\\lib\\cart.ts', 'lib/cart.ts'],
    ['shop/lib/cart.ts', 'lib/cart.ts'],
    ['b/lib/cart.ts', 'lib/cart.ts'],
    ['"lib/cart.ts"', 'lib/cart.ts'],
    ['lib/cart.ts ', 'lib/cart.ts'],
    ['@lib/cart.ts', 'lib/cart.ts'],
    ['shop/lib/cart.js', 'lib/cart.ts'],
    ['shop.lib.cart', 'lib/cart.ts'],
    ['lib.cart', 'lib/cart.ts'],
    ['lib/carts.ts', 'lib/cart.ts'],
    ['/home/me/shop/lib/cart.ts', 'lib/cart.ts'],
  ])('the path %s is answered with the only file that it may be', async (given, meant) => {
    const { root, workspace, refresh } = await openGate();
    writeFiles(root, { 'lib/cart.ts': '', 'test/cart.ts': '', 'cart.ts': '' });
    await refresh();
    expect((await refusalOf(workspace.resolve(given))).nextStep).toMatch(`Did you mean "${meant}"`);
  });

  test('of a missing file, one of a similar name in its folder comes before one of its name elsewhere', async () => {
    const { root, workspace, refresh } = await openGate();
    writeFiles(root, { 'lib/errors.ts': '', 'test/error.ts': '' });
    await refresh();
    const { nextStep } = await refusalOf(workspace.resolve('lib/error.ts'));
    expect(nextStep).toBe('Did you mean "lib/errors.ts" or "test/error.ts"?');
  });

  test('several paths in one text are told to be several', async () => {
    const { root, workspace, refresh } = await openGate();
    writeFiles(root, { 'lib/cart.ts': '' });
    await refresh();
    for (const given of ['lib/cart.ts, src/a.ts', 'lib/cart.ts src/a.ts'])
      expect((await refusalOf(workspace.resolve(given))).nextStep).toMatch(/^Pass one path a call/);
  });

  test('a path from the root of the workspace that begins with a slash is answered with the file', async () => {
    const { workspace, refresh } = await openGate();
    await refresh();
    const refusal = await refusalOf(workspace.resolve('/src/a.ts'));
    expect(refusal).toMatchObject({ code: 'outside_workspace', nextStep: 'Did you mean "src/a.ts"?' });
    expect((await refusalOf(workspace.resolve('/src/b.ts'))).nextStep).toMatch(/^Pass a path inside/);
  });

  test('a relative path is looked for in each root in turn', async () => {
    const first = temporaryFolder({ 'a.ts': '1', 'both.ts': '1' });
    const second = temporaryFolder({ 'b.ts': '2', 'both.ts': '2' });
    const { workspace } = await openSandbox([first, second]);
    expect(await workspace.resolve('both.ts')).toBe(path.join(first, 'both.ts'));
    expect(await workspace.resolve('b.ts')).toBe(path.join(second, 'b.ts'));
    expect(workspace.show(path.join(second, 'b.ts'))).toBe(path.join(second, 'b.ts'));
    expect(await codeOf(workspace, 'c.ts')).toBe('not_found');
  });

  test('a root that is not a folder is refused at once', async () => {
    const world = temporaryFolder({ file: '' });
    for (const name of ['file', 'missing']) {
      const refusal = await refusalOf(openSandbox([path.join(world, name)]));
      expect(refusal.code).toBe('not_found');
    }
  });
});

describe('entries', () => {
  test('links on the way are followed, and a link at the end is the entry itself', async () => {
    const { root, workspace } = await openGate();
    symlinkSync('src', path.join(root, 'link'));
    symlinkSync('src/a.ts', path.join(root, 'a.ts'));
    const entry = (file: string) => workspace.entryFromUri(workspace.uri(path.join(root, file)));
    expect(entry('link/a.ts')).toEqual({ path: path.join(root, 'src/a.ts'), standing: 'inside' });
    expect(entry('a.ts')).toEqual({ path: path.join(root, 'a.ts'), standing: 'inside' });
    expect(entry('link')).toEqual({ path: path.join(root, 'link'), standing: 'inside' });
    expect(entry('.')).toEqual({ path: root, standing: 'inside' });
  });

  test('BND-22 a link that leads outside is an entry inside', async () => {
    const { world, root, workspace } = await openGate();
    symlinkSync(path.join(world, 'secrets'), path.join(root, 'out'));
    const uri = workspace.uri(path.join(root, 'out'));
    expect(workspace.entryFromUri(uri)).toEqual({ path: path.join(root, 'out'), standing: 'inside' });
    expect(workspace.fromUri(uri).standing).toBe('outside');
  });

  test('BND-07 for a missing entry, the nearest existing folder decides', async () => {
    const { world, root, workspace } = await openGate();
    symlinkSync(path.join(world, 'secrets'), path.join(root, 'out'));
    symlinkSync('src', path.join(root, 'in'));
    const entry = (file: string) => workspace.entryFromUri(workspace.uri(path.join(root, file)));
    expect(entry('new/deep/x')).toEqual({ path: path.join(root, 'new/deep/x'), standing: 'inside' });
    expect(entry('in/deep/x')).toEqual({ path: path.join(root, 'src/deep/x'), standing: 'inside' });
    expect(entry('out/x').standing).toBe('outside');
    expect(entry('out/deep/x').standing).toBe('outside');
  });

  test('BND-19 a path outside, or a URI that is not a file, lies outside', async () => {
    const { world, root, workspace } = await openGate();
    for (const uri of [
      workspace.uri(path.join(world, 'secrets/x.ts')),
      `${workspace.uri(root)}/../secrets/x.ts`,
      `${workspace.uri(root)}/%2e%2e/secrets/x.ts`,
      'file://other-host/x',
      'untitled:Untitled-1',
      'no uri',
    ])
      expect(workspace.entryFromUri(uri).standing).toBe('outside');
  });

  test('an entry in a library is not inside', async () => {
    const { world, workspace } = await openGate();
    workspace.addLibraryRoots([path.join(world, 'secrets')]);
    const uri = workspace.uri(path.join(world, 'secrets/new.ts'));
    expect(workspace.entryFromUri(uri).standing).toBe('library');
  });
});
