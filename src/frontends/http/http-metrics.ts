import type { TraceEntry } from '../../bridge.ts';
import { errorCodes } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { object } from '../../core/runtime/json.ts';
import { failureNumbers } from '../../surfaces/gateway/failure.ts';
import type { Outcome } from '../../tools/run/tool.ts';
import { callOutcome, createMetrics, type Metrics } from '../observe/metrics.ts';
import { rateLimitedLog } from '../observe/rate-limited-log.ts';
import { type RedactedTrace, redactedTrace } from '../observe/redacted-trace.ts';
import type { Serve } from './exchange.ts';
import type { AnsweredRequest } from './request-record.ts';

/** The log, metrics and trace of a serving process. */
interface Observation {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly door: DoorWatch;
  /** Called when a tool call has ended, with its duration in milliseconds. */
  readonly called: (call: { readonly tool: string }, outcome: Outcome, ms: number) => void;
  /** Traces messages to and from language servers, if a trace is kept. */
  readonly trace?: (entry: TraceEntry) => void;
  close(): void;
}

/** Connects log, metrics and trace; none of them records who made a request, or what it was about. */
export function observeServing(settings: {
  readonly log: Log;
  readonly trace?: ((entry: object) => void) | undefined;
  readonly roots: readonly string[];
  readonly tools: readonly string[];
}): Observation {
  const { roots, tools } = settings;
  const { log, close } = rateLimitedLog(settings.log);
  const metrics = createMetrics({ tools, codes });
  const trace = settings.trace && redactedTrace(settings.trace, roots, tools);
  return {
    log,
    metrics,
    door: watchDoor({ metrics, log, trace }),
    called: ({ tool }, outcome, ms) => metrics.called(tool, { ...callOutcome(outcome), ms }),
    ...(trace && { trace: trace.message }),
    close,
  };
}

/** The error codes of every surface. */
const codes = [...errorCodes, ...Object.keys(failureNumbers)];

/** Observes the requests of an HTTP server. */
interface DoorWatch {
  /** Called for every request once it is over. */
  readonly onAnswered: (answered: AnsweredRequest) => void;
  /** Wraps `serve` so that its replies are traced. */
  readonly heard: (serve: Serve) => Serve;
}

/** Counts, logs and traces requests: their kind, outcome and cost, never their content. */
export function watchDoor(watch: {
  readonly metrics: Metrics;
  readonly log: Log;
  readonly trace?: RedactedTrace | undefined;
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

function traced(serve: Serve, trace: RedactedTrace): Serve {
  return async (exchange) => {
    const began = performance.now();
    const reply = await serve(exchange);
    const { method, params } = object(exchange.body);
    const { name } = object(params);
    const tool = typeof name === 'string' ? name : undefined;
    const { status } = reply;
    if (typeof method === 'string')
      trace.call({ method, tool, status, ms: round(performance.now() - began) });
    return reply;
  };
}

/** Rounds to tenths of a millisecond: microseconds add no information, and take space. */
function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
