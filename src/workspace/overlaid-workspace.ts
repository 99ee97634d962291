import { occurrences } from '../source-text/words.ts';
import type { Document } from './texts/document.ts';
import type { Workspace } from './workspace.ts';

/** The same workspace where some files, which need not exist, hold another text than on the disk. */
export function overlaidWorkspace(workspace: Workspace, documents: ReadonlyMap<string, Document>): Workspace {
  return {
    ...workspace,
    read: async (path) => documents.get(path) ?? workspace.read(path),
    known: (path) => documents.get(path) ?? workspace.known(path),
    glance: (path) => documents.get(path)?.text ?? workspace.glance(path),
    files: () => new Set([...workspace.files(), ...documents.keys()]),
    mentioning: async (name, call) => {
      const files = await workspace.mentioning(name, call);
      const other = [...documents.values()].filter(({ text }) => occurrences(text, name).length > 0);
      const unchanged = files?.filter((path) => !documents.has(path));
      return unchanged && [...unchanged, ...other.map(({ path }) => path)].sort();
    },
  };
}
