import type { Stats } from 'node:fs';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { BoundedCache, SharedQuota } from '../../core/runtime/bounded-cache.ts';
import { mebibytes } from '../../core/wording/mebibytes.ts';
import { quotePath } from '../../core/wording/quote-path.ts';
import type { AllowedFolders, LocatedPath } from '../gate/allowed-folders.ts';
import { outsideWorkspace } from '../gate/given-path.ts';
import { type Bytes, readInside } from '../gate/read-inside.ts';
import { realPath } from '../gate/real-path.ts';
import { type Document, decodeDocument } from './document.ts';

/** Knows whether a file has changed since it was read. */
interface ChangeTracker {
  /** True if a change to this file would be reported. */
  isTracked(path: string): boolean;
  /** Reports changes to this file since it was read with these stats. */
  track(path: string, stats: Stats): void;
  /** Returns the text that counts instead of the disk's. */
  unsaved(path: string): Document | undefined;
  show(path: string): string;
}

/** Caches the texts of files until a change is reported or memory runs short. */
export class Documents {
  readonly #allowed: AllowedFolders;
  readonly #tracker: ChangeTracker;
  readonly #largest: number;
  readonly #cache = new BoundedCache<Document>({ quota: new SharedQuota(limits.documentCache) });

  /** @param largest Size limit of a file that is read, in bytes. */
  constructor(allowed: AllowedFolders, tracker: ChangeTracker, largest: number = limits.document) {
    this.#largest = largest;
    this.#allowed = allowed;
    this.#tracker = tracker;
  }

  cached(path: string): Document | undefined {
    const unsaved = this.#tracker.unsaved(path);
    const cached = this.#cache.peek(path);
    return unsaved ?? (cached && this.#tracker.isTracked(path) ? cached : undefined);
  }

  read(path: string): Document {
    const unsaved = this.#tracker.unsaved(path);
    if (unsaved) return unsaved;
    const cached = this.#cache.get(path);
    const isTracked = this.#tracker.isTracked(path);
    if (cached && isTracked) return cached;
    this.forget(path);
    const located = this.#allowed.locate(path);
    if (!located) throw outsideWorkspace(path);
    return located.path === path ? this.#load(located, isTracked) : this.read(located.path);
  }

  forget(path: string): void {
    this.#cache.delete(path);
  }

  #load(located: LocatedPath, isTracked: boolean): Document {
    const { path } = located;
    const result = readInside(this.#allowed, path, this.#largest);
    if (result.kind === 'link') return this.#loadTarget(located);
    if (result.kind !== 'bytes') throw this.#refusal(path, result.kind);
    const document = decodeDocument(path, result.bytes);
    if (typeof document === 'string') throw this.#refusal(path, document);
    if (!isTracked) this.#tracker.track(path, result.stats);
    this.#cache.set(path, document, result.bytes.length);
    return document;
  }

  #loadTarget(link: LocatedPath): Document {
    const followed = realPath(this.#allowed, link);
    if (followed.kind === 'found' && followed.path !== link.path) return this.read(followed.path);
    throw outsideWorkspace(link.path);
  }

  #refusal(path: string, kind: Refusal): LspanError {
    const shown = quotePath(this.#tracker.show(path));
    if (kind === 'outside') return outsideWorkspace(path);
    if (kind === 'missing')
      return new LspanError('not_found', `There is no file ${shown} in the workspace.`, {
        nextStep: 'Pass the path of an existing file, relative to the root of the workspace.',
      });
    if (kind === 'too_large')
      return new LspanError('limit_exceeded', `${shown} is larger than ${mebibytes(this.#largest)}.`, {
        nextStep: 'Read the file with another tool; language servers are not asked about files of this size.',
      });
    if (kind === 'crowded')
      return new LspanError('busy', `${shown} cannot be opened: too many files are open.`, {
        nextStep: 'Close other programs, or raise the limit (ulimit -n), and call again.',
      });
    return new LspanError('invalid_input', `${shown} ${complaints[kind]}.`, {
      nextStep: 'Pass the path of a text file.',
    });
  }
}

type Refusal = Exclude<Bytes['kind'], 'bytes' | 'link'> | 'binary' | 'not_utf8';

const complaints = {
  directory: 'is a folder, not a file',
  special: 'is not a regular file',
  unreadable: 'cannot be read',
  binary: 'is a binary file',
  not_utf8: 'is not valid UTF-8 text',
} as const satisfies Partial<Record<Refusal, string>>;
