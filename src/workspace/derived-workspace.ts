import { asLspanError, LspanError } from '../core/errors.ts';
import { quotePath } from '../core/quote-path.ts';
import { overlaidWorkspace } from './overlaid-workspace.ts';
import type { Document } from './texts/document.ts';
import type { Workspace } from './workspace.ts';

/** What changes that are not on the disk yet would leave: other texts, new files among them, and files that are gone. */
export interface Staged {
  readonly documents: ReadonlyMap<string, Document>;
  readonly gone: ReadonlySet<string>;
}

/** The same workspace as it would be then, by names that agents give too. */
export function stagedWorkspace(workspace: Workspace, { documents, gone }: Staged): Workspace {
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
  return {
    ...overlaid,
    resolve,
    entry: (given) => {
      const { path, kind } = workspace.entry(given);
      if (gone.has(path)) return { path, kind: 'missing' };
      if (kind !== 'missing') return { path, kind };
      if (documents.has(path)) return { path, kind: 'file' };
      const holds = [...documents.keys()].some((file) => file.startsWith(`${path}/`));
      return { path, kind: holds ? 'folder' : 'missing' };
    },
    read: async (path) => {
      if (gone.has(path)) throw notThere(workspace.show(path));
      return overlaid.read(path);
    },
    known: (path) => (gone.has(path) ? undefined : overlaid.known(path)),
    glance: (path) => (gone.has(path) ? undefined : overlaid.glance(path)),
    files: () => [...overlaid.files()].filter((path) => !gone.has(path)),
    mentioning: async (name, call) =>
      (await overlaid.mentioning(name, call))?.filter((path) => !gone.has(path)),
  };
}

function notThere(given: string): LspanError {
  const message = `${quotePath(given)} is not there any more: an operation before this one moves or deletes it.`;
  return new LspanError('not_found', message, { nextStep: 'Name the file as it is called by then.' });
}
