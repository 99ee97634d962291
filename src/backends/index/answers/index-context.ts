import path from 'node:path';
import type { Doubt } from '../../../core/doubts.ts';
import type { Range } from '../../../core/position.ts';
import { nameSome } from '../../../core/wording/name-some.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { RepositoryFacts } from '../../../workspace/worktrees/repository-facts.ts';
import type { IndexStore, StoredDocument, StoredIndex, StoredOccurrence } from '../store/index-store.ts';

/** What answers from an index are made of. */
export interface IndexContext {
  readonly workspace: Workspace;
  /** Returns the store; `undefined` if nothing was indexed yet. */
  store(): Promise<IndexStore | undefined>;
  /** Returns the repository of a root of the workspace. */
  repositoryOf(root: string): Pick<RepositoryFacts, 'root' | 'name'>;
}

/** A file of the workspace as the indexes of its repository know it. */
export interface OwnFile {
  /** The top folder of the repository. */
  readonly root: string;
  /** One for each indexer; empty if the repository is not indexed. */
  readonly indexes: readonly StoredIndex[];
  readonly found: { readonly index: StoredIndex; readonly document: StoredDocument } | undefined;
}

/** Finds a file of the workspace in the indexes of its repository; `undefined` if it is outside. */
export async function ownFile(
  { workspace, repositoryOf }: IndexContext,
  store: IndexStore,
  file: string,
): Promise<OwnFile | undefined> {
  const workspaceRoot = workspace.rootOf(file);
  if (workspaceRoot === undefined) return undefined;
  const { name, root } = repositoryOf(workspaceRoot);
  const indexes = (await store.list()).filter(({ repository }) => repository === name);
  const inside = path.relative(root, file).split(path.sep).join('/');
  for (const index of indexes) {
    const document = await store.document(index.id, inside);
    if (document) return { root, indexes, found: { index, document } };
  }
  return { root, indexes, found: undefined };
}

/** Returns the doubt that tells how old indexes are. */
export function asOf(indexes: readonly StoredIndex[]): readonly Doubt[] {
  if (indexes.length === 0) return [];
  const oldest = indexes.map(({ time }) => time).sort()[0] ?? '';
  const when = oldest.slice(0, 16).replace('T', ' ');
  const told = indexes.map(({ repository, commit }) =>
    commit === '' ? repository : `${repository}@${commit.slice(0, shortCommit)}`,
  );
  return [{ kind: 'as_of', detail: `From an index of ${when} UTC: ${nameSome(told)}.`, lasting: true }];
}

/** Characters of a commit that are shown. */
export const shortCommit = 7;

/** Converts a stored place. */
export function rangeOf({ startLine, startColumn, endLine, endColumn }: StoredOccurrence): Range {
  return {
    start: { line: startLine, character: startColumn },
    end: { line: endLine, character: endColumn },
  };
}
