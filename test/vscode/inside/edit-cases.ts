import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as vscode from 'vscode';
import { object } from '../../../src/core/runtime/json.ts';
import { Client } from './gateway.ts';
import { folder, type } from './gateway-cases.ts';

const onDisk = (file: string) => readFileSync(path.join(folder(), file), 'utf8');

/** Defines the tests of the surface `lspan`, whose edits go through VS Code. */
export function editCases(): void {
  describe('the surface lspan', () => {
    it('has the tools that write', async () => {
      const tools = await (await Client.connect()).tools();
      expect(tools).toEqual(expect.arrayContaining(['find_references', 'rename_symbol', 'undo_edit']));
    });

    it('renames through VS Code: clean files are saved, a file with unsaved text keeps it unsaved', async () => {
      const client = await Client.connect();
      const dirty = await type('pkg-b/src/use.ts', 0, '// typed\n');
      const rename = {
        file_path: 'pkg-a/src/price.ts',
        symbol_name: 'addPrices',
        new_name: 'sum',
        dry_run: false,
      };
      const refused = await client.settled('rename_symbol', rename);
      expect(refused.error).toMatchObject({ code: 'refused' });
      const accepted = { ...rename, allow_incomplete: true };
      const { data, text, error } = await client.settled('rename_symbol', accepted);
      expect(error, text).toBeUndefined();
      expect(text).toContain('stays unsaved in VS Code');
      expect(onDisk('pkg-a/src/price.ts')).toContain('function sum(');
      expect(onDisk('pkg-a/src/cart.ts')).toContain('reduce(sum,');
      expect(onDisk('pkg-b/src/use.ts')).not.toContain('sum');
      expect(dirty.isDirty).toBe(true);
      expect(dirty.getText()).toMatch(/^\/\/ typed\nimport \{ sum \}/);
      const edit_id = String(object(data.edit).edit_id);
      const undone = await client.settled('undo_edit', { edit_id, dry_run: false });
      expect(undone.error, undone.text).toBeUndefined();
      expect(onDisk('pkg-a/src/price.ts')).toContain('function addPrices(');
      expect(dirty.getText()).toMatch(/^\/\/ typed\nimport \{ addPrices \}/);
      expect(dirty.isDirty).toBe(true);
    });

    it('renames everything also from a use, where TypeScript would give an import another name', async () => {
      const client = await Client.connect();
      const rename = { symbol_name: 'addPrices', new_name: 'joined', dry_run: false, allow_incomplete: true };
      const { error, text } = await client.settled('rename_symbol', {
        ...rename,
        file_path: 'pkg-a/src/cart.ts',
        line: 1,
        character: 10,
      });
      expect(error, text).toBeUndefined();
      expect(onDisk('pkg-a/src/price.ts')).toContain('function joined(');
      expect(onDisk('pkg-a/src/cart.ts')).not.toContain('addPrices');
      const undone = await client.settled('undo_edit', { dry_run: false });
      expect(undone.error, undone.text).toBeUndefined();
    });

    it('is on the undo stack of VS Code', async () => {
      const client = await Client.connect();
      const edits = [
        { file_path: 'pkg-a/src/price.ts', old_text: 'cents: number', new_text: 'cents: bigint' },
      ];
      const { error, text } = await client.settled('apply_workspace_edit', {
        edits,
        dry_run: false,
        check: false,
      });
      expect(error, text).toBeUndefined();
      expect(onDisk('pkg-a/src/price.ts')).toContain('bigint');
      const uri = vscode.Uri.file(path.join(folder(), 'pkg-a/src/price.ts'));
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('undo');
      expect(document.getText()).toContain('cents: number');
      await document.save();
    });

    it('refuses a plan whose file has changed in VS Code since', async () => {
      const client = await Client.connect();
      const edits = [
        { file_path: 'pkg-a/src/price.ts', old_text: 'cents: number', new_text: 'cents: bigint' },
      ];
      const preview = await client.settled('apply_workspace_edit', { edits, check: false });
      const plan_id = String(object(preview.data.plan).plan_id);
      const document = await type('pkg-a/src/price.ts', 0, '// typed\n');
      const applied = await client.call('apply_workspace_edit', { plan_id, dry_run: false });
      expect(applied.error).toMatchObject({ code: 'stale' });
      expect(document.getText()).not.toContain('bigint');
    });

    it('creates, moves and deletes files, and takes that back', async () => {
      const client = await Client.connect();
      const made = await client.settled('create_file', {
        file_path: 'new/one.ts',
        content: 'export {};\n',
        dry_run: false,
      });
      expect(made.error, made.text).toBeUndefined();
      expect(onDisk('new/one.ts')).toBe('export {};\n');
      const moved = await client.settled('rename_file', {
        old_path: 'new/one.ts',
        new_path: 'new/two.ts',
        dry_run: false,
      });
      expect(moved.error, moved.text).toBeUndefined();
      expect(onDisk('new/two.ts')).toBe('export {};\n');
      const undone = await client.settled('undo_edit', { dry_run: false });
      expect(undone.error, undone.text).toBeUndefined();
      expect(onDisk('new/one.ts')).toBe('export {};\n');
      const gone = await client.settled('delete_file', { file_path: 'new/one.ts', dry_run: false });
      expect(gone.error, gone.text).toBeUndefined();
      expect(() => onDisk('new/one.ts')).toThrow();
    });
  });
}
