import type { Log } from '../../core/log.ts';
import type { Serve } from './exchange.ts';
import type { HttpLimits, Rules } from './rules.ts';
import type { Tokens } from './tokens.ts';
import type { Answered } from './turn.ts';
import type { Visits } from './visits.ts';

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
