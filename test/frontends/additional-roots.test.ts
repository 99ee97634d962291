import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openBridge } from '../../src/bridge.ts';
import { silent } from '../../src/core/log.ts';
import { additionalRoots } from '../../src/frontends/find-workspace.ts';
import { openTestBridge, temporaryFolder } from '../test-bridge.ts';

describe('additional roots', () => {
  it('are real folders, each once', () => {
    const folder = temporaryFolder('lspan-beside-');
    const link = path.join(temporaryFolder('lspan-links-'), 'link');
    symlinkSync(folder, link);
    const given = [folder, path.basename(folder), `${folder}/.`, link];
    expect(additionalRoots(given, { cwd: path.dirname(folder), home: '/nowhere' })).toEqual([folder]);
  });

  it.each([
    ['a folder that is not there', () => '/no/such/folder', /does not exist/],
    ['a file', () => import.meta.filename, /not a readable folder/],
    ['a disk', () => '/', /whole disk/],
    ['a home directory', (home: string) => home, /home directory/],
    ['what holds one', (home: string) => path.dirname(home), /home directory/],
  ])('are refused at the start if one is %s', (_, given, why) => {
    const home = temporaryFolder('lspan-home-');
    expect(() => additionalRoots([given(home)], { cwd: home, home })).toThrow(why);
    expect(() => additionalRoots([given(home)], { cwd: home, home })).toThrow(/Give --additional-root an/);
  });

  it('may be inside a home directory', () => {
    const folder = temporaryFolder('lspan-beside-');
    const home = path.dirname(folder);
    expect(additionalRoots([folder], { cwd: home, home })).toEqual([folder]);
  });

  it('are also refused by the bridge itself', async () => {
    const settings = { roots: [temporaryFolder('lspan-root-')], surface: 'lspan', log: silent };
    for (const folder of ['/no/such/folder', '/'])
      await expect(openBridge({ ...settings, additionalRoots: [folder] })).rejects.toThrow(/additional root/);
  });

  it('are shown as external with their text, and never written', async () => {
    const beside = temporaryFolder('lspan-beside-');
    const file_path = path.join(beside, 'c.txt');
    writeFileSync(file_path, 'function gamma\ngamma\n');
    const bridge = await openTestBridge({ additionalRoots: [beside] });
    const place = { file_path, line: 2, character: 1 };
    expect((await bridge.call('find_definition', place)).data).toMatchObject({
      definitions: [{ file_path, external: 'library', text: 'function gamma' }],
    });
    const edits = [{ file_path, old_text: 'gamma', new_text: 'delta' }];
    for (const [tool, args] of [
      ['apply_workspace_edit', { edits, dry_run: false }],
      ['create_file', { file_path: path.join(beside, 'd.txt'), content: '', dry_run: false }],
      ['rename_symbol', { ...place, new_name: 'delta', dry_run: false }],
    ] as const)
      expect(await bridge.call(tool, args), tool).toMatchObject({ isError: true });
  });
});
