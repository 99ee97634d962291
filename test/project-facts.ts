import type { ProjectFacts } from '../src/servers/definition.ts';

/** An untrusted root at `/w` that is empty, on a machine where nothing is installed. */
export const noFacts: ProjectFacts = {
  root: '/w',
  exists: () => false,
  list: () => [],
  folders: () => [],
  read: () => undefined,
  listing: () => ({ files: [], links: [], isWhole: true, generation: 0 }),
  readSettings: () => undefined,
  environment: {},
  trusted: false,
  cache: () => '/cache',
  temporary: () => '/temporary',
  unreadList: () => '/temporary/unread',
  programInPath: () => undefined,
  installed: () => ({ folders: [], pattern: '', except: [] }),
  ownFile: () => undefined,
};
