import { type ChildProcessByStdio, spawn } from 'node:child_process';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { limits } from '../../core/limits.ts';

/** Files as a commit has them. */
export interface CommitFiles {
  /** Returns the bytes of a file; `undefined` if the commit does not have it, or it cannot be read. */
  read(path: string): Promise<Buffer | undefined>;
  close(): void;
}

/** A repository on this machine, and the git that reads its objects. */
interface ObjectSource {
  readonly git: string;
  readonly repository: string;
  /** The user's settings say whose repositories may be read. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Opens the files of a commit, given by the first digits of its id at least; `undefined` if the repository does not have it.
 * Git only reads objects: it runs nothing that the repository names, and fetches nothing that is missing.
 */
export async function openCommit(source: ObjectSource, commit: string): Promise<CommitFiles | undefined> {
  let reader = new BatchReader(source);
  const found = await reader.read(`${commit}^{commit}`);
  // A tag or a branch may have the name of another commit.
  const id = found !== 'ended' && found?.id.startsWith(commit.toLowerCase()) ? found.id : undefined;
  if (id === undefined) {
    reader.close();
    return undefined;
  }
  let ends = 0;
  const read = async (file: string) => {
    if (ends > limits.index.gitEnds) return undefined;
    const object = await reader.read(`${id}:${file}`);
    if (object !== 'ended') return object?.bytes;
    // It ends at some faults of one object. The others may be whole.
    ends += 1;
    reader.close();
    reader = new BatchReader(source);
    return undefined;
  };
  return { read, close: () => reader.close() };
}

/** No protocol may be used to fetch an object that is missing: not even one that the repository's configuration allows. */
const quiet = {
  ...{ GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_NO_REPLACE_OBJECTS: '1' },
  ...{ GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
};

interface GitObject {
  readonly id: string;
  /** Absent if it is no file or commit, or too large. */
  readonly bytes: Buffer | undefined;
}

/** Asks `git cat-file --batch` for one object after the other. */
class BatchReader {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor({ git, repository, environment: { HOME, XDG_CONFIG_HOME } }: ObjectSource) {
    this.#child = spawn(git, ['--no-pager', 'cat-file', '--batch'], {
      cwd: repository,
      // A folder that only looks like a repository is not taken for a part of the one around it.
      env: { ...quiet, HOME, XDG_CONFIG_HOME, GIT_CEILING_DIRECTORIES: path.dirname(repository) },
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    this.#chunks = this.#child.stdout[Symbol.asyncIterator]();
    // A program that cannot be started, or has ended, is one that has no answer.
    this.#child.on('error', () => this.#child.stdout.destroy());
    this.#child.stdin.on('error', () => this.#child.stdout.destroy());
  }

  /** Returns `undefined` if there is no such object. A git that does not answer, such as about a pipe, is ended. */
  async read(object: string): Promise<GitObject | undefined | 'ended'> {
    if (object.includes('\n')) return undefined;
    const timer = setTimeout(() => this.close(), limits.index.object);
    this.#child.stdin.write(`${object}\n`);
    return this.#answer().finally(() => clearTimeout(timer));
  }

  close(): void {
    this.#child.stdin.destroy();
    this.#child.kill('SIGKILL');
  }

  async #answer(): Promise<GitObject | undefined | 'ended'> {
    const head = await this.#line();
    if (head === undefined) return 'ended';
    const [, id, kind, size] = /^([0-9a-f]+) (\w+) (\d+)$/.exec(head) ?? [];
    if (id === undefined) return undefined;
    const isWanted = (kind === 'blob' || kind === 'commit') && Number(size) <= limits.index.part;
    const bytes = await this.#take(Number(size), isWanted);
    const end = bytes && (await this.#take(1, false));
    return end === undefined ? 'ended' : { id, bytes: isWanted ? bytes : undefined };
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

  /** Reads so many bytes; returns them if they are wanted, and `undefined` if there are fewer. */
  async #take(length: number, isWanted: boolean): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    for (let left = length; left > 0; ) {
      if (this.#rest.length === 0 && !(await this.#more())) return undefined;
      const part = this.#rest.subarray(0, left);
      if (isWanted) parts.push(part);
      left -= part.length;
      this.#rest = this.#rest.subarray(part.length);
    }
    return Buffer.concat(parts);
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#chunks.next().catch(() => ({ value: undefined, done: true }));
    if (done || value === undefined) return false;
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
    return true;
  }
}
