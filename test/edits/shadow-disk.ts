import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** What a disk holds under a number; names are kept by folders alone. */
export type Thing =
  | { readonly kind: 'file'; bytes: Buffer; mode: number }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'folder'; readonly names: Map<string, number>; mode: number };

/** Something that was asked of a disk, and that is on it for certain only when it was synced. */
export type Happening =
  | { readonly kind: 'made'; readonly inode: number; readonly thing: () => Thing }
  /** One change of names, which is there as a whole or not at all. */
  | { readonly kind: 'names'; readonly changes: readonly NameChange[] }
  | { readonly kind: 'bytes'; readonly inode: number; readonly bytes: Buffer }
  | { readonly kind: 'mode'; readonly inode: number; readonly mode: number }
  /** What had happened to this file or folder before the happening of that number is on the disk. */
  | { readonly kind: 'synced'; readonly inode: number; readonly before: number };

/** A name in a folder means something else, or nothing any more. */
export interface NameChange {
  readonly folder: number;
  readonly name: string;
  readonly inode: number | undefined;
}

type Place = Pick<NameChange, 'folder' | 'name'>;

/** A disk in memory, as it would be found if the system stopped at this moment and nothing were lost. */
export class ShadowDisk {
  readonly things = new Map<number, Thing>();
  /** The number of the folder that all paths begin in. */
  readonly root: number;
  /** Where folders are; worked out again when names have changed. */
  #places: Map<number, Place> | undefined;

  constructor(root: number) {
    this.root = root;
  }

  thing(inode: number): Thing {
    const thing = this.things.get(inode);
    if (!thing) throw new Error(`There is nothing with the number ${inode}.`);
    return thing;
  }

  names(inode: number): Map<string, number> {
    const thing = this.thing(inode);
    if (thing.kind !== 'folder') throw new Error(`${inode} is no folder.`);
    return thing.names;
  }

  /** How many names a thing has. */
  count(inode: number): number {
    const folders = [...this.things.values()].flatMap((thing) =>
      thing.kind === 'folder' ? [...thing.names.values()] : [],
    );
    return folders.filter((one) => one === inode).length;
  }

  /** The path of a folder; nothing where it has none any more. */
  pathOf(inode: number): string | undefined {
    if (inode === this.root) return '/';
    this.#places ??= this.#findPlaces();
    const { folder, name } = this.#places.get(inode) ?? {};
    const above = folder === undefined ? undefined : this.pathOf(folder);
    return above === undefined || name === undefined ? undefined : path.join(above, name);
  }

  #findPlaces(): Map<number, Place> {
    const folders = [...this.things].flatMap(([folder, thing]) =>
      thing.kind === 'folder' ? [...thing.names].map(([name, inode]) => ({ folder, name, inode })) : [],
    );
    return new Map(folders.map(({ inode, ...place }) => [inode, place]));
  }

  take(happening: Happening): void {
    if (happening.kind === 'made') this.things.set(happening.inode, happening.thing());
    if (happening.kind === 'names') for (const change of happening.changes) this.#rename(change);
    if (happening.kind !== 'bytes' && happening.kind !== 'mode') return;
    const thing = this.thing(happening.inode);
    if (happening.kind === 'bytes' && thing.kind === 'file') thing.bytes = happening.bytes;
    if (happening.kind === 'mode' && thing.kind !== 'link') thing.mode = happening.mode;
  }

  #rename({ folder, name, inode }: NameChange): void {
    this.#places = undefined;
    if (inode === undefined) this.names(folder).delete(name);
    else this.names(folder).set(name, inode);
  }

  copy(): ShadowDisk {
    const copied = new ShadowDisk(this.root);
    for (const [inode, thing] of this.things)
      copied.things.set(
        inode,
        thing.kind === 'folder' ? { ...thing, names: new Map(thing.names) } : { ...thing },
      );
    return copied;
  }

  /** What tells this disk from others: all that has a path, with its numbers. */
  key(): string {
    const found: unknown[] = [];
    const visit = (inode: number, name: string) => {
      const thing = this.thing(inode);
      if (thing.kind === 'file') found.push(name, inode, thing.mode, thing.bytes.toString('latin1'));
      else found.push(name, inode, thing.kind === 'folder' ? thing.mode : thing.target);
      if (thing.kind !== 'folder') return;
      for (const [below, child] of [...thing.names].sort()) visit(child, below);
      found.push('.');
    };
    visit(this.root, '');
    return JSON.stringify(found);
  }

  /** Everything below a path, in the form of a snapshot of a sandbox. */
  snapshot(folder: string): Record<string, string> {
    const found: Record<string, string> = {};
    const visit = (inode: number, inside: string) => {
      for (const [name, child] of this.names(inode)) {
        const place = path.join(inside, name);
        const thing = this.thing(child);
        if (thing.kind === 'link') found[place] = `-> ${thing.target}`;
        else
          found[place] =
            `${thing.mode.toString(8)} ${thing.kind === 'folder' ? 'folder' : thing.bytes.toString()}`;
        if (thing.kind === 'folder') visit(child, place);
      }
    };
    const start = this.find(folder);
    if (start !== undefined) visit(start, '');
    return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The number of what is at a path; nothing where nothing is. */
  find(place: string): number | undefined {
    let inode: number | undefined = this.root;
    for (const name of place.split('/').filter((one) => one !== '')) {
      const thing: Thing = this.thing(inode);
      inode = thing.kind === 'folder' ? thing.names.get(name) : undefined;
      if (inode === undefined) return undefined;
    }
    return inode;
  }
}

/** A disk that holds what a folder of the real one holds, under the same numbers, and of all above only the way there. */
export function shadowOf(folder: string): ShadowDisk {
  const disk = new ShadowDisk(lstatSync('/').ino);
  const load = (place: string, names: readonly string[]): number => {
    const stats = lstatSync(place);
    const mode = stats.mode & 0o7777;
    if (stats.isSymbolicLink()) disk.things.set(stats.ino, { kind: 'link', target: readlinkSync(place) });
    else if (stats.isFile()) disk.things.set(stats.ino, { kind: 'file', bytes: readFileSync(place), mode });
    else {
      const inside = names.map((name): [string, number] => {
        const below = path.join(place, name);
        const isAbove = folder.startsWith(`${below}/`);
        return [name, load(below, isAbove ? [nextName(below, folder)] : namesIn(below))];
      });
      disk.things.set(stats.ino, { kind: 'folder', names: new Map(inside), mode });
    }
    return stats.ino;
  };
  load('/', [nextName('/', folder)]);
  return disk;
}

function nextName(above: string, folder: string): string {
  return path.relative(above, folder).split('/')[0] ?? '';
}

function namesIn(place: string): readonly string[] {
  return lstatSync(place).isDirectory() ? readdirSync(place) : [];
}
