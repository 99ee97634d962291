import { statSync } from 'node:fs';
import * as vscode from 'vscode';
import { type Call, cancelSignalOf, timeLeft, within } from '../../../../src/core/call.ts';
import type { Doubt } from '../../../../src/core/doubts.ts';
import { nameSome } from '../../../../src/core/wording/name-some.ts';
import type { Change, Workspace } from '../../../../src/workspace/workspace.ts';
import { editorLimits } from '../editor-limits.ts';
import { type EditorDocuments, withOneLineEnd } from './editor-documents.ts';

/**
 * Knows which changes of the disk VS Code has noticed. lspan hears of a change before the call that follows it; VS Code tells
 * its extensions of the same change some 100 ms later, and answers from the old text until then.
 */
export class DiskWatch {
  readonly #workspace: Workspace;
  readonly #documents: EditorDocuments;
  /** Files that have changed and of which VS Code is not known to know. */
  readonly #pending = new Set<string>();
  /** The state of files when VS Code last spoke of them. */
  readonly #heard = new Map<string, string>();
  readonly #waiting = new Set<() => void>();
  readonly #subscriptions: readonly (() => void)[];

  constructor(workspace: Workspace, documents: EditorDocuments) {
    this.#workspace = workspace;
    this.#documents = documents;
    const watcher = vscode.workspace.createFileSystemWatcher('**/*');
    const hear = (uri: vscode.Uri) => this.#hear(uri);
    const ends = [
      watcher,
      ...[watcher.onDidCreate(hear), watcher.onDidChange(hear), watcher.onDidDelete(hear)],
      vscode.workspace.onDidChangeTextDocument(() => this.#wake()),
      vscode.workspace.onDidOpenTextDocument(() => this.#wake()),
    ];
    this.#subscriptions = [
      workspace.onChanges((changes) => this.#note(changes)),
      ...ends.map((end) => () => void end.dispose()),
    ];
  }

  /** Waits until VS Code knows of every change that lspan knows of; doubts those of which it does not hear in time. */
  async caughtUp(call: Call): Promise<readonly Doubt[]> {
    this.#settle();
    if (this.#pending.size === 0) return [];
    call.report('Waiting for VS Code to read changed files');
    const time = Math.min(editorLimits.noticing, timeLeft(call, editorLimits.noticingShare));
    const noticed = new Promise<void>((resolve) => {
      const look = () => {
        this.#settle();
        if (this.#pending.size > 0) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
    });
    await within(noticed, Math.max(1, time), cancelSignalOf(call));
    this.#settle();
    if (this.#pending.size === 0) return [];
    const names = nameSome([...this.#pending].map((file) => this.#workspace.show(file)));
    return [{ kind: 'indexing', server: 'vscode', detail: `VS Code has not yet read ${names}.` }];
  }

  close(): void {
    for (const end of this.#subscriptions) end();
  }

  #note(changes: readonly Change[]): void {
    // An unsaved text that is given up is read from the disk again, which takes VS Code a moment.
    for (const { path } of changes) this.#pending.add(path);
  }

  #hear(uri: vscode.Uri): void {
    if (uri.scheme !== 'file') return;
    const file = this.#workspace.fromUri(uri.toString()).path;
    if (this.#heard.size >= editorLimits.heardFiles) this.#heard.clear();
    this.#heard.set(file, stateOf(file));
    this.#wake();
  }

  #wake(): void {
    for (const look of [...this.#waiting]) look();
  }

  #settle(): void {
    for (const file of this.#pending) if (this.#isKnown(file)) this.#pending.delete(file);
  }

  /** An open document shows what VS Code has read; of other files, what it said last. */
  #isKnown(file: string): boolean {
    const document = this.#documents.at(file);
    if (document?.isDirty) return true;
    const state = stateOf(file);
    if (document === undefined || state === gone) return this.#heard.get(file) === state;
    const onDisk = this.#workspace.readNow(file);
    return onDisk === undefined || withOneLineEnd(onDisk) === withOneLineEnd(document.getText());
  }
}

const gone = 'gone';

function stateOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.mtimeNs} ${stats.size} ${stats.ino}` : gone;
}
