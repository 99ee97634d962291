import * as vscode from 'vscode';
import { LspanError } from '../../../../src/core/errors.ts';
import { nameSome } from '../../../../src/core/wording/name-some.ts';
import type { Operation, Plan } from '../../../../src/edits/plan.ts';
import type { Workspace } from '../../../../src/workspace/workspace.ts';
import { EditorPaths, withOneLineEnd } from './editor-documents.ts';
import { textOf } from './inverse-edit.ts';

type Put = Extract<Operation, { kind: 'put' }>;

/**
 * Applies a plan by one change of VS Code, which its own undo takes back. Files without unsaved changes are saved; others stay
 * as they are, changed and not saved. Returns what the caller should know about that.
 */
export async function applyInEditor(plan: Plan, workspace: Workspace): Promise<string | undefined> {
  const paths = new EditorPaths();
  const edit = new vscode.WorkspaceEdit();
  const clean: vscode.Uri[] = [];
  const dirty: string[] = [];
  const moved = new Map<string, string>();
  for (const operation of plan.operations) {
    if (operation.kind === 'put' && operation.before) {
      const from = moved.get(operation.path) ?? operation.path;
      const document = await vscode.workspace.openTextDocument(paths.uriOf(from));
      const uri = paths.uriOf(operation.path);
      replaceText(edit, uri, document, operation, workspace);
      if (document.isDirty) dirty.push(operation.path);
      else clean.push(uri);
    } else addFileOperation(edit, operation, paths, moved);
  }
  // As a refactoring, VS Code would save every file, also those that were not saved before.
  if (!(await vscode.workspace.applyEdit(edit))) throw notApplied();
  const unsaved = await save(clean);
  const left = [...dirty.map((path) => workspace.show(path)), ...unsaved].sort();
  if (left.length === 0) return undefined;
  return `${nameSome(left)} stays unsaved in VS Code, as it was before: the disk still has the old text.`;
}

/** Replaces only what differs, so that cursors, folds and marks elsewhere stay where they are. */
function replaceText(
  edit: vscode.WorkspaceEdit,
  uri: vscode.Uri,
  document: vscode.TextDocument,
  { path, before, after }: Put,
  workspace: Workspace,
): void {
  if (!before || before.kind === 'link' || after.kind === 'link') throw linksAreNotEdited();
  const [old, young, present] = [textOf(before), textOf(after), document.getText()].map(withOneLineEnd);
  if (old === undefined || young === undefined || present !== old) throw changedSince(workspace.show(path));
  let start = 0;
  while (start < old.length && start < young.length && old[start] === young[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, young.length) - start;
  while (end < most && old[old.length - 1 - end] === young[young.length - 1 - end]) end += 1;
  const range = new vscode.Range(positionIn(old, start), positionIn(old, old.length - end));
  edit.replace(uri, range, young.slice(start, young.length - end));
}

/** Line ends count as one character in this text, whatever the document has. */
function positionIn(text: string, offset: number): vscode.Position {
  const lines = text.slice(0, offset).split('\n');
  return new vscode.Position(lines.length - 1, lines.at(-1)?.length ?? 0);
}

function addFileOperation(
  edit: vscode.WorkspaceEdit,
  operation: Operation,
  paths: EditorPaths,
  moved: Map<string, string>,
): void {
  if (operation.kind === 'move') {
    edit.renameFile(paths.uriOf(operation.from), paths.uriOf(operation.to));
    moved.set(operation.to, operation.from);
    return;
  }
  const uri = paths.uriOf(operation.path);
  if (operation.kind === 'put') {
    if (operation.after.kind === 'link') throw linksAreNotEdited();
    edit.createFile(uri, { contents: operation.after.bytes });
  } else if (operation.kind === 'remove') edit.deleteFile(uri);
  else if (operation.kind === 'remove_folder') edit.deleteFile(uri, { recursive: true });
  // VS Code makes the folders of a file with it.
}

/** Returns the files that could not be saved. */
async function save(clean: readonly vscode.Uri[]): Promise<readonly string[]> {
  const left: string[] = [];
  for (const uri of clean) {
    const document = await vscode.workspace.openTextDocument(uri);
    if (document.isDirty && !(await document.save())) left.push(uri.fsPath);
  }
  return left;
}

function changedSince(file: string): LspanError {
  const message = `${file} has changed in VS Code since the change was planned. Nothing was changed.`;
  return new LspanError('stale', message, { nextStep: 'Preview the change again, and apply that.' });
}

function notApplied(): LspanError {
  const message = 'VS Code did not apply the change: a file has changed meanwhile, or cannot be written.';
  return new LspanError('stale', message, { nextStep: 'Preview the change again, and apply that.' });
}

function linksAreNotEdited(): LspanError {
  return new LspanError('not_supported', 'VS Code cannot change symbolic links. Nothing was changed.', {
    nextStep: 'Change the link another way.',
  });
}
