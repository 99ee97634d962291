import path from 'node:path';
import { LspanError } from '../../src/core/errors.ts';
import type { Entry, Tree } from '../../src/edits/disk/tree.ts';
import type { WorkspaceView } from '../../src/edits/edits.ts';
import type { Content, Operation } from '../../src/edits/plan.ts';
import { anyInode } from './inverse-of.ts';

/** What stands at a path of a tree in memory. Folders are there as soon as something is in them. */
export type Thing =
  | string
  | Buffer
  | { readonly link: string }
  | { readonly folder: true; readonly mode?: number; readonly device?: number }
  | { readonly special: true }
  | {
      readonly bytes: string | Buffer;
      readonly mode?: number;
      readonly names?: number;
      readonly device?: number;
      readonly inode?: number;
    };

interface Kept {
  readonly entry: Entry;
  readonly bytes: Buffer;
  readonly target: string;
}

/** A tree in memory: what the engine is shown, and where its operations can be carried out to see what they come to. */
export interface MemoryTree extends Tree {
  readonly root: string;
  readonly grounds: WorkspaceView;
  /** Carries operations out as plainly as they read; anything that does not fit is an error. */
  carryOut(operations: readonly Operation[]): void;
  /** Paths below the root with their bytes (folders end with a slash, links with an arrow to their target). */
  state(): Record<string, string>;
  mode(file: string): number | undefined;
  uri(file: string): string;
}

export const root = '/w';

/** A tree in memory with these things, by paths relative to its root; absolute paths are other roots or outside. */
export function memoryTree(
  things: Readonly<Record<string, Thing>>,
  options: { readonly ignoresCase?: boolean; readonly roots?: readonly string[] } = {},
): MemoryTree {
  const roots = options.roots ?? [root];
  const kept = new Map<string, Kept>();
  let inodes = 100;
  const key = (place: string) => (options.ignoresCase ? place.toLowerCase() : place);
  const spelled = new Map<string, string>();
  const put = (place: string, thing: Kept) => {
    kept.set(key(place), thing);
    spelled.set(key(place), place);
  };
  const drop = (place: string) => {
    kept.delete(key(place));
    spelled.delete(key(place));
  };
  const get = (place: string) => kept.get(key(place));
  const below = (folder: string) =>
    [...spelled.values()].filter((place) => key(place).startsWith(`${key(folder)}/`)).sort();
  const addFolders = (place: string) => {
    if (place === '/' || get(place)) return;
    addFolders(path.dirname(place));
    put(place, keptOf({ folder: true }, inodes++));
  };
  for (const each of roots) addFolders(each);
  for (const [name, thing] of Object.entries(things)) {
    const place = path.resolve(root, name);
    addFolders(path.dirname(place));
    put(place, keptOf(thing, inodes++));
  }
  const read = (place: string, most = Number.POSITIVE_INFINITY) => {
    const found = get(place);
    if (found?.entry.kind !== 'file') throw new Error(`${place} is no file`);
    if (found.bytes.length > most) throw new LspanError('limit_exceeded', 'too large');
    return found.bytes;
  };
  const list = (folder: string) =>
    below(folder)
      .filter((place) => path.dirname(place).length === folder.length)
      .map((place) => path.basename(place));
  const inFolder = (place: string) => {
    if (get(path.dirname(place))?.entry.kind !== 'folder') throw new Error(`no folder for ${place}`);
  };
  const check = (place: string, before: Content | undefined) => {
    const found = get(place);
    const seen: string | undefined = found && (found.target || found.bytes.toString('latin1'));
    const wanted = before && (before.kind === 'link' ? before.target : before.bytes.toString('latin1'));
    if (seen !== wanted) throw new Error(`${place} holds ${seen}, not ${wanted}`);
  };
  const carryOut = (operation: Operation) => {
    const { kind } = operation;
    if (kind === 'put') write(operation);
    else if (kind === 'move') move(operation);
    else if (kind === 'make_folder') makeFolder(operation);
    else remove(operation);
  };
  const write = ({ path: place, before, after }: Operation & { kind: 'put' }) => {
    check(place, before);
    inFolder(place);
    const thing = after.kind === 'link' ? { link: after.target } : { bytes: after.bytes, mode: after.mode };
    put(place, keptOf(thing, inodes++));
  };
  const makeFolder = ({ path: place, mode }: Operation & { kind: 'make_folder' }) => {
    if (get(place)) throw new Error(`${place} is there`);
    inFolder(place);
    put(place, keptOf({ folder: true, mode }, inodes++));
  };
  const remove = (operation: Operation & { kind: 'remove' | 'remove_folder' }) => {
    const { kind, path: place } = operation;
    const isFolder = get(place)?.entry.kind === 'folder';
    if (kind === 'remove') check(place, operation.before);
    else if (!isFolder || below(place).length > 0) throw new Error(`${place} is no empty folder`);
    drop(place);
  };
  const move = ({ from, to, identity }: Operation & { kind: 'move' }) => {
    const thing = get(from);
    const isKnown = thing?.entry.inode === identity.inode || identity.inode === anyInode;
    if (!thing || !isKnown) throw new Error(`${from} is another`);
    if (get(to) && key(from) !== key(to)) throw new Error(`${to} is there`);
    inFolder(to);
    for (const place of [from, ...below(from)]) {
      const each = get(place);
      if (!each) continue;
      drop(place);
      put(to + place.slice(from.length), each);
    }
  };
  const isInside = (place: string) => roots.some((each) => place === each || place.startsWith(`${each}/`));
  /** Follows links in every name but the last, and in that one too if asked. */
  const follow = (place: string, last: boolean): string => {
    let at = '/';
    const names = place.split('/').filter(Boolean);
    for (const [index, name] of names.entries()) {
      at = path.join(at, name);
      const found = get(at);
      const isLast = index === names.length - 1;
      if (found?.entry.kind !== 'link' || (isLast && !last)) continue;
      return follow(path.resolve(path.dirname(at), found.target, ...names.slice(index + 1)), last);
    }
    return at;
  };
  const judge = (uri: string, last: boolean) => {
    if (!uri.startsWith('file://')) return { path: uri, standing: 'outside' } as const;
    const place = follow(path.normalize(decodeURIComponent(uri.slice(7))), last);
    return { path: place, standing: isInside(place) ? 'inside' : 'outside' } as const;
  };
  return {
    root,
    look: (place) => get(place)?.entry,
    read,
    readLink: (place) => get(place)?.target ?? '',
    list,
    carryOut: (operations) => operations.forEach(carryOut),
    grounds: {
      roots,
      rootOf: (place) =>
        [...roots].sort((a, b) => b.length - a.length).find((each) => place.startsWith(each)),
      show: (place) => (place.startsWith(`${root}/`) ? place.slice(root.length + 1) : place),
      fromUri: (uri) => judge(uri, true),
      entryFromUri: (uri) => judge(uri, false),
      unsaved: () => new Map(),
    },
    state: () =>
      Object.fromEntries(
        below(root).map((place) => {
          const { entry, bytes, target } = get(place) ?? keptOf('', 0);
          const name = place.slice(root.length + 1);
          if (entry.kind === 'folder') return [`${name}/`, ''];
          return entry.kind === 'link' ? [`${name} ->`, target] : [name, bytes.toString('utf8')];
        }),
      ),
    mode: (file) => get(path.resolve(root, file))?.entry.mode,
    uri: (file) => `file://${path.resolve(root, file).split('/').map(encodeURIComponent).join('/')}`,
  };
}

function keptOf(thing: Thing, inode: number): Kept {
  const given = typeof thing === 'string' || Buffer.isBuffer(thing) ? { bytes: thing } : thing;
  const bytes = 'bytes' in given ? Buffer.from(given.bytes) : Buffer.alloc(0);
  const kind = 'bytes' in given ? 'file' : 'link' in given ? 'link' : 'folder' in given ? 'folder' : 'other';
  const usual = { file: 0o644, link: 0o777, folder: 0o755, other: 0o600 }[kind];
  const mode = ('mode' in given ? given.mode : undefined) ?? usual;
  const entry: Entry = {
    kind,
    mode,
    owner: 0,
    group: 0,
    device: ('device' in given ? given.device : undefined) ?? 1,
    inode: ('inode' in given ? given.inode : undefined) ?? inode,
    names: ('names' in given ? given.names : undefined) ?? 1,
    size: bytes.length,
    writable: (mode & 0o200) !== 0,
  };
  return { entry, bytes, target: 'link' in given ? given.link : '' };
}
