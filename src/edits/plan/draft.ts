import { createHash } from 'node:crypto';
import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { isPathWithin } from '../../platform/files/path-within.ts';
import { creationMask } from '../../platform/files/umask.ts';
import type { Entry, Tree } from '../disk/tree.ts';
import type { WorkspaceView } from '../edits.ts';
import type { Content, Identity, Operation } from '../plan.ts';
import { encodedText, type FileText, fileTextOf, type NoText } from '../text/file-text.ts';
import { ProtectedFiles } from './protected-files.ts';
import type { Refusals } from './refusals.ts';
import {
  type FileContent,
  type Gone,
  type VirtualFile,
  type VirtualFolder,
  type VirtualLink,
  type VirtualNode,
  VirtualTree,
} from './virtual-tree.ts';

/** A plan in progress: the tree after the steps so far, and the operations that lead there, without the texts. */
export class Draft {
  readonly tree: VirtualTree;
  readonly contents: Contents;
  readonly protectedFiles: ProtectedFiles;
  readonly refusals: Refusals;
  readonly #disk: Tree;
  readonly #roots: readonly string[];
  readonly #operations: (Operation | undefined)[] = [];
  /** The operations that move each file or link, by index. */
  readonly #moves = new Map<VirtualFile | VirtualLink, readonly number[]>();
  readonly #removed = new Map<VirtualFile | VirtualLink | VirtualFolder, string>();
  readonly #movedFolders = new Set<VirtualFolder>();

  constructor(view: WorkspaceView, disk: Tree, refusals: Refusals) {
    this.#disk = disk;
    this.#roots = view.roots;
    this.refusals = refusals;
    this.tree = new VirtualTree(view.roots, disk);
    this.contents = new Contents(disk, refusals);
    this.protectedFiles = new ProtectedFiles(view, this.tree, refusals);
  }

  get operations(): Operation[] {
    return this.#operations.filter((operation) => operation !== undefined);
  }

  /** True if any step so far did more than change texts. */
  get hasOperations(): boolean {
    return this.#operations.length > 0;
  }

  /** The entries that the steps removed, with their paths before the first step. */
  get removed(): ReadonlyMap<VirtualFile | VirtualLink | VirtualFolder, string> {
    return this.#removed;
  }

  /** Sets the text of a file. */
  write(place: string, file: VirtualFile, now: FileText, edits: number): void {
    this.protectedFiles.add(place);
    this.#refuseReadOnly(place, file);
    this.#writableFolder(path.dirname(place));
    if (Buffer.byteLength(now.text) > limits.edit.document) throw this.refusals.tooLarge(place);
    file.now = now;
    file.edits += edits;
  }

  /** Creates a file at a free path. If a step removed one there, replaces the content of that one instead. */
  create(place: string, now: FileText): void {
    this.protectedFiles.add(place);
    this.#makeFolder(path.dirname(place));
    const node = this.tree.look(place);
    const removed = node.kind === 'gone' ? node.removed : undefined;
    const blank = { origin: undefined, entry: undefined, onDisk: false, before: undefined, now, edits: 0 };
    const file: VirtualFile = removed?.file ?? { kind: 'file', ...blank };
    if (removed) {
      this.#operations[removed.operation] = undefined;
      this.#removed.delete(file);
      file.onDisk = true;
      file.edits = 0;
    }
    this.tree.set(place, file);
    this.write(place, file, now, 1);
  }

  /** Moves a file, a link or a whole folder to a free path. */
  move(from: string, to: string, node: VirtualFile | VirtualLink | VirtualFolder): void {
    if (this.#containsRoot(from)) throw this.refusals.file(from, 'contains a workspace root');
    if (isPathWithin(from, to)) throw this.refusals.file(from, 'cannot be moved into itself');
    this.protectedFiles.addAll(from, to);
    this.#writableFolder(path.dirname(from));
    const folder = this.#makeFolder(path.dirname(to));
    if (node.kind === 'folder') this.#moveFolder(from, to, node, folder);
    else this.#moveFile(from, to, node, folder);
    this.tree.move(from, to);
  }

  /** Removes a file, a link, or a folder with all that is in it. */
  remove(place: string): void {
    if (this.#containsRoot(place)) throw this.refusals.file(place, 'contains a workspace root');
    this.protectedFiles.addAll(place);
    this.#erase(place);
  }

  /** True if another entry is at the target of a move: another spelling of the entry's own name does not count. */
  isTaken(from: string, to: string): boolean {
    const [node, there] = [this.tree.look(from), this.tree.look(to)];
    if (there.kind === 'gone') return false;
    const [moved, existing] = [entryOf(node), entryOf(there)];
    const isSame = moved && moved.device === existing?.device && moved.inode === existing.inode;
    // Two names of one file are both listed; if letter case does not count, only the spelling on the disk is.
    const parent = 'origin' in there && there.origin !== undefined ? path.dirname(there.origin) : undefined;
    return !isSame || parent === undefined || this.#disk.list(parent).includes(path.basename(to));
  }

  /** Returns what the disk has here: a link that the steps so far removed or moved, anything else, or nothing. */
  onDisk(place: string): 'stale_link' | 'there' | 'nothing' {
    const entry = this.#disk.look(place);
    if (entry?.kind !== 'link') return entry ? 'there' : 'nothing';
    const node = this.tree.look(place);
    return node.kind !== 'link' || node.origin !== place ? 'stale_link' : 'there';
  }

  #moveFolder(from: string, to: string, node: VirtualFolder, folder: VirtualFolder): void {
    const { entry } = node;
    if (!entry) throw this.refusals.file(from, 'is created by the same change that moves it');
    if (node.device !== folder.device)
      throw this.refusals.file(from, 'is a folder on another file system than its target');
    const staysInFolder = path.dirname(from) === path.dirname(to);
    if (!staysInFolder && !entry.writable) throw this.refusals.file(from, 'is a read-only folder');
    const identity: Identity = { kind: 'folder', device: entry.device, inode: entry.inode };
    this.#operations.push({ kind: 'move', from, to, identity });
    this.#movedFolders.add(node);
  }

  /** A file that is not on the disk yet, or comes from another file system, is written at its new place instead. */
  #moveFile(from: string, to: string, node: VirtualFile | VirtualLink, folder: VirtualFolder): void {
    const { entry } = node;
    if (!node.onDisk || !entry) return;
    if (entry.device === folder.device) {
      const operation =
        this.#operations.push({ kind: 'move', from, to, identity: this.#identityOf(node) }) - 1;
      this.#moves.set(node, [...(this.#moves.get(node) ?? []), operation]);
      return;
    }
    this.#recordRemoval(from, node);
    node.onDisk = false;
  }

  #identityOf(node: VirtualFile | VirtualLink): Identity {
    const { device = 0, inode = 0, size = 0 } = node.entry ?? {};
    if (node.kind === 'link') return { kind: 'link', device, inode };
    // A file that is too large for a plan can still be moved.
    const content = size > limits.edit.document ? undefined : this.contents.before(node);
    return { kind: 'file', device, inode, ...(content && { hash: content.hash }) };
  }

  #contentOf(node: VirtualFile | VirtualLink): Content {
    const content = node.kind === 'link' ? this.contents.link(node) : this.contents.before(node);
    if (content) return content;
    throw new Error('A file on disk has content.');
  }

  #erase(place: string): void {
    const node = this.tree.look(place);
    if (node.kind === 'gone') return;
    if (node.kind === 'other') throw this.refusals.file(place, 'is not a regular file');
    this.#writableFolder(path.dirname(place));
    if (node.kind === 'folder') this.#eraseFolder(place, node);
    else this.#eraseFile(place, node);
    if (this.#operations.length > 2 * limits.edit.files) throw this.refusals.tooManyFiles();
  }

  /** Refuses a moved folder: to undo that, a new folder would be moved, whose identity is not known yet. */
  #eraseFolder(place: string, node: VirtualFolder): void {
    if (this.#movedFolders.has(node))
      throw this.refusals.file(place, 'is moved by the same change that removes it');
    const names = this.tree.names(place);
    for (const name of names) this.#erase(path.join(place, name));
    this.#operations.push({ kind: 'remove_folder', path: place, mode: node.mode });
    if (names.length === 0 && node.origin !== undefined) this.#removed.set(node, node.origin);
    this.tree.set(place, { kind: 'gone' });
  }

  #eraseFile(place: string, node: VirtualFile | VirtualLink): void {
    if (node.kind === 'file') this.#refuseReadOnly(place, node);
    if (node.origin !== undefined) this.#removed.set(node, node.origin);
    const removed = node.onDisk ? this.#recordRemoval(place, node) : undefined;
    this.tree.set(place, { kind: 'gone', ...(removed && { removed }) });
    node.onDisk = false;
  }

  /** Removes a moved entry from its first place instead, so that an undo need not move what is gone. */
  #recordRemoval(place: string, node: VirtualFile | VirtualLink): Gone['removed'] {
    const before = this.#contentOf(node);
    const [first, ...others] = this.#moves.get(node) ?? [];
    const arrival = first === undefined ? undefined : this.#operations[first];
    if (first !== undefined && arrival?.kind === 'move') {
      this.#operations[first] = { kind: 'remove', path: arrival.from, before };
      for (const other of others) this.#operations[other] = undefined;
      return undefined;
    }
    const operation = this.#operations.push({ kind: 'remove', path: place, before }) - 1;
    return node.kind === 'file' ? { file: node, operation } : undefined;
  }

  #makeFolder(place: string): VirtualFolder {
    const node = this.tree.look(place);
    if (node.kind === 'folder') return this.#writableFolder(place);
    if (node.kind !== 'gone') throw this.refusals.file(place, 'is not a folder');
    const parent = this.#makeFolder(path.dirname(place));
    const mode = 0o777 & ~creationMask();
    const made: VirtualFolder = {
      kind: 'folder',
      origin: undefined,
      entry: undefined,
      mode,
      device: parent.device,
    };
    this.#operations.push({ kind: 'make_folder', path: place, mode });
    if (this.#operations.length > 2 * limits.edit.files) throw this.refusals.tooManyFiles();
    this.tree.set(place, made);
    return made;
  }

  #writableFolder(place: string): VirtualFolder {
    const node: VirtualNode = this.tree.look(place);
    if (node.kind !== 'folder') throw this.refusals.file(place, 'is not a folder');
    if (node.entry && !node.entry.writable) throw this.refusals.file(place, 'is a read-only folder');
    return node;
  }

  /** Checks the mode too: it does not stop every process, but shows what the owner wants. */
  #refuseReadOnly(place: string, { entry }: VirtualFile): void {
    const writable = !entry || (entry.writable && (entry.mode & 0o222) !== 0);
    if (!writable) throw this.refusals.file(place, 'is read-only');
  }

  #containsRoot(place: string): boolean {
    return this.#roots.some((root) => isPathWithin(place, root));
  }
}

function entryOf(node: VirtualNode): Entry | undefined {
  return 'entry' in node ? node.entry : undefined;
}

/** Reads the contents of the files of a plan, and counts their bytes, so that no plan exceeds memory. */
class Contents {
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
