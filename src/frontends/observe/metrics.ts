import type { ServerHealth } from '../../core/backend.ts';
import { errorCodes } from '../../core/errors.ts';
import { object, text } from '../../core/runtime/json.ts';
import type { Outcome } from '../../tools/run/tool.ts';
import { version } from '../../version.ts';
import { createCounts, createHistogram } from './counts.ts';
import { exposition, type Family, type Sample } from './exposition.ts';

/** How a call of a tool ended, and how long it took. */
interface MeasuredCall {
  readonly outcome: CallOutcome;
  /** Why it failed. */
  readonly code?: string | undefined;
  readonly ms: number;
}

type CallOutcome = (typeof outcomes)[number];

/** An answer to a request, whether it was let in or not. */
interface MeasuredAnswer {
  /** Which of the paths that are served was meant; any other text is `other`. */
  readonly route: string;
  readonly status: number;
  /** Its time is the client's choice, and none that an answer took. */
  readonly lasting?: boolean;
  readonly ms: number;
}

/** What is read at the moment of looking; what is absent is not told. */
interface MetricSources {
  readonly callsInFlight?: () => number;
  readonly requestsInFlight?: () => number;
  readonly sessions?: () => number;
  readonly streams?: () => number;
  readonly servers?: () => readonly ServerHealth[];
}

/** What can be measured of a process that serves: numbers under names from closed sets, and nothing of what was asked. */
export interface Metrics {
  called(tool: string, call: MeasuredCall): void;
  answered(answer: MeasuredAnswer): void;
  /** Reads these from now on, beside those that it was given before. */
  watch(sources: MetricSources): void;
  /** Everything, in the text format of Prometheus. */
  render(): string;
}

/** The metrics of one process; only these names of tools and codes are told apart. */
export function createMetrics({
  tools,
  codes = errorCodes,
}: {
  readonly tools: readonly string[];
  readonly codes?: readonly string[];
}): Metrics {
  const calls = createCounts(tools.flatMap((tool) => outcomes.map((outcome) => ({ tool, outcome }))));
  const errors = createCounts(codes.map((code) => ({ code })));
  const callTimes = createHistogram(secondsOfCalls);
  const requests = createCounts();
  const requestTimes = createHistogram(secondsOfCalls);
  const sources: MetricSources[] = [];
  return {
    called: (name, { outcome, code, ms }) => {
      const tool = among(tools, name);
      calls.add({ tool, outcome });
      callTimes.observe({ tool }, ms / 1000);
      if (outcome === 'error') errors.add({ code: among(codes, code) });
    },
    answered: ({ route, status, lasting, ms }) => {
      const known = among(routes, route);
      requests.add({ route: known, status: statusLabel(status) });
      if (!lasting) requestTimes.observe({ route: known }, ms / 1000);
    },
    watch: (more) => void sources.push(more),
    render: () => {
      const read: MetricSources = Object.assign({}, ...sources);
      return exposition([
        counter('lspan_calls_total', 'Calls of tools by how they ended.', calls.samples()),
        counter('lspan_call_errors_total', 'Calls that failed, by the code of the error.', errors.samples()),
        histogram('lspan_call_duration_seconds', 'How long calls of tools took.', callTimes.samples()),
        counter(
          'lspan_http_requests_total',
          'HTTP requests by the status of the answer.',
          requests.samples(),
        ),
        histogram(
          'lspan_http_request_duration_seconds',
          'How long answers took, without streams.',
          requestTimes.samples(),
        ),
        gauge('lspan_calls_in_flight', 'Calls of tools being answered.', read.callsInFlight),
        gauge('lspan_http_requests_in_flight', 'HTTP requests being answered.', read.requestsInFlight),
        gauge('lspan_http_sessions', 'Sessions of clients that are open.', read.sessions),
        gauge('lspan_http_streams', 'Streams of events that are open.', read.streams),
        ...(read.servers ? serverFamilies(read.servers()) : []),
        ...processFamilies(),
      ]);
    },
  };
}

const outcomes = ['ok', 'incomplete', 'error'] as const;

/** What is served, under whichever path. */
const routes = ['endpoint', 'healthz', 'metrics'] as const;

/** From an answer that was kept to one that took the whole deadline. */
const secondsOfCalls = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30];

/** What somebody else wrote is never a label. */
function among(known: readonly string[], name: string | undefined): string {
  return name !== undefined && known.includes(name) ? name : 'other';
}

/** 0 means that the client had gone. */
function statusLabel(status: number): string {
  if (status === 0) return 'gone';
  return Number.isInteger(status) && status >= 100 && status <= 599 ? String(status) : 'other';
}

function counter(name: string, help: string, samples: readonly Sample[]): Family {
  return { name, help, type: 'counter', samples };
}

function histogram(name: string, help: string, samples: readonly Sample[]): Family {
  return { name, help, type: 'histogram', samples };
}

function gauge(name: string, help: string, read: (() => number) | undefined, labels = {}): Family {
  return { name, help, type: 'gauge', samples: read ? [{ value: read(), labels }] : [] };
}

function processFamilies(): readonly Family[] {
  const { rss, heapUsed, heapTotal } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return [
    gauge('process_resident_memory_bytes', 'Resident memory of lspan, without its servers.', () => rss),
    gauge('nodejs_heap_size_used_bytes', 'Heap that is in use.', () => heapUsed),
    gauge('nodejs_heap_size_total_bytes', 'Heap that is held.', () => heapTotal),
    counter('process_cpu_seconds_total', 'Processor time of lspan, without its servers.', [
      { value: (user + system) / 1e6 },
    ]),
    gauge('lspan_uptime_seconds', 'How long lspan has been running.', () => process.uptime()),
    gauge('lspan_build_info', 'The version that runs; always 1.', () => 1, { version }),
  ];
}

/** The metrics of language servers, those of several folders taken together: a folder is nobody's label. */
function serverFamilies(vitals: readonly ServerHealth[]): readonly Family[] {
  const ids = [...new Set(vitals.map(({ id }) => id))].sort();
  const each = ids.map((server) => ({ server, own: vitals.filter(({ id }) => id === server) }));
  return [
    {
      name: 'lspan_servers',
      help: 'Language servers that were asked so far, by their state.',
      type: 'gauge',
      samples: each.flatMap(({ server, own }) =>
        states.map((state) => ({
          labels: { server, state },
          value: own.filter((one) => one.state === state).length,
        })),
      ),
    },
    {
      name: 'lspan_server_restarts_total',
      help: 'How often a language server had crashed or failed to start.',
      type: 'counter',
      samples: each.map(({ server, own }) => ({
        labels: { server },
        value: sum(own.map(({ restarts }) => restarts)),
      })),
    },
    {
      name: 'lspan_server_memory_bytes',
      help: 'Memory of a language server and of all that it started, when last looked at.',
      type: 'gauge',
      samples: each.flatMap(({ server, own }) => {
        const known = own.flatMap(({ memoryBytes }) => memoryBytes ?? []);
        return known.length > 0 ? [{ labels: { server }, value: sum(known) }] : [];
      }),
    },
  ];
}

/** All are told, so that a state that was left is seen to be 0. */
const states: readonly ServerHealth['state'][] = [
  'starting',
  'indexing',
  'ready',
  'running',
  'stopped',
  'crashed',
];

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** What is measured of the end of a call: never what was answered. */
export function callOutcome({ isError, doubts = [], data }: Outcome): Omit<MeasuredCall, 'ms'> {
  if (isError) return { outcome: 'error', code: codeIn(data.error) };
  return { outcome: doubts.length > 0 || data.complete === false ? 'incomplete' : 'ok' };
}

function codeIn(error: unknown): string | undefined {
  return text(object(error).code);
}
