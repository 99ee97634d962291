import { realpathSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { LspanError } from '../../../../src/core/errors.ts';
import { limits } from '../../../../src/core/limits.ts';
import type { Log } from '../../../../src/core/log.ts';
import { inParallel } from '../../../../src/core/runtime/in-parallel.ts';
import { resultOrError } from '../../../../src/core/runtime/result.ts';
import { isPathWithin } from '../../../../src/platform/files/path-within.ts';
import type { Workspace } from '../../../../src/workspace/workspace.ts';

/** The documents of VS Code, by real path. Texts that are not saved are held in the workspace: they are the truth here. */
export class EditorDocuments {
  readonly #workspace: Workspace;
  readonly #log: Log;
  readonly #paths = new EditorPaths();
  readonly #held = new Set<string>();
  readonly #subscriptions: readonly vscode.Disposable[];

  constructor(workspace: Workspace, log: Log) {
    this.#workspace = workspace;
    this.#log = log;
    for (const document of vscode.workspace.textDocuments) this.#note(document);
    this.#subscriptions = [
      vscode.workspace.onDidOpenTextDocument((document) => this.#note(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#note(document)),
      vscode.workspace.onDidSaveTextDocument((document) => this.#note(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#note(document)),
    ];
  }

  /** Returns the URI under which VS Code knows a real path: its folders may be links. */
  uriOf(file: string): vscode.Uri {
    return this.#paths.uriOf(file);
  }

  /** Returns the document of a real path, if VS Code has it open, in an editor or not. */
  at(file: string): vscode.TextDocument | undefined {
    const uri = this.uriOf(file).toString();
    return vscode.workspace.textDocuments.find((one) => !one.isClosed && one.uri.toString() === uri);
  }

  /** Opens a document without showing it. */
  async open(file: string): Promise<vscode.TextDocument> {
    const open = this.at(file);
    if (open) return open;
    return Promise.resolve(vscode.workspace.openTextDocument(this.uriOf(file))).catch((cause: unknown) => {
      const message = `VS Code cannot open ${this.#workspace.show(file)} as text.`;
      throw new LspanError('not_supported', message, { cause, nextStep: 'Search the text instead.' });
    });
  }

  /** Opens documents, a few at a time; those that are no text stay closed. */
  async openAll(files: readonly string[]): Promise<void> {
    const closed = files.filter((file) => this.at(file) === undefined);
    await inParallel(closed, limits.fileReferences.atOnce, async (file) => {
      await this.open(file).catch(() => undefined);
    });
  }

  /** Returns the files with texts that are not saved. */
  unsaved(): readonly string[] {
    return [...this.#held];
  }

  close(): void {
    for (const one of this.#subscriptions) one.dispose();
    for (const file of this.#held) resultOrError(() => this.#workspace.hold(file, undefined));
    this.#held.clear();
  }

  #note(document: vscode.TextDocument): void {
    if (document.uri.scheme !== 'file') return;
    const { path: file, standing } = this.#workspace.fromUri(document.uri.toString());
    const text = document.isDirty && !document.isClosed ? document.getText() : undefined;
    if (standing !== 'inside' || (text === undefined && !this.#held.has(file))) return;
    const refused = resultOrError(() => this.#workspace.hold(file, text));
    if (text === undefined) this.#held.delete(file);
    else this.#held.add(file);
    if (refused instanceof Error) this.#log('warn', 'unsaved_text_refused', { file, error: refused });
  }
}

/** Maps real paths to those under which VS Code knows its folders, which may be links. */
export class EditorPaths {
  readonly #folders = (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => {
    const real = resultOrError(() => realpathSync(uri.fsPath));
    return real instanceof Error ? [] : [{ given: uri.fsPath, real }];
  });

  uriOf(file: string): vscode.Uri {
    const folder = this.#folders.find(({ real }) => isPathWithin(real, file));
    return vscode.Uri.file(folder ? path.join(folder.given, path.relative(folder.real, file)) : file);
  }
}

/** Returns a text as VS Code has it, which gives all lines of a file the same end. */
export function withOneLineEnd(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
