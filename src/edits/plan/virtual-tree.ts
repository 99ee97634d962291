import path from 'node:path';
import { isPathWithin } from '../../platform/files/path-within.ts';
import type { Entry, Tree } from '../disk/tree.ts';
import type { Content } from '../plan.ts';
import type { FileText } from '../text/file-text.ts';

/** The tree as the steps so far would leave it: what they changed, laid over the disk, which is only looked at. */
export class VirtualTree {
  readonly #roots: readonly string[];
  readonly #disk: Tree;
  /** What was looked at or changed, by the path where it now is. */
  readonly #nodes = new Map<string, VirtualNode>();
  /** The paths where steps put something, which the disk does not list. */
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

  /** Puts a thing at a path; what was below is not any more. */
  set(place: string, node: VirtualNode): void {
    if (this.look(place).kind === 'folder') this.#forget(place);
    this.#place(place, node);
  }

  /** Moves what stands at a path, with all that is below it. */
  shift(from: string, to: string): void {
    const node = this.look(from);
    if (node.kind === 'folder') this.#shiftBelow(from, to);
    this.#place(to, node);
    this.#place(from, { kind: 'gone' });
  }

  /** The names in a folder, in order. */
  names(folder: string): string[] {
    const node = this.look(folder);
    if (node.kind !== 'folder') return [];
    const onDisk = node.origin === undefined ? [] : this.#disk.list(node.origin);
    const placed = [...this.#placed].filter((place) => path.dirname(place) === folder);
    const names = new Set([...onDisk, ...placed.map((place) => path.basename(place))]);
    return [...names].filter((name) => this.look(path.join(folder, name)).kind !== 'gone').sort();
  }

  /** All that was looked at or changed, with where it now is. */
  entries(): IterableIterator<[string, VirtualNode]> {
    return this.#nodes.entries();
  }

  #shiftBelow(from: string, to: string): void {
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

  /** Where the disk has what is below a folder that was perhaps moved. */
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

/** What stands at a path at some point of a proposal. */
export type VirtualNode = VirtualFile | VirtualLink | VirtualFolder | Gone | Special;

/** A file, wherever the steps have brought it. */
export interface VirtualFile {
  readonly kind: 'file';
  /** Where it was before the first step; nothing for a file that the plan makes. */
  readonly origin: string | undefined;
  readonly entry: Entry | undefined;
  /** Whether the disk will hold its old content at its place when texts are written: it was moved there, if at all. */
  onDisk: boolean;
  /** What it held before the first step, once that was read. */
  before: FileContent | undefined;
  /** What it holds now, if that is something else. */
  now: FileText | undefined;
  /** How many places of its text have changed. */
  edits: number;
}

/** The content of a file. */
export type FileContent = Content & { readonly kind: 'file' };

/** A link, which is moved and removed as itself. */
export interface VirtualLink {
  readonly kind: 'link';
  readonly origin: string;
  readonly entry: Entry;
  /** As with a file. */
  onDisk: boolean;
}

/** A folder; its content is that of the disk at `origin`, but for what the steps changed. */
export interface VirtualFolder {
  readonly kind: 'folder';
  /** Nothing for a folder that the plan makes. */
  readonly origin: string | undefined;
  readonly entry: Entry | undefined;
  readonly mode: number;
  readonly device: number;
}

/** Nothing, or nothing any more. */
export interface Gone {
  readonly kind: 'gone';
  /** The file that a step removed here, and the operation that does it: a new file here only replaces its content. */
  readonly removed?: { readonly file: VirtualFile; readonly operation: number };
}

/** A device, a socket or a pipe. */
interface Special {
  readonly kind: 'other';
  readonly origin: string;
}
