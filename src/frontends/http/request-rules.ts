import { LspanError } from '../../core/errors.ts';
import type { limits } from '../../core/limits.ts';

/** The limits of the HTTP server; tests use smaller ones. */
export type HttpLimits = { readonly [Name in keyof typeof limits.http]: number };

/** A path that is served. */
export interface Route {
  readonly name: 'endpoint' | 'healthz' | 'metrics';
  readonly methods: ReadonlySet<string>;
  /** The methods as the value of the header `Allow`. */
  readonly allow: string;
  /** True if it is served without a token. */
  readonly open: boolean;
}

/** The rules by which a request is checked. */
export interface Rules {
  readonly routes: ReadonlyMap<string, Route>;
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
  readonly tokenIdOf: (presented: string) => string | undefined;
  readonly most: Pick<HttpLimits, 'headers' | 'body'>;
}

/** The settings from which the rules are made. */
export interface RuleSettings {
  readonly host: '127.0.0.1' | '::1';
  readonly endpoint: string;
  readonly origins: readonly string[];
  readonly tokens: Tokens;
  readonly sessions: boolean;
}

/** Returns the rules of an HTTP server that listens on a port. */
export function rulesOf(settings: RuleSettings, port: number, most: HttpLimits): Rules {
  const methods = settings.sessions ? ['GET', 'POST', 'DELETE'] : ['POST'];
  return {
    routes: new Map<string, Route>([
      [settings.endpoint, route('endpoint', methods)],
      ['/healthz', { ...route('healthz', ['GET', 'HEAD']), open: true }],
      ['/metrics', route('metrics', ['GET'])],
    ]),
    hosts: new Set(hostsOf(settings.host, port)),
    origins: new Set(settings.origins),
    tokenIdOf: (presented) => settings.tokens.tokenIdOf(presented),
    most,
  };
}

/** Throws on settings under which the HTTP server could not keep its promises, before anything is bound. */
export function checkSettings({ host, endpoint, origins }: RuleSettings): void {
  if (!['127.0.0.1', '::1'].includes(host)) {
    throw new LspanError('refused', 'lspan listens on loopback addresses only.', {
      nextStep: 'Use --host 127.0.0.1 or --host ::1; host names such as localhost are not resolved.',
    });
  }
  if (!/^\/[\w./~-]*$/.test(endpoint) || endpoint === '/healthz' || endpoint === '/metrics') {
    throw new LspanError('invalid_input', 'The endpoint is not a valid path.', {
      nextStep: 'Give --endpoint a path such as /mcp: letters, digits, "-", "_", ".", "~" and "/".',
    });
  }
  const wrong = origins.find((origin) => !/^[a-z][a-z\d+.-]*:\/\/[^\s/?#@*\\]+$/.test(origin));
  if (wrong !== undefined) {
    throw new LspanError('invalid_input', `${JSON.stringify(wrong)} is not an origin.`, {
      nextStep: 'Give --allow-origin a scheme, a host and a port, such as http://localhost:6274.',
    });
  }
}

function route(name: Route['name'], methods: readonly string[]): Route {
  return { name, methods: new Set(methods), allow: methods.join(', '), open: false };
}

/** Returns the accepted Host headers: a client omits the port if it is the default port of HTTP. */
function hostsOf(host: RuleSettings['host'], port: number): string[] {
  return [host === '::1' ? '[::1]' : host, 'localhost'].flatMap((name) =>
    port === 80 ? [name, `${name}:80`] : [`${name}:${port}`],
  );
}

/** The bearer tokens that are valid at present. */
export interface Tokens {
  /** Returns the id of a valid token, which reveals nothing about it. All invalid ones take the same time. */
  tokenIdOf(presented: string): string | undefined;
  /** Resolves once all tokens found in this turn are known to be still valid; undefined if they are. */
  confirmed(): Promise<void> | undefined;
  /** Calls the listener with the id of each token that is revoked; returns a function that removes it. */
  onRevoked(listener: (tokenId: string) => void): () => void;
  close(): void;
}
