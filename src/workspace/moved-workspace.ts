import path from 'node:path';
import { occurrences } from '../source-text/words.ts';
import { type Document, documentOf } from './texts/document.ts';
import type { Workspace } from './workspace.ts';

/** The same workspace after a file or a folder was moved, and some texts changed, by the paths that files have then. */
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
  return {
    ...workspace,
    files: () => new Set([...[...workspace.files()].map(moved), ...documents.keys()]),
    read: async (file) => documents.get(file) ?? renamed(file, await workspace.read(origin(file))),
    known: (file) => documents.get(file),
    mentioning: async (name, call) => {
      const files = (await workspace.mentioning(name, call))?.map(moved);
      const other = [...documents.values()].filter(({ text }) => occurrences(text, name).length > 0);
      const unchanged = files?.filter((file) => !documents.has(file));
      return unchanged && [...unchanged, ...other.map((document) => document.path)].sort();
    },
  };
}

/** Where a path is after a folder or the file itself was moved; nothing where it is not part of that. */
export function rebase(file: string, from: string, to: string): string | undefined {
  if (file === from) return to;
  return file.startsWith(`${from}${path.sep}`) ? `${to}${file.slice(from.length)}` : undefined;
}
