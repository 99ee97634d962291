import { LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { buildOf } from '../../platform/files/identity-files.ts';
import type { BridgeOpener } from '../daemon/client/open-shared.ts';
import { tuneForPassing } from '../engine-flags.ts';
import type { ViaOptions } from './via-source.ts';

/** What is known of the far end before it is needed. */
export interface ViaSearch extends Omit<ViaOptions, 'build'> {
  /** `mcp`, `call`, … */
  readonly name: string;
  /** The script of this program. */
  readonly script: string;
}

/** Opens bridges whose work lspan at the far end of a command does. There is no other way: the files are there. */
export function atFarEnd({ name, script, ...search }: ViaSearch): BridgeOpener {
  tuneForPassing(true);
  // Now: the program on the disk may be replaced while this process runs.
  const build = resultOrError(() => buildOf(script));
  const load = () => Promise.all([import('../daemon/client/daemon-bridge.ts'), import('./via-source.ts')]);
  return {
    load,
    open: async (settings) => {
      if (build instanceof LspanError) throw build;
      const [{ openBridgeOver }, { viaSource }] = await load();
      const source = viaSource({ ...search, build });
      return openBridgeOver(settings, { source, command: name, loaded: build.id });
    },
  };
}
