import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beginCall, type Call } from '../../src/core/call.ts';
import { silent } from '../../src/core/log.ts';
import type { Proposal, ProposedStep } from '../../src/core/proposal.ts';
import type { Engine, WorkspaceView } from '../../src/edits/edits.ts';
import { type EditsOptions, openEdits } from '../../src/edits/open-edits.ts';
import { isPathWithin } from '../../src/platform/files/path-within.ts';

/** A folder on the disk to edit in, and the state of lspan beside it. */
export interface Sandbox {
  readonly root: string;
  readonly state: string;
  readonly grounds: WorkspaceView;
  at(file: string): string;
  /** An engine over it, as another process would have one. */
  open(options?: Partial<EditsOptions>): Engine;
  /** Everything in the root: contents, modes and links by relative path. */
  snapshot(): Record<string, string>;
  fill(things: Readonly<Record<string, string>>): void;
  /** A proposal by relative paths: text replaces the whole file. */
  proposal(...steps: readonly Wish[]): Proposal;
}

/** What a test wants done. */
export type Wish =
  | { readonly write: string; readonly text: string }
  | { readonly create: string; readonly text: string }
  | { readonly move: string; readonly to: string }
  | { readonly remove: string };

/** Makes a sandbox in a folder. */
export function sandboxIn(home: string, things: Readonly<Record<string, string>> = {}): Sandbox {
  const root = path.join(home, 'work');
  const state = path.join(home, 'state');
  mkdirSync(root, { recursive: true });
  const at = (file: string) => path.join(root, file);
  const uri = (file: string) => pathToFileURL(at(file)).href;
  const grounds = groundsOf(root);
  const fill = (wanted: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(wanted)) {
      mkdirSync(path.dirname(at(name)), { recursive: true });
      if (text.startsWith('-> ')) symlinkSync(text.slice(3), at(name));
      else writeFileSync(at(name), text);
    }
  };
  fill(things);
  return {
    ...{ root, state, grounds, at, fill },
    open: (options = {}) => openEdits({ view: grounds, folder: state, log: silent, ...options }),
    snapshot: () => snapshot(root),
    proposal: (...wishes) => ({ steps: wishes.map((wish) => stepOf(wish, uri, at)), confirm: [] }),
  };
}

/** A call with time enough. */
export function aCall(time = 20_000, cancelled?: AbortSignal): Call {
  return beginCall({ time }, cancelled);
}

/** Everything below a folder: contents, modes and links by relative path. */
export function snapshot(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(entries.map((name) => [name, describe(path.join(folder, name))]));
}

function describe(place: string): string {
  const stats = lstatSync(place);
  if (stats.isSymbolicLink()) return `-> ${readlinkSync(place)}`;
  const mode = (stats.mode & 0o7777).toString(8);
  return stats.isDirectory() ? `${mode} folder` : `${mode} ${readFileSync(place, 'utf8')}`;
}

/** The grounds of one root, without the rules of a workspace. */
export function groundsOf(root: string): WorkspaceView {
  const admit = (uri: string) => {
    const place = fileURLToPath(uri);
    return { path: place, standing: isPathWithin(root, place) ? ('inside' as const) : ('outside' as const) };
  };
  return {
    roots: [root],
    rootOf: (place) => (isPathWithin(root, place) ? root : undefined),
    show: (place) => path.relative(root, place),
    fromUri: (uri) => {
      const entry = admit(uri);
      const stats = lstatSync(entry.path, { throwIfNoEntry: false });
      return stats?.isSymbolicLink() ? admit(pathToFileURL(realpathSync(entry.path)).href) : entry;
    },
    entryFromUri: admit,
    unsaved: () => new Map(),
  };
}

function stepOf(wish: Wish, uri: (file: string) => string, at: (file: string) => string): ProposedStep {
  if ('create' in wish) return { kind: 'create', uri: uri(wish.create), text: wish.text, ifThere: 'refuse' };
  if ('move' in wish) return { kind: 'rename', from: uri(wish.move), to: uri(wish.to), ifThere: 'refuse' };
  if ('remove' in wish)
    return { kind: 'delete', uri: uri(wish.remove), recursive: true, ifMissing: 'refuse' };
  const bytes = readFileSync(at(wish.write));
  const lines = bytes.toString().split('\n');
  const end = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  const edits = [{ range: { start: { line: 0, character: 0 }, end }, newText: wish.text }];
  const seen = createHash('sha256').update(bytes).digest('hex');
  return { kind: 'edit', uri: uri(wish.write), encoding: 'utf-16', edits, seen };
}

/** Sets the permission bits of a file. */
export function setMode(file: string, mode: number): void {
  chmodSync(file, mode);
}
