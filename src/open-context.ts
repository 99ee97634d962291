import type { BridgeSettings } from './bridge-settings.ts';
import type { Config } from './config/config.ts';
import { stateFolder } from './config/state-folder.ts';
import type { Backend, Repositories } from './core/backend.ts';
import { Leftovers } from './edits/leftovers.ts';
import { openEdits } from './edits/open-edits.ts';
import { ContextsByCaller, type SharedContext } from './tools/run/callers.ts';
import { version } from './version.ts';
import type { Workspace } from './workspace/workspace.ts';

/** The backend of a workspace, with its warnings to the user. */
interface Answerer {
  readonly backend: Backend;
  readonly warnings: readonly string[];
  readonly repositories?: Repositories | undefined;
}

type ContextSettings = Pick<
  BridgeSettings,
  'log' | 'environment' | 'besides' | 'neighbours' | 'notices' | 'openEngine' | 'responseBytes'
>;

/** Opens the tool contexts of a workspace: one for each caller. */
export function openContext(
  workspace: Workspace,
  answerer: Answerer,
  settings: ContextSettings,
  config: Config,
): { readonly contexts: ContextsByCaller; readonly leftovers: Leftovers } {
  const { log, environment = process.env, besides = [], neighbours, notices = [] } = settings;
  const edits =
    settings.openEngine?.(workspace) ??
    openEdits({ view: workspace, besides, folder: stateFolder(environment), log });
  const leftovers = new Leftovers(edits, log);
  const common: SharedContext = {
    workspace,
    backend: answerer.backend,
    repositories: answerer.repositories,
    edits,
    version,
    neighbours,
    page: config.limits.page,
    responseBytes: settings.responseBytes,
    readOnly: config.readOnly,
    get notices() {
      return [...notices, ...config.warnings, ...answerer.warnings, ...leftovers.conflicts];
    },
  };
  return { contexts: new ContextsByCaller(common), leftovers };
}
