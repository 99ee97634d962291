import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { limits } from '../../core/limits.ts';

/** Files as a commit has them. */
export interface CommitFiles {
  /** Returns the bytes of a file; `undefined` if the commit does not have it, or it is too large. */
  read(path: string): Promise<Buffer | undefined>;
  close(): void;
}

/**
 * Opens the files of a commit of a repository that is on this machine; `undefined` if its objects do not have it. Git only
 * reads objects: it runs nothing that the repository names, and fetches nothing that is missing.
 */
export async function openCommit(
  git: string,
  repository: string,
  commit: string,
): Promise<CommitFiles | undefined> {
  const child = spawn(git, ['--no-pager', 'cat-file', '--batch'], {
    cwd: repository,
    env: quiet,
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  const reader = new BatchReader(child);
  const found = await reader.read(`${commit}^{commit}`);
  if (found !== undefined)
    return { read: (path) => reader.read(`${commit}:${path}`), close: () => reader.close() };
  reader.close();
  return undefined;
}

/** No protocol may be used to fetch an object that is missing: not even one that the repository's configuration allows. */
const quiet = {
  ...{ GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_NO_REPLACE_OBJECTS: '1' },
  ...{ GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
};

/** Asks `git cat-file --batch` for one object after the other. */
class BatchReader {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(child: ChildProcessByStdio<Writable, Readable, null>) {
    this.#child = child;
    this.#chunks = child.stdout[Symbol.asyncIterator]();
    // A program that cannot be started, or has ended, is one that has no answer.
    child.on('error', () => child.stdout.destroy());
    child.stdin.on('error', () => child.stdout.destroy());
  }

  /** A git that does not answer, such as about an object that is a pipe, is ended, and has no answer any more. */
  async read(object: string): Promise<Buffer | undefined> {
    if (object.includes('\n') || !this.#child.stdin.writable) return undefined;
    const timer = setTimeout(() => this.close(), limits.index.object);
    this.#child.stdin.write(`${object}\n`);
    return this.#answer().finally(() => clearTimeout(timer));
  }

  async #answer(): Promise<Buffer | undefined> {
    const head = await this.#line();
    const size = /^[0-9a-f]+ (?:blob|commit) (\d+)$/.exec(head ?? '')?.[1];
    const length = Number(size ?? /^[0-9a-f]+ \w+ (\d+)$/.exec(head ?? '')?.[1] ?? -1);
    if (length < 0) return undefined;
    const bytes = await this.#take(length, size !== undefined && length <= limits.index.part);
    await this.#take(1, false);
    return bytes;
  }

  close(): void {
    this.#child.stdin.destroy();
    this.#child.kill('SIGKILL');
  }

  async #line(): Promise<string | undefined> {
    let end = this.#rest.indexOf(0x0a);
    while (end < 0) {
      if (!(await this.#more())) return undefined;
      end = this.#rest.indexOf(0x0a);
    }
    const line = this.#rest.toString('utf8', 0, end);
    this.#rest = this.#rest.subarray(end + 1);
    return line;
  }

  /** Reads so many bytes; returns them if they are wanted. */
  async #take(length: number, isWanted: boolean): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    for (let left = length; left > 0; ) {
      if (this.#rest.length === 0 && !(await this.#more())) return undefined;
      const part = this.#rest.subarray(0, left);
      if (isWanted) parts.push(part);
      left -= part.length;
      this.#rest = this.#rest.subarray(part.length);
    }
    return isWanted ? Buffer.concat(parts) : undefined;
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#chunks.next().catch(() => ({ value: undefined, done: true }));
    if (done || value === undefined) return false;
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
    return true;
  }
}
