import { createHash } from 'node:crypto';
import { limits } from '../core/limits.ts';
import { type FileText, fileTextOf } from './file-text.ts';
import type { Content } from './plan.ts';
import type { Refusals } from './refusals.ts';
import type { Tree } from './tree.ts';
import type { FileContent, VirtualFile, VirtualLink } from './virtual-node.ts';

/** Reads what the files of a plan hold, and counts it, so that no plan is larger than memory. */
export class Contents {
  readonly #tree: Tree;
  readonly #refusals: Refusals;
  #bytes = 0;

  constructor(tree: Tree, refusals: Refusals) {
    this.#tree = tree;
    this.#refusals = refusals;
  }

  /** What a file held before the first step; nothing for a file that the plan makes. */
  before(file: VirtualFile): FileContent | undefined {
    if (file.before || file.origin === undefined || !file.entry) return file.before;
    this.#count(file.entry.size);
    const bytes = this.#tree.read(file.origin, limits.edit.bytes);
    // It may have grown since it was looked at.
    this.#count(Math.max(0, bytes.length - file.entry.size));
    file.before = contentOf(bytes, file.entry.mode);
    return file.before;
  }

  /** What a file holds now as text, if it is one. */
  text(file: VirtualFile): FileText | 'binary' | 'not_utf8' | undefined {
    if (file.now) return file.now;
    const before = this.before(file);
    return before && fileTextOf(before.bytes);
  }

  /** What a file will hold, counted too. */
  after(bytes: Buffer, mode: number): FileContent {
    this.#count(bytes.length);
    return contentOf(bytes, mode);
  }

  link({ origin }: VirtualLink): Content {
    return { kind: 'link', target: this.#tree.readLink(origin) };
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > limits.edit.bytes) throw this.#refusals.tooManyBytes();
  }
}

function contentOf(bytes: Buffer, mode: number): FileContent {
  return { kind: 'file', bytes, hash: createHash('sha256').update(bytes).digest('hex'), mode };
}
