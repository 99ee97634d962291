import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { quotePath } from '../../core/wording/quote-path.ts';
import { isPathWithin } from '../../platform/files/path-within.ts';
import type { FileSystem } from './file-system.ts';

/** How to ensure that a folder is still the same: reach its entries through a descriptor, or check it again. */
export type Proof = 'descriptor' | 'path';

interface Pin {
  readonly descriptor: number;
  readonly device: number;
  readonly inode: number;
}

/** Pins folders, so that a change is made in that folder of the workspace, never in another or a link in its place. */
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

  /** Returns the path to use for an entry with this real path. Throws if its folder was moved or replaced. */
  entry(real: string): string {
    // A root is reached from within, because the folder above it is outside the workspace.
    if (this.#roots.includes(real)) return `${this.folder(real)}/.`;
    return path.join(this.folder(path.dirname(real)), path.basename(real));
  }

  /** Returns the path to use for a folder. */
  folder(real: string): string {
    const pin = this.#pins.get(real) ?? this.#pin(real);
    if (this.#proof === 'descriptor') return `/proc/self/fd/${pin.descriptor}`;
    if (!this.#isUnchanged(real, pin)) throw swapped(real);
    return real;
  }

  /** Returns the folders that have been moved or replaced since they were pinned. */
  swapped(): readonly string[] {
    return [...this.#pins].flatMap(([real, pin]) => (this.#isUnchanged(real, pin) ? [] : [real]));
  }

  /** Unpins a folder that was moved or removed, and the folders below it: their paths are no longer valid. */
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
    const pin = this.#proof === 'descriptor' ? this.#open(real) : this.#identify(real);
    this.#pins.set(real, pin);
    return pin;
  }

  #open(real: string): Pin {
    const descriptor = this.#files.openFolder(real);
    if (this.#files.placeOf(descriptor) === real) return { descriptor, device: 0, inode: 0 };
    this.#files.close(descriptor);
    throw swapped(real);
  }

  #identify(real: string): Pin {
    const place = this.#files.realPath(real);
    const facts = this.#files.look(real);
    if (facts?.kind !== 'folder' || place !== real) throw swapped(real);
    return { descriptor: -1, device: facts.device, inode: facts.inode };
  }

  #isUnchanged(real: string, { descriptor, device, inode }: Pin): boolean {
    if (descriptor >= 0) return this.#files.placeOf(descriptor) === real;
    const facts = this.#files.look(real);
    const same = facts?.kind === 'folder' && facts.device === device && facts.inode === inode;
    return same && this.#files.realPath(real) === real;
  }
}

function swapped(folder: string): LspanError {
  return new LspanError('stale', `The folder ${quotePath(folder)} was moved or replaced by a link.`, {
    nextStep: 'Call again to compute the change again.',
  });
}
