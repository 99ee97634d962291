import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { makePrivateFolder } from '../files/private-folder.ts';
import { isRunning } from '../processes/process-facts.ts';

/**
 * A folder that appears under its name only when it is whole. It is filled under another name, which begins with a dot
 * and names the process that fills it.
 */
export class InstallFolder {
  readonly #parent: string;
  readonly #name: string;
  /** Where it is filled. */
  readonly draft: string;

  constructor(parent: string, name: string) {
    this.#parent = parent;
    this.#name = name;
    this.draft = path.join(parent, `.${name}.${process.pid}.${randomUUID()}`);
  }

  get isThere(): boolean {
    return existsSync(path.join(this.#parent, this.#name));
  }

  /** Makes the draft with some files, and removes drafts of processes that are gone. */
  begin(files: Readonly<Record<string, string>>): void {
    makePrivateFolder(this.#parent);
    for (const name of readdirSync(this.#parent)) if (isAbandoned(name)) this.#remove(name);
    makePrivateFolder(this.draft);
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(this.draft, name), text);
  }

  /** Gives the draft its name, unless another process has just done the same, and removes what it replaces. */
  finish(replaces: (name: string) => boolean): void {
    const moved = resultOrError(() => renameSync(this.draft, path.join(this.#parent, this.#name)));
    if (moved instanceof LspanError && !this.isThere) throw moved.cause;
    this.discard();
    for (const name of readdirSync(this.#parent))
      if (name !== this.#name && !name.startsWith('.') && replaces(name)) this.#remove(name);
  }

  /** Removes the draft. */
  discard(): void {
    rmSync(this.draft, { recursive: true, force: true });
  }

  /** Under a dotted name first: a folder that is removed in part must not be used. */
  #remove(name: string): void {
    const place = path.join(this.#parent, name);
    const gone = name.startsWith('.')
      ? place
      : path.join(this.#parent, `.${name}.${process.pid}.${randomUUID()}`);
    if (gone !== place) renameSync(place, gone);
    rmSync(gone, { recursive: true, force: true });
  }
}

function isAbandoned(name: string): boolean {
  const [, pid] = /^\..*\.(\d+)\.[\da-f-]{36}$/.exec(name) ?? [];
  return pid !== undefined && Number(pid) !== process.pid && !isRunning(Number(pid));
}
