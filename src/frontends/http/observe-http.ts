import type { TraceEntry } from '../../bridge.ts';
import { errorCodes } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { failureNumbers } from '../../surfaces/gateway/failure.ts';
import type { Outcome } from '../../tools/run/tool.ts';
import { callOutcome } from '../observe/call-outcome.ts';
import { createMetrics, type Metrics } from '../observe/metrics.ts';
import { calmLog } from '../observe/rate-limited-log.ts';
import { sanitisedTrace } from '../observe/redacted-trace.ts';
import { type DoorWatch, watchDoor } from './watch-door.ts';

/** What is seen of a process that serves: its log, its metrics and its trace. */
export interface Observation {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly door: DoorWatch;
  /** Hears how a call of a tool ended, and after how many milliseconds. */
  readonly called: (call: { readonly tool: string }, outcome: Outcome, ms: number) => void;
  /** Takes the messages to and from language servers, where a trace is kept. */
  readonly trace?: (entry: TraceEntry) => void;
  close(): void;
}

/** Joins them: none tells who asked, or what about. */
export function observeServing(settings: {
  readonly log: Log;
  /** Takes the lines of a trace. */
  readonly trace?: ((entry: object) => void) | undefined;
  readonly roots: readonly string[];
  /** The names of the tools that are offered. */
  readonly tools: readonly string[];
}): Observation {
  const { roots, tools } = settings;
  const { log, close } = calmLog(settings.log);
  const metrics = createMetrics({ tools, codes });
  const trace = settings.trace && sanitisedTrace(settings.trace, roots, tools);
  return {
    log,
    metrics,
    door: watchDoor({ metrics, log, trace }),
    called: ({ tool }, outcome, ms) => metrics.called(tool, { ...callOutcome(outcome), ms }),
    ...(trace && { trace: trace.message }),
    close,
  };
}

/** Those of every surface. */
const codes = [...errorCodes, ...Object.keys(failureNumbers)];
