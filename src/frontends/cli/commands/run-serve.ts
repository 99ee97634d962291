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

type Serving = Extract<CommandLine, { readonly kind: 'serve' }>;

/** Serves MCP over HTTP until it is interrupted; returns the exit code. */
export async function runServe({ flags }: Serving, around: ProcessContext): Promise<number> {
  const address = addressOf(flags);
  const choices = { surface: flags.surface ?? 'lspan', survivesFaults: false, discreet: redactedLog };
  const prepared = await readSettings(flags, choices, around);
  checkNames(catalogue, { surface: choices.surface, toolsets: prepared.toolsets }, 'serve');
  const surface = catalogue.find(({ name }) => name === choices.surface);
  if (!surface || prepared.roots.length === 0)
    throw usageError('No workspace is known: give --workspace DIR, or start in a project folder.', 'serve');
  const { log } = prepared.bridge;
  const { ended } = listenForEnd(log, 'user');
  const [{ serveHttp }, { openTokenStore: openTokens }] = await Promise.all([
    import('../../mcp/http/serve-http.ts'),
    import('../../http/token-store.ts'),
  ]);
  const roots = [...prepared.roots, ...(prepared.bridge.additionalRoots ?? [])];
  const tokens = openTokens({ environment: around.environment, roots, log });
  const gateway = await serveHttp({ ...prepared, ...address, surface, tokens });
  await print(greeting(gateway.url, prepared.roots, tokens.file));
  const ending = await ended;
  log('info', 'http.leaving', { ending });
  await gateway.close();
  tokens.close();
  prepared.close();
  return exitCodes[ending];
}

/** Which folder it is may have been chosen for the user, so it is told. */
function greeting(url: string, roots: readonly string[], file: string): string {
  const lines = [
    `lspan serves MCP at ${url}`,
    `The workspace is ${roots.join(', ')}`,
    `The bearer token is in ${file} (lspan token show prints it).`,
  ];
  return lines.map((line) => `${escapeControls(line)}\n`).join('');
}

/** Where to listen, and to whom; what cannot be meant is refused before anything is started. */
export function addressOf(flags: Flags) {
  const { port = '3939', host = '127.0.0.1', endpoint: path = '/mcp', allowOrigin: origins } = flags;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw usageError(`--port cannot be "${port}". Give a number up to 65535.`, 'serve');
  if (host !== '127.0.0.1' && host !== '::1')
    throw usageError(
      `--host cannot be "${host}". Only this machine may ask: give 127.0.0.1 or ::1.`,
      'serve',
    );
  if (!/^(\/[\w.~-]+)+$/.test(path) || taken.has(path))
    throw usageError(
      `--endpoint cannot be "${path}". Give a path such as /mcp, without a slash at its end; /healthz and /metrics are taken.`,
      'serve',
    );
  const wrong = origins.find((origin) => !isOrigin(origin));
  if (wrong !== undefined)
    throw usageError(
      `--allow-origin cannot be "${wrong}". Give one origin as browsers write it, such as http://localhost:6274.`,
      'serve',
    );
  const only = flags.protocol === '2025-11-25' ? flags.protocol : undefined;
  return { port: Number(port), host, path, origins, sessions: !flags.noSessions, only } as const;
}

const taken: ReadonlySet<string> = new Set(['/healthz', '/metrics']);

/** As a browser writes it in the header: it is compared as it is. */
function isOrigin(given: string): boolean {
  return (
    /^[a-z][a-z\d+.-]*:\/\/([a-z\d.-]+|\[[\da-f:.]+\])(:[1-9]\d{0,4})?$/.test(given) && !namesUsualPort(given)
  );
}

/** Browsers leave out the port that goes with the scheme. */
function namesUsualPort(origin: string): boolean {
  return /^(http:.*:80|https:.*:443)$/.test(origin);
}
