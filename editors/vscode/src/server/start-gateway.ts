import { defaultConfig } from '../../../../src/config/default-config.ts';
import type { Log } from '../../../../src/core/log.ts';
import type { OnCallEnd } from '../../../../src/frontends/mcp/call-tool.ts';
import { type Gateway, serveHttp } from '../../../../src/frontends/mcp/http/serve-http.ts';
import { catalogue } from '../../../../src/surfaces/catalogue.ts';
import { EditorBackend } from '../backend/editor-backend.ts';
import { openEditorEngine } from '../backend/editor-engine.ts';
import type { SecretTokens } from './secret-tokens.ts';
import type { GatewaySettings } from './settings.ts';

/** What a server is started with. */
export interface GatewayParts {
  readonly settings: GatewaySettings;
  /** Instead of the port of the settings, if that is taken. */
  readonly port?: number | undefined;
  readonly roots: readonly string[];
  readonly tokens: SecretTokens;
  readonly log: Log;
  readonly onCallEnd: OnCallEnd;
}

/** Starts the gateway of `lspan serve` over the providers of VS Code. */
export async function startGateway(parts: GatewayParts): Promise<Gateway> {
  const { settings, roots, tokens, log, onCallEnd } = parts;
  const { host, path, origins, sessions, responseBytes } = settings;
  const surface = catalogue.find((one) => one.name === settings.surface);
  if (!surface) throw new Error(`There is no surface ${settings.surface}.`);
  const isGateway = settings.surface === 'gateway';
  return serveHttp({
    bridge: {
      log,
      surface: settings.surface,
      // The settings of VS Code are all that counts here.
      configValue: { name: 'VS Code', value: {} },
      overrides: {
        readOnly: isGateway,
        ...(isGateway ? { deadline: settings.timeout } : {}),
        limits: { ...defaultConfig.limits, page: settings.items },
      },
      additionalRoots: settings.additionalRoots,
      responseBytes,
      openBackend: (workspace) => new EditorBackend(workspace, { log }),
      ...(isGateway ? {} : { openEngine: openEditorEngine }),
    },
    roots,
    surface,
    output: defaultConfig.output,
    toolsets: isGateway ? defaultConfig.toolsets : ['all'],
    readOnly: isGateway,
    startsEarly: true,
    ...{ host, path, origins, sessions, tokens, onCallEnd },
    port: parts.port ?? settings.port,
    limits: { response: responseBytes },
  });
}
