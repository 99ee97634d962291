import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { quotePath } from '../../core/wording/quote-path.ts';
import { isPathWithin } from '../../platform/files/path-within.ts';
import type { FileSystem } from './file-system.ts';

/** How a folder stays the one that it was: by a descriptor through which its entries are reached, or by another look. */
export type Proof = 'descriptor' | 'path';

interface Pin {
  readonly descriptor: number;
  readonly device: number;
  readonly inode: number;
}

/**
 * The folders that are worked in, each held so that nobody can put another folder or a link in its place: what is done
 * in it is done in that folder of the workspace, or not at all.
 */
export class PinnedFolders {
  readonly #files: FileSystem;
  readonly #roots: readonly string[];
  readonly #proof: Proof;
  readonly #pins = new Map<string, Pin>();

  constructor(
    files: FileSystem,
    roots: readonly string[],
    proof: Proof = process.platform === 'linux' ? 'descriptor' : 'path',
  ) {
    this.#files = files;
    this.#roots = roots;
    this.#proof = proof;
  }

  /** The name by which an entry is reached; its real path is given. Throws where its folder is not what it is called. */
  entry(real: string): string {
    // A root is reached from within: what holds it is none of ours.
    if (this.#roots.includes(real)) return `${this.folder(real)}/.`;
    return path.join(this.folder(path.dirname(real)), path.basename(real));
  }

  /** The name by which a folder is reached. */
  folder(real: string): string {
    const pin = this.#pins.get(real) ?? this.#pin(real);
    if (this.#proof === 'descriptor') return `/proc/self/fd/${pin.descriptor}`;
    if (!this.#isStill(real, pin)) throw swapped(real);
    return real;
  }

  /** Those folders that have been moved away, or replaced, since they were pinned. */
  swapped(): readonly string[] {
    return [...this.#pins].flatMap(([real, pin]) => (this.#isStill(real, pin) ? [] : [real]));
  }

  /** A folder is moved or removed: it is no longer called what it was, nor is what it holds. */
  forget(folder: string): void {
    for (const [real, { descriptor }] of this.#pins) {
      if (!isPathWithin(folder, real)) continue;
      this.#pins.delete(real);
      if (descriptor >= 0) this.#files.close(descriptor);
    }
  }

  close(): void {
    for (const { descriptor } of this.#pins.values()) if (descriptor >= 0) this.#files.close(descriptor);
    this.#pins.clear();
  }

  #pin(real: string): Pin {
    if (!this.#roots.some((root) => isPathWithin(root, real))) throw swapped(real);
    const pin = this.#proof === 'descriptor' ? this.#open(real) : this.#recall(real);
    this.#pins.set(real, pin);
    return pin;
  }

  #open(real: string): Pin {
    const descriptor = this.#files.openFolder(real);
    if (this.#files.placeOf(descriptor) === real) return { descriptor, device: 0, inode: 0 };
    this.#files.close(descriptor);
    throw swapped(real);
  }

  #recall(real: string): Pin {
    const place = this.#files.realPath(real);
    const facts = this.#files.look(real);
    if (facts?.kind !== 'folder' || place !== real) throw swapped(real);
    return { descriptor: -1, device: facts.device, inode: facts.inode };
  }

  #isStill(real: string, { descriptor, device, inode }: Pin): boolean {
    if (descriptor >= 0) return this.#files.placeOf(descriptor) === real;
    const facts = this.#files.look(real);
    const same = facts?.kind === 'folder' && facts.device === device && facts.inode === inode;
    return same && this.#files.realPath(real) === real;
  }
}

function swapped(folder: string): LspanError {
  return new LspanError(
    'stale',
    `The folder ${quotePath(folder)} was moved or replaced by a link meanwhile.`,
    {
      nextStep: 'Call again, so that the change is worked out anew.',
    },
  );
}
