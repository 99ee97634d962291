import { createHash } from 'node:crypto';
import { limits } from '../../core/limits.ts';
import type { Tree } from '../disk/tree.ts';
import type { Content } from '../plan.ts';
import { encodedText, type FileText, fileTextOf, type NoText } from '../text/file-text.ts';
import type { Refusals } from './refusals.ts';
import type { FileContent, VirtualFile, VirtualLink } from './virtual-tree.ts';

/** Reads the contents of the files of a plan, and counts their bytes, so that no plan exceeds memory. */
export class Contents {
  readonly #tree: Tree;
  readonly #refusals: Refusals;
  readonly #readings = new WeakMap<FileContent, FileText | NoText>();
  #bytes = 0;

  constructor(tree: Tree, refusals: Refusals) {
    this.#tree = tree;
    this.#refusals = refusals;
  }

  /** Returns the content of a file before the first step; `undefined` for a file that the plan creates. */
  before(file: VirtualFile): FileContent | undefined {
    if (file.before || file.origin === undefined || !file.entry) return file.before;
    this.#count(file.entry.size);
    const bytes = this.#tree.read(file.origin, limits.edit.bytes);
    // It may have grown since its size was read.
    this.#count(Math.max(0, bytes.length - file.entry.size));
    file.before = contentOf(bytes, file.entry.mode);
    return file.before;
  }

  /** Returns the current text of a file, or why it is not text. */
  text(file: VirtualFile): FileText | NoText | undefined {
    if (file.now) return file.now;
    const before = this.before(file);
    return before && this.reading(before);
  }

  /** Returns a content as text; decoded once. */
  reading(content: FileContent): FileText | NoText {
    const known = this.#readings.get(content);
    if (known) return known;
    const reading = fileTextOf(content.bytes);
    this.#readings.set(content, reading);
    return reading;
  }

  /** Returns the future content of a file, and counts it. */
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
