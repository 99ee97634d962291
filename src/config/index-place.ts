import path from 'node:path';
import { fileFacts } from '../platform/files/file-facts.ts';
import type { Config } from './config.ts';
import { stateFolder } from './state-folder.ts';
import type { Environment } from './user-file.ts';

/** Where indexes are kept: at the address of a database, or in a folder. */
export type IndexPlace = { readonly address: string } | { readonly folder: string };

/** Returns where indexes are kept. Only the user's environment and configuration decide that, never a repository. */
export function indexPlace(index: Config['index'], environment: Environment): IndexPlace {
  const { LSPAN_INDEX_STORE: given } = environment;
  const store = given || index.store;
  return store === 'embedded' ? { folder: path.join(stateFolder(environment), 'index') } : { address: store };
}

/** Returns whether there may be indexes, as far as that is known without opening anything. */
export function hasIndexes(index: Config['index'], environment: Environment): boolean {
  const place = indexPlace(index, environment);
  return 'address' in place || fileFacts(path.join(place.folder, 'list.json')) !== undefined;
}
