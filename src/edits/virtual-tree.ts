import path from 'node:path';
import { isWithin } from '../platform/is-within.ts';
import type { Entry, Tree } from './tree.ts';
import type { VirtualNode } from './virtual-node.ts';

/** The tree as the steps so far would leave it: what they changed, laid over the disk, which is only looked at. */
export class VirtualTree {
  readonly #roots: readonly string[];
  readonly #disk: Tree;
  /** What was looked at or changed, by the path where it now is. */
  readonly #nodes = new Map<string, VirtualNode>();

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

  set(place: string, node: VirtualNode): void {
    this.#forget(place);
    this.#nodes.set(place, node);
  }

  /** Moves what stands at a path, with all that is below it. */
  shift(from: string, to: string): void {
    this.#forget(to);
    const moved = [...this.#nodes].filter(([place]) => isWithin(from, place));
    this.#forget(from);
    for (const [place, node] of moved) this.#nodes.set(to + place.slice(from.length), node);
    this.#nodes.set(from, { kind: 'gone' });
  }

  /** The names in a folder, in order. */
  names(folder: string): string[] {
    const node = this.look(folder);
    if (node.kind !== 'folder') return [];
    const onDisk = node.origin === undefined ? [] : this.#disk.list(node.origin);
    const known = [...this.#nodes.keys()].filter((place) => path.dirname(place) === folder);
    const names = new Set([...onDisk, ...known.map((place) => path.basename(place))]);
    names.delete('');
    return [...names].filter((name) => this.look(path.join(folder, name)).kind !== 'gone').sort();
  }

  /** All that was looked at or changed, with where it now is. */
  entries(): IterableIterator<[string, VirtualNode]> {
    return this.#nodes.entries();
  }

  #forget(place: string): void {
    for (const known of this.#nodes.keys()) if (isWithin(place, known)) this.#nodes.delete(known);
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
