import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, onTestFinished } from 'vitest';
import * as vscode from 'vscode';
import { EditorBackend } from '../../../editors/vscode/src/backend/editor-backend.ts';
import { openWorkspace } from '../../../src/workspace/open-workspace.ts';
import { backendCases, type OpenBackend } from '../../backends/cases/backend-cases.ts';
import { registerWords } from './words.ts';

let count = 0;

/** Opens the backend over VS Code in a folder of its own, within the one that VS Code watches. */
const open: OpenBackend = async (files, condition) => {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  count += 1;
  const made = path.join(folder?.uri.fsPath ?? '', `case-${count}`);
  mkdirSync(made, { recursive: true });
  const root = realpathSync(made);
  const write = (file: string, text: string) => writeFileSync(path.join(root, file), text);
  for (const [file, text] of Object.entries(files)) write(file, text);
  const workspace = await openWorkspace({ roots: [root], log: () => {} });
  const remove = registerWords(root, condition);
  const backend = new EditorBackend(workspace, { log: () => {}, warmUp: 0 });
  onTestFinished(async () => {
    remove();
    await backend.close();
    await workspace.close();
    rmSync(root, { recursive: true, force: true });
  });
  return { backend, root, write, refresh: (call) => workspace.refresh(call) };
};

/** Defines the cases that hold for every backend. */
export function sharedCases(): void {
  describe('the backend over VS Code', () => backendCases(open));
}
