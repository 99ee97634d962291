import type { Bridge, openBridge } from '../../../bridge.ts';
import type { BridgeSettings } from '../../../bridge-settings.ts';
import type { DaemonSearch } from './obtain-daemon.ts';

/** How bridges are opened: in the user's daemon, or in this process. */
export interface BridgeOpener {
  /** Loads what opening needs, without opening. */
  load(): Promise<unknown>;
  open: typeof openBridge;
}

/** Opens bridges in this process. */
export const inThisProcess: BridgeOpener = {
  load: () => import('../../../bridge.ts'),
  open: async (settings) => (await import('../../../bridge.ts')).openBridge(settings),
};

/** Opens bridges in the user's daemon, and in this process where none can be had. */
export function inDaemon(search: DaemonSearch & { readonly command: string }): BridgeOpener {
  const load = () => import('./daemon-bridge.ts');
  return {
    load,
    open: async (settings) => {
      // Without a workspace there is nothing to share.
      if (settings.roots.length === 0) return inThisProcess.open(settings);
      const { openDaemonBridge } = await load();
      return openDaemonBridge(settings, { ...search, openOwn });
    },
  };
}

function openOwn(settings: BridgeSettings, why: string): Promise<Bridge> {
  const notice = `No daemon is used: ${why} lspan works in this process.`;
  return inThisProcess.open({ ...settings, notices: [...(settings.notices ?? []), notice] });
}
