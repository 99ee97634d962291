import type { BridgeSettings } from './bridge-settings.ts';
import { loadConfig } from './config/load-config.ts';
import { withKnownNames } from './config/schema/known-names.ts';
import { servers } from './servers/index.ts';
import { surfaces } from './surfaces/index.ts';

/** Returns the configuration in effect: that of the files, overridden by the command line. */
export function effectiveConfig({
  roots,
  log,
  configFile,
  configValue,
  overrides,
  environment = process.env,
}: Omit<BridgeSettings, 'surface'>) {
  const config = { ...loadConfig({ configFile, configValue, roots, environment, log }), ...overrides };
  const tools = surfaces.flatMap((surface) => surface.tools.map(({ name }) => name));
  return withKnownNames(config, { servers: servers.map(({ id }) => id), tools }, log);
}
