import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ownPackage } from './own-installation.ts';
import type { ProjectFacts } from './server-definition.ts';

/** What the hooks of definitions may know of a root. */
export function projectFacts(root: string, environment: ProjectFacts['environment']): ProjectFacts {
  return {
    root,
    environment,
    exists: existsSync,
    list: (folder) => (existsSync(folder) ? readdirSync(folder).sort() : []),
    ownFile: (packageName, file) => {
      const folder = ownPackage(packageName, [root]);
      return folder === undefined ? undefined : path.join(folder, file);
    },
  };
}
