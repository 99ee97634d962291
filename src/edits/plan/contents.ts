import { createHash } from 'node:crypto';
import { limits } from '../../core/limits.ts';
import type { Tree } from '../disk/tree.ts';
import type { Content } from '../plan.ts';
import { encodedText, type FileText, fileTextOf, type NoText } from '../text/file-text.ts';
import type { Refusals } from './refusals.ts';
import type { FileContent, VirtualFile, VirtualLink } from './virtual-tree.ts';

/** Reads what the files of a plan hold, and counts it, so that no plan is larger than memory. */
export class Contents {
  readonly #tree: Tree;
  readonly #refusals: Refusals;
  readonly #readings = new WeakMap<FileContent, FileText | NoText>();
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
  text(file: VirtualFile): FileText | NoText | undefined {
    if (file.now) return file.now;
    const before = this.before(file);
    return before && this.reading(before);
  }

  /** How a content reads as text; worked out once. */
  reading(content: FileContent): FileText | NoText {
    const known = this.#readings.get(content);
    if (known) return known;
    const reading = fileTextOf(content.bytes);
    this.#readings.set(content, reading);
    return reading;
  }

  /** What a file will hold, counted too. */
  after(text: FileText, mode: number): FileContent {
    const content = contentOf(encodedText(text), mode);
    this.#count(content.bytes.length);
    this.#readings.set(content, text);
    return content;
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
