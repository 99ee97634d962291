import type { ServerStatus } from './backend.ts';

/** The status of a backend that has no language servers, but for its id, root and state. */
export const bareStatus: Omit<ServerStatus, 'id' | 'root' | 'state'> = {
  languages: [],
  doubts: [],
  restarts: 0,
  openDocuments: 0,
  daemonsEnded: [],
  lastErrors: [],
  lastWords: [],
  writes: [],
  spare: false,
};
