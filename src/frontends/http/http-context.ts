import type { Log } from '../../core/log.ts';
import type { Visits } from './connections.ts';
import type { Serve } from './exchange.ts';
import type { Answered } from './request-record.ts';
import type { HttpLimits, Rules } from './rules.ts';
import type { Tokens } from './tokens.ts';

/** What stands behind the door. */
export interface Reception {
  readonly tokens: Pick<Tokens, 'confirmed'>;
  readonly rules: Rules;
  readonly most: HttpLimits;
  readonly visits: Visits;
  readonly serve: Serve;
  readonly metrics: () => string | Promise<string>;
  readonly log: Log;
  readonly onAnswered?: ((answered: Answered) => void) | undefined;
}
