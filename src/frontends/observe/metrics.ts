import type { ServerHealth } from '../../core/backend.ts';
import { errorCodes } from '../../core/errors.ts';
import { object, text } from '../../core/runtime/json.ts';
import type { Outcome } from '../../tools/run/tool.ts';
import { version } from '../../version.ts';
import { exposition, type Family, type Labels, type Sample } from './exposition.ts';

/** Outcome and duration of a tool call. */
interface MeasuredCall {
  readonly outcome: CallOutcome;
  /** Error code, if it failed. */
  readonly code?: string | undefined;
  readonly ms: number;
}

type CallOutcome = (typeof outcomes)[number];

/** A response to an HTTP request, accepted or refused. */
interface MeasuredAnswer {
  /** One of `routes`; any other text counts as `other`. */
  readonly route: string;
  readonly status: number;
  /** A stream: the client determines its duration, so it is not measured. */
  readonly lasting?: boolean;
  readonly ms: number;
}

/** Gauges that are read when rendering; absent ones are omitted. */
interface MetricSources {
  readonly callsInFlight?: () => number;
  readonly requestsInFlight?: () => number;
  readonly sessions?: () => number;
  readonly streams?: () => number;
  readonly servers?: () => readonly ServerHealth[];
}

/** Metrics of a serving process. Labels come from closed sets; nothing of a request's content is recorded. */
export interface Metrics {
  called(tool: string, call: MeasuredCall): void;
  answered(answer: MeasuredAnswer): void;
  /** Adds sources to those given before. */
  watch(sources: MetricSources): void;
  /** Renders all metrics in the text format of Prometheus. */
  render(): string;
}

/** Creates the metrics of one process; unknown tools and codes are counted as `other`. */
export function createMetrics({
  tools,
  codes = errorCodes,
}: {
  readonly tools: readonly string[];
  readonly codes?: readonly string[];
}): Metrics {
  const calls = createCounts(tools.flatMap((tool) => outcomes.map((outcome) => ({ tool, outcome }))));
  const errors = createCounts(codes.map((code) => ({ code })));
  const callTimes = createHistogram(durationBounds);
  const requests = createCounts();
  const requestTimes = createHistogram(durationBounds);
  const sources: MetricSources[] = [];
  return {
    called: (name, { outcome, code, ms }) => {
      const tool = labelAmong(tools, name);
      calls.add({ tool, outcome });
      callTimes.observe({ tool }, ms / 1000);
      if (outcome === 'error') errors.add({ code: labelAmong(codes, code) });
    },
    answered: ({ route, status, lasting, ms }) => {
      const known = labelAmong(routes, route);
      requests.add({ route: known, status: statusLabel(status) });
      if (!lasting) requestTimes.observe({ route: known }, ms / 1000);
    },
    watch: (more) => void sources.push(more),
    render: () => {
      const read: MetricSources = Object.assign({}, ...sources);
      return exposition([
        counter('lspan_calls_total', 'Tool calls by outcome.', calls.samples()),
        counter('lspan_call_errors_total', 'Failed calls by error code.', errors.samples()),
        histogram('lspan_call_duration_seconds', 'Duration of tool calls.', callTimes.samples()),
        counter('lspan_http_requests_total', 'HTTP requests by response status.', requests.samples()),
        histogram(
          'lspan_http_request_duration_seconds',
          'Duration of HTTP responses, without streams.',
          requestTimes.samples(),
        ),
        gauge('lspan_calls_in_flight', 'Tool calls in progress.', read.callsInFlight),
        gauge('lspan_http_requests_in_flight', 'HTTP requests in progress.', read.requestsInFlight),
        gauge('lspan_http_sessions', 'Open client sessions.', read.sessions),
        gauge('lspan_http_streams', 'Open event streams.', read.streams),
        ...(read.servers ? serverFamilies(read.servers()) : []),
        ...processFamilies(),
      ]);
    },
  };
}

const outcomes = ['ok', 'incomplete', 'error'] as const;

/** Routes, independent of the configured path. */
const routes = ['endpoint', 'healthz', 'metrics'] as const;

/** From a cached answer to one that takes the whole deadline. */
const durationBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30];

/** Never uses a client's text as a label. */
function labelAmong(known: readonly string[], name: string | undefined): string {
  return name !== undefined && known.includes(name) ? name : 'other';
}

/** 0 means that the client disconnected. */
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
    gauge('nodejs_heap_size_used_bytes', 'Heap in use.', () => heapUsed),
    gauge('nodejs_heap_size_total_bytes', 'Heap reserved.', () => heapTotal),
    counter('process_cpu_seconds_total', 'Processor time of lspan, without its servers.', [
      { value: (user + system) / 1e6 },
    ]),
    gauge('lspan_uptime_seconds', 'Uptime of lspan.', () => process.uptime()),
    gauge('lspan_build_info', 'The version that runs; always 1.', () => 1, { version }),
  ];
}

/** Metrics of language servers, summed over folders: a folder is never a label. */
function serverFamilies(servers: readonly ServerHealth[]): readonly Family[] {
  const ids = [...new Set(servers.map(({ id }) => id))].sort();
  const each = ids.map((server) => ({ server, own: servers.filter(({ id }) => id === server) }));
  return [
    {
      name: 'lspan_servers',
      help: 'Language servers asked so far, by state.',
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
      help: 'Crashes and failed starts of a language server.',
      type: 'counter',
      samples: each.map(({ server, own }) => ({
        labels: { server },
        value: sum(own.map(({ restarts }) => restarts)),
      })),
    },
    {
      name: 'lspan_server_memory_bytes',
      help: 'Memory of a language server and its child processes, when last measured.',
      type: 'gauge',
      samples: each.flatMap(({ server, own }) => {
        const known = own.flatMap(({ memoryBytes }) => memoryBytes ?? []);
        return known.length > 0 ? [{ labels: { server }, value: sum(known) }] : [];
      }),
    },
  ];
}

/** All states are listed, so that a state that was left is shown as 0. */
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

/** Classifies the outcome of a call without its content. */
export function callOutcome({ isError, doubts = [], data }: Outcome): Omit<MeasuredCall, 'ms'> {
  if (isError) return { outcome: 'error', code: codeIn(data.error) };
  return { outcome: doubts.length > 0 || data.complete === false ? 'incomplete' : 'ok' };
}

function codeIn(error: unknown): string | undefined {
  return text(object(error).code);
}

/** Counters by labels. Labels come from closed sets, so that clients cannot create many. */
interface Counts {
  add(labels: Labels, by?: number): void;
  samples(): readonly Sample[];
}

/** Creates counters; known labels start at 0, so that rates are right from the first event. */
function createCounts(known: readonly Labels[] = []): Counts {
  const counted = createSeries(() => ({ value: 0 }));
  known.forEach((labels) => void counted.of(labels));
  return {
    add: (labels, by = 1) => {
      counted.of(labels).value += by;
    },
    samples: () => counted.all().map(({ labels, state }) => ({ labels, value: state.value })),
  };
}

/** Cumulative histograms by labels. */
interface Histogram {
  observe(labels: Labels, value: number): void;
  samples(): readonly Sample[];
}

/** Creates a histogram with these upper bounds, in ascending order. */
function createHistogram(bounds: readonly number[]): Histogram {
  const observed = createSeries(() => ({ within: bounds.map(() => 0), count: 0, sum: 0 }));
  return {
    observe: (labels, value) => {
      const state = observed.of(labels);
      state.count += 1;
      state.sum += value;
      for (const [index, bound] of bounds.entries())
        if (value <= bound) state.within[index] = (state.within[index] ?? 0) + 1;
    },
    samples: () =>
      observed
        .all()
        .flatMap(({ labels, state: { within, count, sum } }) => [
          ...within.map((value, index) => bucket(labels, String(bounds[index]), value)),
          bucket(labels, '+Inf', count),
          { suffix: '_sum', labels, value: sum },
          { suffix: '_count', labels, value: count },
        ]),
  };
}

function bucket(labels: Labels, le: string, value: number): Sample {
  return { suffix: '_bucket', labels: { ...labels, le }, value };
}

/** Stores a value for each combination of labels, listed in the order of the labels. */
function createSeries<T>(fresh: () => T) {
  const series = new Map<string, { readonly labels: Labels; readonly state: T }>();
  return {
    of: (labels: Labels): T => {
      const key = Object.values(labels).join('\0');
      const found = series.get(key) ?? { labels, state: fresh() };
      series.set(key, found);
      return found.state;
    },
    all: () => [...series].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each),
  };
}
