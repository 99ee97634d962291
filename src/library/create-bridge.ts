import { type CreateSettings, readSettings } from './create-settings.ts';
import type { EmbeddedBridge } from './embedded-bridge.ts';

/**
 * Opens a bridge to the language servers of a workspace. It starts no server unless the configuration says so. Rejects
 * with `invalid_input` if the settings or the configuration are wrong, and with `not_found` if a folder of the workspace
 * does not exist. Close the bridge when done: running servers keep the program alive.
 *
 * ```js
 * import { createBridge } from 'lspan';
 *
 * const bridge = await createBridge({ workspace: '.' });
 * const { data, doubts } = await bridge.call('find_references', { symbol_name: 'addPrices' });
 * for (const { file_path, line } of data.references) console.log(file_path, line);
 * await bridge.close();
 * ```
 */
export async function createBridge(settings: CreateSettings): Promise<EmbeddedBridge> {
  const read = readSettings(settings);
  const { openEmbedded } = await import('./open-embedded.ts');
  return openEmbedded(read);
}
