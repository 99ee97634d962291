import { existsSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FakeScript } from '../../fake-server/script.ts';
import { expectError, openTestBridge, type TestBridge, temporaryFolder } from '../../test-bridge.ts';
import { idOf, onDisk, textOf } from '../rename/renaming-bridge.ts';

const files = {
  'lib/cart.txt': 'function total\nsee ./price.txt\n',
  'lib/price.txt': 'function price\n',
  'main.txt': 'see ./lib/cart.txt for total\n',
  'README.md': '[cart](lib/cart.txt)\n',
};

/** A server that wants to be asked about moves, and knows of the one path in `main.txt`. */
function moving(newText: string): FakeScript {
  const filters = [{ pattern: { glob: '**' } }];
  const range = { start: { line: 0, character: 4 }, end: { line: 0, character: 18 } };
  const changes = { 'file://<root>/main.txt': [{ range, newText }] };
  return {
    capabilities: { workspace: { fileOperations: { willRename: { filters }, didRename: { filters } } } },
    rules: [{ on: { method: 'workspace/willRenameFiles' }, do: [{ replyValue: { changes } }] }],
  };
}

const open = (newText = './lib/basket.txt') =>
  openTestBridge({ files, servers: { fake: { lives: [moving(newText)] } } });

describe('moving a file', () => {
  it('EDT-35: writes nothing in a preview, which lists what is left to be done', async () => {
    const bridge = await open();
    const before = onDisk(bridge.root);
    const { data } = await move(bridge, 'lib/cart.txt', 'lib/basket.txt', true);
    expect(data).toMatchObject({
      plan: { files: [{ file_path: 'lib/cart.txt', new_path: 'lib/basket.txt' }, { file_path: 'main.txt' }] },
      uncovered: [{ file_path: 'README.md', line: 1, character: 8, certainty: 'text' }],
      uncovered_count: 1,
    });
    expect(onDisk(bridge.root)).toEqual(before);
  });

  it('EDT-38: takes its references along in one edit, notifies servers, and can be undone as a whole', async () => {
    const bridge = await open();
    const before = texts(bridge);
    const done = await move(bridge, 'lib/cart.txt', 'lib/basket.txt');
    expect(textOf(bridge, 'main.txt')).toBe('see ./lib/basket.txt for total\n');
    expect(textOf(bridge, 'lib/basket.txt')).toBe(files['lib/cart.txt']);
    expect(existsSync(path.join(bridge.root, 'lib/cart.txt'))).toBe(false);
    const asked = bridge.received().map(({ method }) => method);
    expect(asked.indexOf('workspace/willRenameFiles')).toBeLessThan(
      asked.indexOf('workspace/didRenameFiles'),
    );
    await bridge.call('undo_edit', { edit_id: idOf(done) });
    expect(texts(bridge)).toEqual(before);
  });

  it('has a certain result even if a text mentions it whose server is not installed', async () => {
    const marksman = { command: ['/nowhere/marksman'], extensions: ['md'] };
    const servers = { fake: { lives: [moving('./lib/basket.txt')] }, marksman };
    const bridge = await openTestBridge({ files, servers });
    const { data } = await move(bridge, 'lib/cart.txt', 'lib/basket.txt');
    expect(data).toMatchObject({ uncovered: [{ file_path: 'README.md' }], edit: { settled: true } });
    expect(data.edit).not.toHaveProperty('unsettled_because');
  });

  it('reports edits that a server got wrong, and paths inside it that the move breaks', async () => {
    const bridge = await open('./wrong/basket.txt');
    const { data } = await move(bridge, 'lib/cart.txt', 'basket.txt');
    expect(data).toMatchObject({
      uncovered: [
        { file_path: 'README.md' },
        { file_path: 'basket.txt', line: 2, text: 'see ./price.txt' },
        { file_path: 'main.txt', line: 1, text: 'see ./wrong/basket.txt for total' },
      ],
    });
  });

  it('puts it into a folder that exists or ends with a slash, and says so', async () => {
    const bridge = await open();
    mkdirSync(path.join(bridge.root, 'shop'));
    for (const given of ['shop', 'shop/', 'new/']) {
      const { data } = await move(bridge, 'lib/cart.txt', given, true);
      const new_path = `${given.replace('/', '')}/cart.txt`;
      expect(data).toMatchObject({
        adjusted: `moved into the folder, as "${new_path}"`,
        plan: { files: [{ new_path }, {}] },
      });
    }
  });

  it('EDT-21: never replaces another file, leaves the workspace, goes into itself, or to where it is', async () => {
    const bridge = await open();
    const before = onDisk(bridge.root);
    const refused = async (from: string, to: string, code: string, told: RegExp) =>
      expectError(await move(bridge, from, to), code, told);
    await refused('lib/cart.txt', 'lib/price.txt', 'refused', /"lib\/price.txt" already exists/);
    await refused('lib/cart.txt', 'lib/cart.txt', 'refused', /the same/);
    await refused('lib/cart.txt', 'lib', 'refused', /the same/);
    await refused('lib', 'lib/inner', 'refused', /into itself/);
    await refused('lib', '../lib', 'outside_workspace', /not inside/);
    await refused('.', 'other', 'refused', /workspace root/);
    await refused('gone.txt', 'other.txt', 'not_found', /no file "gone.txt"/);
    expect(onDisk(bridge.root)).toEqual(before);
  });

  it('EDT-21: can change only the case of its name', async () => {
    const bridge = await open('./lib/Cart.txt');
    await move(bridge, 'lib/cart.txt', 'lib/Cart.txt');
    expect(textOf(bridge, 'lib/Cart.txt')).toBe(files['lib/cart.txt']);
    expect(textOf(bridge, 'main.txt')).toContain('./lib/Cart.txt');
  });

  it('BND-17: must name it explicitly if it decides what is run', async () => {
    const bridge = await open();
    expectError(await move(bridge, 'lib/cart.txt', '.vscode/cart.txt'), 'protected', /\.vscode/);
  });

  it('that is a folder moves it as a whole, and leaves only paths outside it to be changed', async () => {
    const bridge = await open('./shop/cart.txt');
    const { data } = await move(bridge, 'lib', 'shop');
    expect(data).toMatchObject({
      edit: { files: [{ file_path: 'lib', new_path: 'shop' }, { file_path: 'main.txt' }] },
      uncovered: [{ file_path: 'README.md' }],
    });
    expect(textOf(bridge, 'shop/cart.txt')).toBe(files['lib/cart.txt']);
  });
});

it('moving a link with a relative path to another folder is in doubt, as it would lead elsewhere', async () => {
  const bridge = await open();
  const link = (name: string) => path.join(bridge.root, name);
  symlinkSync('main.txt', link('near.txt'));
  symlinkSync(path.join(bridge.root, 'main.txt'), link('fixed.txt'));
  expectError(
    await move(bridge, 'near.txt', 'lib/near.txt'),
    'refused',
    /from the new folder, it leads elsewhere/,
  );
  expect(readlinkSync(link('near.txt'))).toBe('main.txt');
  expect((await move(bridge, 'near.txt', 'nearer.txt')).isError).toBe(false);
  expect((await move(bridge, 'fixed.txt', 'lib/fixed.txt')).isError).toBe(false);
  const given = { old_path: 'nearer.txt', new_path: 'lib/near.txt', dry_run: false, allow_incomplete: true };
  expect((await bridge.call('rename_file', given)).isError).toBe(false);
});

describe('creating a file', () => {
  it('creates the folders that it needs, and writes exactly the given content', async () => {
    const bridge = await open();
    const made = { file_path: 'new/deep/a.txt', content: 'ERROR_x\r\nno end', dry_run: false };
    const { data } = await bridge.call('create_file', made);
    expect(data).toMatchObject({ edit: { introduced_counts: { error: 1 }, files: [{ change: 'create' }] } });
    expect(textOf(bridge, 'new/deep/a.txt')).toBe('ERROR_x\r\nno end');
  });

  it('EDT-20: never replaces one that exists, unless `overwrite` is given', async () => {
    const bridge = await open();
    const made = { file_path: 'main.txt', content: 'new\n', dry_run: false };
    expectError(await bridge.call('create_file', made), 'refused', /already exists/);
    expectError(
      await bridge.call('create_file', { ...made, file_path: 'lib' }),
      'invalid_input',
      /not a file/,
    );
    expect(textOf(bridge, 'main.txt')).toBe(files['main.txt']);
    await bridge.call('create_file', { ...made, overwrite: true });
    expect(textOf(bridge, 'main.txt')).toBe('new\n');
  });

  it('BND-07: is refused if a folder on the way leads outside', async () => {
    const bridge = await open();
    const outside = temporaryFolder('lspan-outside-');
    symlinkSync(outside, path.join(bridge.root, 'way'));
    const made = { file_path: 'way/deep/a.txt', content: 'x', dry_run: false };
    expectError(await bridge.call('create_file', made), 'outside_workspace');
    expect(existsSync(path.join(outside, 'deep'))).toBe(false);
  });
});

describe('deleting a file', () => {
  const remove = (bridge: TestBridge, file_path: string, more: object = {}) =>
    bridge.call('delete_file', { file_path, dry_run: false, ...more });

  it('is refused while other files refer to it, and they are listed', async () => {
    const bridge = await open();
    const outcome = await remove(bridge, 'lib/cart.txt');
    expectError(outcome, 'refused', /referred to in 2 places/, /README.md/, /main.txt/);
    expect(textOf(bridge, 'lib/cart.txt')).toBe(files['lib/cart.txt']);
  });

  it('works if nothing refers to it, or by force, and undoing brings it back', async () => {
    const bridge = await open();
    const before = texts(bridge);
    const done = await remove(bridge, 'lib/cart.txt', { force: true });
    expect(existsSync(path.join(bridge.root, 'lib/cart.txt'))).toBe(false);
    await bridge.call('undo_edit', { edit_id: idOf(done) });
    expect(texts(bridge)).toEqual(before);
    expect((await remove(bridge, 'main.txt')).isError).toBe(false);
  });

  it('EDT-22: needs `recursive` for a folder, and never deletes the workspace', async () => {
    const bridge = await open();
    expectError(await remove(bridge, 'lib'), 'refused', /is a folder/);
    expectError(await remove(bridge, 'lib', { recursive: true }), 'refused', /referred to in 2 places/);
    expectError(await remove(bridge, '.', { recursive: true, force: true }), 'refused', /workspace root/);
    expectError(await remove(bridge, 'gone.txt'), 'not_found');
    expect(texts(bridge)).toEqual(files);
    await remove(bridge, 'lib', { recursive: true, force: true });
    expect(existsSync(path.join(bridge.root, 'lib'))).toBe(false);
  });

  it('BND-22: deletes a link to the outside in a folder, and nothing outside', async () => {
    const bridge = await open();
    const outside = temporaryFolder('lspan-outside-');
    writeFileSync(path.join(outside, 'kept.txt'), 'kept');
    mkdirSync(path.join(bridge.root, 'old'));
    symlinkSync(outside, path.join(bridge.root, 'old/way'));
    const { isError, text } = await remove(bridge, 'old', { recursive: true });
    expect(isError, text).toBe(false);
    expect(existsSync(path.join(bridge.root, 'old'))).toBe(false);
    expect(existsSync(path.join(outside, 'kept.txt'))).toBe(true);
  });

  it('that is a link deletes only the link', async () => {
    const bridge = await open();
    symlinkSync('main.txt', path.join(bridge.root, 'link.txt'));
    expect(readlinkSync(path.join(bridge.root, 'link.txt'))).toBe('main.txt');
    await remove(bridge, 'link.txt');
    expect(existsSync(path.join(bridge.root, 'link.txt'))).toBe(false);
    expect(textOf(bridge, 'main.txt')).toBe(files['main.txt']);
  });
});

function move(bridge: TestBridge, old_path: string, new_path: string, dry_run = false) {
  return bridge.call('rename_file', { old_path, new_path, dry_run });
}

function texts(bridge: TestBridge): Record<string, string> {
  const found = Object.entries(onDisk(bridge.root));
  return Object.fromEntries(found.map(([file, text]) => [file, text.replace(/^\d+ /, '')]));
}
