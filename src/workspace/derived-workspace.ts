import path from 'node:path';
import { asLspanError, LspanError } from '../core/errors.ts';
import { quotePath } from '../core/wording/quote-path.ts';
import { occurrences } from '../source-text/words.ts';
import { readPackages } from './known-packages.ts';
import { type Document, documentOf } from './texts/document.ts';
import { containsParts, searchedParts } from './texts/word-set.ts';
import type { Workspace } from './workspace.ts';

/** The result of changes that are not on the disk yet: texts of changed and new files, and files that are gone. */
export interface StagedFiles {
  readonly documents: ReadonlyMap<string, Document>;
  readonly gone: ReadonlySet<string>;
}

/** Returns the workspace as it would be after those changes, also for paths that agents give. */
export function stagedWorkspace(workspace: Workspace, { documents, gone }: StagedFiles): Workspace {
  const overlaid = overlaidWorkspace(workspace, documents);
  const resolve = async (given: string): Promise<string> => {
    const found = await workspace.resolve(given).catch((thrown: unknown) => {
      const isMissing = asLspanError(thrown).code === 'not_found';
      const { path } = isMissing ? workspace.entry(given) : { path: undefined };
      if (path === undefined || !documents.has(path)) throw thrown;
      return path;
    });
    if (gone.has(found)) throw notThere(given);
    return found;
  };
  return withPackages({
    ...overlaid,
    resolve,
    entry: (given) => {
      const { path, kind } = workspace.entry(given);
      if (gone.has(path)) return { path, kind: 'missing' };
      if (kind !== 'missing') return { path, kind };
      if (documents.has(path)) return { path, kind: 'file' };
      const hasFiles = [...documents.keys()].some((file) => file.startsWith(`${path}/`));
      return { path, kind: hasFiles ? 'folder' : 'missing' };
    },
    read: async (path) => {
      if (gone.has(path)) throw notThere(workspace.show(path));
      return overlaid.read(path);
    },
    cached: (path) => (gone.has(path) ? undefined : overlaid.cached(path)),
    readNow: (path) => (gone.has(path) ? undefined : overlaid.readNow(path)),
    files: () => [...overlaid.files()].filter((path) => !gone.has(path)),
    mentioning: async (name, call) =>
      (await overlaid.mentioning(name, call))?.filter((path) => !gone.has(path)),
    containing: async (name, call) =>
      (await overlaid.containing(name, call))?.filter((path) => !gone.has(path)),
  });
}

/** Lets the packages of a workspace be those of its own files and texts. */
function withPackages(workspace: Workspace): Workspace {
  return { ...workspace, packages: () => readPackages(workspace).packages };
}

function notThere(given: string): LspanError {
  const message = `${quotePath(given)} no longer exists: an earlier operation moves or deletes it.`;
  return new LspanError('not_found', message, { nextStep: 'Use the path that it has then.' });
}

/** Returns the workspace as it would be after a move and some changed texts; files have their new paths. */
export function movedWorkspace(
  workspace: Workspace,
  move: { readonly from: string; readonly to: string },
  texts: ReadonlyMap<string, string>,
): Workspace {
  const documents = new Map([...texts].map(([file, text]) => [file, documentOf(file, text)]));
  const moved = (file: string) => rebase(file, move.from, move.to) ?? file;
  const origin = (file: string) => rebase(file, move.to, move.from) ?? file;
  const renamed = (file: string, document: Document) =>
    document.path === file ? document : documentOf(file, document.text);
  return withPackages({
    ...workspace,
    files: () => new Set([...[...workspace.files()].map(moved), ...documents.keys()]),
    read: async (file) => documents.get(file) ?? renamed(file, await workspace.read(origin(file))),
    cached: (file) => documents.get(file),
    mentioning: async (name, call) =>
      withTexts((await workspace.mentioning(name, call))?.map(moved), documents, mentions(name)),
    containing: async (name, call) =>
      withTexts((await workspace.containing(name, call))?.map(moved), documents, contains(name)),
  });
}

/** Returns a path after the file itself or a folder above it was moved; `undefined` if the move does not affect it. */
export function rebase(file: string, from: string, to: string): string | undefined {
  if (file === from) return to;
  return file.startsWith(`${from}${path.sep}`) ? `${to}${file.slice(from.length)}` : undefined;
}

/** Returns the workspace with other texts for some files, which need not exist on the disk. */
export function overlaidWorkspace(workspace: Workspace, documents: ReadonlyMap<string, Document>): Workspace {
  return withPackages({
    ...workspace,
    read: async (path) => documents.get(path) ?? workspace.read(path),
    cached: (path) => documents.get(path) ?? workspace.cached(path),
    readNow: (path) => documents.get(path)?.text ?? workspace.readNow(path),
    files: () => new Set([...workspace.files(), ...documents.keys()]),
    mentioning: async (name, call) =>
      withTexts(await workspace.mentioning(name, call), documents, mentions(name)),
    containing: async (name, call) =>
      withTexts(await workspace.containing(name, call), documents, contains(name)),
  });
}

/** Decides anew about the files that have other texts. */
function withTexts(
  files: readonly string[] | undefined,
  documents: ReadonlyMap<string, Document>,
  has: (text: string) => boolean,
): readonly string[] | undefined {
  const other = [...documents.values()].filter(({ text }) => has(text));
  const unchanged = files?.filter((file) => !documents.has(file));
  return unchanged && [...unchanged, ...other.map((document) => document.path)].sort();
}

function mentions(name: string): (text: string) => boolean {
  return (text) => occurrences(text, name).length > 0;
}

function contains(name: string): (text: string) => boolean {
  const parts = searchedParts(name);
  return (text) => containsParts(text, parts);
}
