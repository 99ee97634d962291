import { createHash } from 'node:crypto';
import { type Dirent, existsSync, readdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { LspanError } from '../../../core/errors.ts';
import { resultOrError } from '../../../core/runtime/result.ts';
import type { Trust } from '../../../core/trust.ts';
import { cacheFolder } from '../../../platform/files/cache-folder.ts';
import { installedPlaces } from '../../../platform/files/installed-place.ts';
import { fillPrivateFile, makePrivateFolder } from '../../../platform/files/private-folder.ts';
import { realFile, smallText } from '../../../platform/files/real-file.ts';
import { installedFolders } from '../../../platform/install/servers-folder.ts';
import type { ProjectFacts } from '../../../servers/definition.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { programInPath } from '../process/find-program.ts';
import { ownPackage } from '../process/own-program.ts';

/** What a workspace says of its files. */
type KnownFiles = Pick<Workspace, 'readNow' | 'files' | 'others'>;

/** The facts about a root that the hooks of definitions may use. */
export function projectFacts(
  root: string,
  environment: ProjectFacts['environment'],
  trust: Trust,
  temporary: { readonly path: string },
  workspace: KnownFiles,
  confined?: ConfinedCache,
): ProjectFacts {
  return {
    root,
    environment,
    trusted: trust.granted,
    exists: existsSync,
    list: (folder) => entriesIn(folder).map(({ name }) => name),
    folders: (folder) => entriesIn(folder).flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])),
    read: workspace.readNow,
    listing: () => ({ files: workspace.files(), ...workspace.others() }),
    readSettings: (file) => smallText(path.resolve(environment.HOME || homedir(), file)),
    cache: (name, content = {}) => {
      const fillIn = (place: string) => {
        const base = path.join(place, nameOf(root));
        const folder = confined ? confinedFolder(base, name, confined) : path.join(base, name);
        makePrivateFolder(folder);
        for (const [file, entry] of Object.entries(content)) fillPrivateFile(path.join(folder, file), entry);
        return folder;
      };
      // Where nothing can be kept, as in a home that is read-only, it is made for this process alone.
      const kept = resultOrError(() => fillIn(cacheFolder(environment)));
      const folder = kept instanceof LspanError ? fillIn(path.join(temporary.path, 'cache')) : kept;
      confined?.[Object.keys(content).length === 0 ? 'writable' : 'filled'].add(folder);
      return folder;
    },
    temporary: () => temporary.path,
    unreadList: () => path.join(temporary.path, 'unread'),
    programInPath: (name) => programInPath(name, { roots: [root], environment }),
    installed: () => installedPlaces(environment.HOME || homedir()),
    ownFile: (packageName, file) => {
      const folder = ownPackage(packageName, { roots: [root], installed: installedFolders(environment) });
      return folder === undefined ? undefined : path.join(folder, file);
    },
  };
}

/** The cache of a confined server, which no other run shares: what it writes there may be meant to mislead. */
export interface ConfinedCache {
  readonly server: string;
  /** The folders that the server may change: those that lspan does not fill. */
  readonly writable: Set<string>;
  readonly filled: Set<string>;
}

/** Refuses a link, by which the server could make lspan write, or let it write, somewhere else. */
function confinedFolder(base: string, name: string, { server }: ConfinedCache): string {
  makePrivateFolder(base);
  const folder = path.join(realpathSync(base), 'confined', server, name);
  const real = realFile(folder)?.path ?? folder;
  if (real === folder) return folder;
  throw new LspanError(
    'refused',
    `The cache folder ${folder} is behind a link, so ${server} is not started.`,
    {
      nextStep: 'Remove that folder, then call again.',
    },
  );
}

/** Returns the entries of a folder by name; none if it cannot be read. */
function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** Distinguishes roots of the same name. */
function nameOf(root: string): string {
  return `${path.basename(root)}-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`;
}
