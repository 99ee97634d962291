import type { Bridge, openBridge } from '../../../bridge.ts';
import type { BridgeSettings } from '../../../bridge-settings.ts';
import { LspanError } from '../../../core/errors.ts';
import { resultOrError } from '../../../core/runtime/result.ts';
import { buildOf } from '../../../platform/files/identity-files.ts';
import type { CatalogueSurface } from '../../../surfaces/catalogue-fields.ts';
import { tuneForPassing } from '../../engine-flags.ts';
import type { DaemonSearch } from './obtain-daemon.ts';

/** How bridges are opened: in the user's daemon, or in this process. */
export interface BridgeOpener {
  /** Loads what opening needs, without opening. */
  load(): Promise<unknown>;
  open: typeof openBridge;
  /** True if another version of lspan may answer later. */
  readonly mayChange?: true;
  /** Registers a listener for the catalogue of that version. */
  onCatalogue?(listener: OnCatalogue): void;
}

/** Called with the catalogue of another version of lspan. */
export type OnCatalogue = (surfaces: readonly CatalogueSurface[]) => void;

/** Opens bridges in this process. */
export const inThisProcess: BridgeOpener = {
  load: () => import('../../../bridge.ts'),
  open: async (settings) => (await import('../../../bridge.ts')).openBridge(settings),
};

/** Opens bridges in the user's daemon, and in this process where none can be had. */
export function inDaemon(search: DaemonSearch & { readonly command: string }): BridgeOpener {
  tuneForPassing(true);
  const load = () => import('./daemon-bridge.ts');
  const listeners: OnCatalogue[] = [];
  // Now: the program on the disk may be replaced while this process runs.
  const build = resultOrError(() => buildOf(search.script));
  const loaded = build instanceof LspanError ? undefined : build.id;
  const onCatalogue: OnCatalogue = (surfaces) => listeners.forEach((listener) => void listener(surfaces));
  return {
    load,
    mayChange: true,
    onCatalogue: (listener) => void listeners.push(listener),
    open: async (settings) => {
      // Without a workspace there is nothing to share.
      if (settings.roots.length === 0) return inThisProcess.open(settings);
      const { openDaemonBridge } = await load();
      return openDaemonBridge(settings, { ...search, loaded, openOwn, onCatalogue });
    },
  };
}

function openOwn(settings: BridgeSettings, why: string): Promise<Bridge> {
  const notice = `No daemon is used: ${why} lspan works in this process.`;
  return inThisProcess.open({ ...settings, notices: [...(settings.notices ?? []), notice] });
}
