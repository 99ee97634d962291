import type { BridgeSettings } from './bridge-settings.ts';
import type { Config } from './config/config.ts';
import { isConfigured } from './config/config-files.ts';
import { defaultConfig } from './config/default-config.ts';
import type { loadConfig } from './config/load-config.ts';
import { withKnownNames } from './config/schema/known-names.ts';
import { servers } from './servers/index.ts';
import { surfaces } from './surfaces/index.ts';

type Settings = Omit<BridgeSettings, 'surface'>;

/** Returns the configuration in effect: that of the files, read by `load`, overridden by the command line. */
export function effectiveConfig(settings: Settings, load: typeof loadConfig): Config {
  const { roots, log, configFile, configValue, environment = process.env } = settings;
  return checked(load({ configFile, configValue, roots, environment, log }), settings);
}

/** Like `effectiveConfig`, but loads what checks files only if there is one. */
export async function openConfig(settings: Settings): Promise<Config> {
  const { roots, configFile, configValue, environment = process.env } = settings;
  if (!isConfigured({ configFile, configValue, roots, environment })) return checked(defaultConfig, settings);
  const { loadConfig } = await import('./config/load-config.ts');
  return effectiveConfig(settings, loadConfig);
}

function checked(config: Config, { overrides, log }: Pick<Settings, 'overrides' | 'log'>): Config {
  const tools = surfaces.flatMap((surface) => surface.tools.map(({ name }) => name));
  return withKnownNames({ ...config, ...overrides }, { servers: servers.map(({ id }) => id), tools }, log);
}
