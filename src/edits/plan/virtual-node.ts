import type { Entry } from '../disk/tree.ts';
import type { Content } from '../plan.ts';
import type { FileText } from '../text/file-text.ts';

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
export interface Special {
  readonly kind: 'other';
  readonly origin: string;
}
