import type { Log } from '../../core/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { SanitisedTrace } from '../observe/redacted-trace.ts';
import type { Serve } from './exchange.ts';
import type { Answered } from './request-record.ts';

/** Who hears of what comes through a door. */
export interface DoorWatch {
  /** Hears of every request once it is over. */
  readonly onAnswered: (answered: Answered) => void;
  /** The same answers, heard of on their way. */
  readonly heard: (serve: Serve) => Serve;
}

/** Counts, logs and traces requests: what kind they were, how they ended and what they took, and nothing that they said. */
export function watchDoor(watch: {
  readonly metrics: Metrics;
  readonly log: Log;
  readonly trace?: SanitisedTrace | undefined;
}): DoorWatch {
  const { metrics, log, trace } = watch;
  return {
    onAnswered: (answered) => {
      const { bytesIn, bytesOut, ...told } = answered;
      const facts = { ...told, ms: round(answered.ms), bytes_in: bytesIn, bytes_out: bytesOut };
      metrics.answered(answered);
      if (answered.status >= 400) log('info', 'http.refused', facts);
      else log('debug', 'http.answered', facts);
      trace?.request(facts);
    },
    heard: (serve) => (trace ? traced(serve, trace) : serve),
  };
}

function traced(serve: Serve, trace: SanitisedTrace): Serve {
  return async (exchange) => {
    const began = performance.now();
    const reply = await serve(exchange);
    const { method, params } = fieldsOf(exchange.body);
    const { name } = fieldsOf(params);
    const tool = typeof name === 'string' ? name : undefined;
    const { status } = reply;
    if (typeof method === 'string')
      trace.call({ method, tool, status, ms: round(performance.now() - began) });
    return reply;
  };
}

/** Microseconds tell nothing more, and take room. */
function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
