import type { Config } from '../../../config/config.ts';
import { defaultConfig } from '../../../config/default-config.ts';
import { catalogue } from '../../../surfaces/catalogue.ts';
import { escapeControls } from '../../observe/log.ts';
import { redactedLog } from '../../observe/redacted-log.ts';
import { exitCodes, listenForEnd } from '../../process-life.ts';
import { checkNames } from '../check-names.ts';
import type { CommandLine } from '../parse-command-line.ts';
import type { Flags } from '../parse-flags.ts';
import { print } from '../print.ts';
import { type ProcessContext, readSettings } from '../read-settings.ts';
import { usageError } from '../usage-error.ts';

type ServeCommand = Extract<CommandLine, { readonly kind: 'serve' }>;

/** Runs `lspan serve` until it is interrupted; returns the exit code. */
export async function runServe({ flags }: ServeCommand, context: ProcessContext): Promise<number> {
  // The flags are checked before anything is read.
  addressOf(flags);
  const options = { surface: 'lspan', survivesFaults: false, redacted: redactedLog, serves: true };
  const { bridge, ...settings } = await readSettings(flags, options, context);
  const address = addressOf(flags, settings.serve);
  const { surface: name = settings.serve.surface } = flags;
  checkNames(catalogue, { surface: name, toolsets: settings.toolsets }, 'serve');
  const surface = catalogue.find((one) => one.name === name);
  if (!surface || settings.roots.length === 0)
    throw usageError('No workspace is known: give --workspace DIR, or start in a project folder.', 'serve');
  const { log } = bridge;
  const { ended } = listenForEnd(log, 'user');
  const [{ serveHttp }, { openTokenStore: openTokens }] = await Promise.all([
    import('../../mcp/http/serve-http.ts'),
    import('../../http/token-store.ts'),
  ]);
  const roots = [...settings.roots, ...(bridge.additionalRoots ?? [])];
  const tokens = openTokens({ environment: context.environment, roots, log });
  const served = { ...bridge, surface: name };
  const gateway = await serveHttp({ ...settings, bridge: served, ...address, surface, tokens });
  await print(greeting(gateway.url, settings.roots, tokens.file));
  const ending = await ended;
  log('info', 'http.leaving', { ending });
  await gateway.close();
  tokens.close();
  settings.close();
  return exitCodes[ending];
}

/** Names the workspace, since lspan may have chosen it. */
function greeting(url: string, roots: readonly string[], file: string): string {
  const lines = [
    `lspan serves MCP at ${url}`,
    `The workspace is ${roots.join(', ')}`,
    `The bearer token is in ${file} (lspan token show prints it).`,
  ];
  return lines.map((line) => `${escapeControls(line)}\n`).join('');
}

/** Validates the address before anything starts; a flag overrides the configuration. */
export function addressOf(flags: Flags, serve: Config['serve'] = defaultConfig.serve) {
  const { port = String(serve.port), host = serve.host, endpoint: path = serve.endpoint } = flags;
  const origins = flags.allowOrigin.length > 0 ? flags.allowOrigin : serve.allowOrigins;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw usageError(`--port cannot be "${port}". Give a number up to 65535.`, 'serve');
  if (host !== '127.0.0.1' && host !== '::1')
    throw usageError(`--host cannot be "${host}". Give a loopback address: 127.0.0.1 or ::1.`, 'serve');
  if (!/^(\/[\w.~-]+)+$/.test(path) || reservedPaths.has(path))
    throw usageError(
      `--endpoint cannot be "${path}". Give a path such as /mcp, without a final slash; /healthz and /metrics are reserved.`,
      'serve',
    );
  const wrong = origins.find((origin) => !isOrigin(origin));
  if (wrong !== undefined)
    throw usageError(
      `--allow-origin cannot be "${wrong}". Give one origin as browsers write it, such as http://localhost:6274.`,
      'serve',
    );
  const only = flags.protocol === '2025-11-25' ? flags.protocol : serve.protocol;
  const sessions = serve.sessions && !flags.noSessions;
  return { port: Number(port), host, path, origins, sessions, only } as const;
}

const reservedPaths: ReadonlySet<string> = new Set(['/healthz', '/metrics']);

/** True for an origin as browsers write it in the header, which is compared byte for byte. */
function isOrigin(given: string): boolean {
  return (
    /^[a-z][a-z\d+.-]*:\/\/([a-z\d.-]+|\[[\da-f:.]+\])(:[1-9]\d{0,4})?$/.test(given) && !hasDefaultPort(given)
  );
}

/** Browsers omit the default port of a scheme. */
function hasDefaultPort(origin: string): boolean {
  return /^(http:.*:80|https:.*:443)$/.test(origin);
}
