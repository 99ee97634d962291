import path from 'node:path';
import { isPathWithin } from '../../platform/files/path-within.ts';
import type { Entry, Tree } from '../disk/tree.ts';
import type { Content } from '../plan.ts';
import type { FileText } from '../text/file-text.ts';

/** The tree after the steps so far: their changes on top of the disk, which is only read. */
export class VirtualTree {
  readonly #roots: readonly string[];
  readonly #disk: Tree;
  /** All entries read or changed, by their current path. */
  readonly #nodes = new Map<string, VirtualNode>();
  /** The paths of entries that steps made or moved, which the disk does not list. */
  readonly #placed = new Set<string>();

  constructor(roots: readonly string[], disk: Tree) {
    this.#roots = roots;
    this.#disk = disk;
  }

  look(place: string): VirtualNode {
    const known = this.#nodes.get(place);
    if (known) return known;
    const node = this.#fromDisk(place);
    this.#nodes.set(place, node);
    return node;
  }

  /** Sets the entry at a path, and drops everything below it. */
  set(place: string, node: VirtualNode): void {
    if (this.look(place).kind === 'folder') this.#forget(place);
    this.#place(place, node);
  }

  /** Moves an entry with everything below it. */
  move(from: string, to: string): void {
    const node = this.look(from);
    if (node.kind === 'folder') this.#moveBelow(from, to);
    this.#place(to, node);
    this.#place(from, { kind: 'gone' });
  }

  /** Returns the sorted names in a folder. */
  names(folder: string): string[] {
    const node = this.look(folder);
    if (node.kind !== 'folder') return [];
    const onDisk = node.origin === undefined ? [] : this.#disk.list(node.origin);
    const placed = [...this.#placed].filter((place) => path.dirname(place) === folder);
    const names = new Set([...onDisk, ...placed.map((place) => path.basename(place))]);
    return [...names].filter((name) => this.look(path.join(folder, name)).kind !== 'gone').sort();
  }

  /** Returns all entries read or changed, with their current paths. */
  entries(): IterableIterator<[string, VirtualNode]> {
    return this.#nodes.entries();
  }

  #moveBelow(from: string, to: string): void {
    this.#forget(to);
    for (const [place, node] of this.#below(from)) {
      const moved = to + place.slice(from.length);
      if (this.#placed.has(place)) this.#placed.add(moved);
      this.#nodes.set(moved, node);
    }
    this.#forget(from);
  }

  #place(place: string, node: VirtualNode): void {
    this.#nodes.set(place, node);
    if (node.kind === 'gone') this.#placed.delete(place);
    else this.#placed.add(place);
  }

  #forget(place: string): void {
    for (const [known] of this.#below(place)) {
      this.#nodes.delete(known);
      this.#placed.delete(known);
    }
  }

  #below(place: string): [string, VirtualNode][] {
    return [...this.#nodes].filter(([known]) => isPathWithin(place, known));
  }

  #fromDisk(place: string): VirtualNode {
    const origin = this.#roots.includes(place) ? place : this.#originOf(place);
    const entry = origin === undefined ? undefined : this.#disk.look(origin);
    return origin !== undefined && entry ? nodeOf(origin, entry) : { kind: 'gone' };
  }

  /** Returns the path on the disk of an entry below a folder that may have been moved. */
  #originOf(place: string): string | undefined {
    const parent = path.dirname(place);
    const folder = parent === place ? undefined : this.look(parent);
    if (folder?.kind !== 'folder' || folder.origin === undefined) return undefined;
    return path.join(folder.origin, path.basename(place));
  }
}

function nodeOf(origin: string, entry: Entry): VirtualNode {
  const { kind, mode, device } = entry;
  if (kind === 'file')
    return { kind, origin, entry, onDisk: true, before: undefined, now: undefined, edits: 0 };
  if (kind === 'link') return { kind, origin, entry, onDisk: true };
  return kind === 'folder' ? { kind, origin, entry, mode, device } : { kind, origin };
}

/** The entry at a path at some point of a proposal. */
export type VirtualNode = VirtualFile | VirtualLink | VirtualFolder | Gone | Special;

/** A file, wherever the steps have moved it. */
export interface VirtualFile {
  readonly kind: 'file';
  /** Its path before the first step; `undefined` for a file that the plan creates. */
  readonly origin: string | undefined;
  readonly entry: Entry | undefined;
  /** True if its old content will be at its path when texts are written: if it moves, by a move operation. */
  onDisk: boolean;
  /** Its content before the first step, once read. */
  before: FileContent | undefined;
  /** Its current text, if it has changed. */
  now: FileText | undefined;
  /** The number of places of its text that have changed. */
  edits: number;
}

/** The content of a file. */
export type FileContent = Content & { readonly kind: 'file' };

/** A symbolic link, which is moved and removed itself, not its target. */
export interface VirtualLink {
  readonly kind: 'link';
  readonly origin: string;
  readonly entry: Entry;
  /** Like that of a file. */
  onDisk: boolean;
}

/** A folder; its contents are those at `origin` on the disk, except for what the steps changed. */
export interface VirtualFolder {
  readonly kind: 'folder';
  /** `undefined` for a folder that the plan makes. */
  readonly origin: string | undefined;
  readonly entry: Entry | undefined;
  readonly mode: number;
  readonly device: number;
}

/** No entry, or no entry any more. */
export interface Gone {
  readonly kind: 'gone';
  /** The file that a step removed here, and its operation: a new file here only replaces the content. */
  readonly removed?: { readonly file: VirtualFile; readonly operation: number };
}

/** A device, a socket or a pipe. */
interface Special {
  readonly kind: 'other';
  readonly origin: string;
}
