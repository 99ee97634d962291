import type { Log } from '../../core/log.ts';
import type { Serve } from './exchange.ts';
import type { Connections } from './open-connections.ts';
import type { AnsweredRequest } from './request-record.ts';
import type { HttpLimits, Rules, Tokens } from './request-rules.ts';

/** The parts of the HTTP server that handle a request. */
export interface HttpContext {
  readonly tokens: Pick<Tokens, 'confirmed'>;
  readonly rules: Rules;
  readonly most: HttpLimits;
  readonly connections: Connections;
  readonly serve: Serve;
  readonly metrics: () => string | Promise<string>;
  readonly log: Log;
  readonly onAnswered?: ((answered: AnsweredRequest) => void) | undefined;
}
