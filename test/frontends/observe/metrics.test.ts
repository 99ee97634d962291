import { expect, it } from 'vitest';
import { errorCodes } from '../../../src/core/errors.ts';
import { exposition } from '../../../src/frontends/observe/exposition.ts';
import { callOutcome, createMetrics } from '../../../src/frontends/observe/metrics.ts';
import { version } from '../../../src/version.ts';
import { openTestBridge, question } from '../../test-bridge.ts';

const tools = ['get_hover', 'find_references'];
const forging = 'x"} 1\nlspan_forged_total{a="\\\u001b[31m';

function linesOf(text: string, name: string): string[] {
  return text.split('\n').filter((line) => line.startsWith(name));
}

it('writes the text format: help, type, escaped labels, a newline at the end', () => {
  const text = exposition([
    {
      name: 'a_total',
      help: 'One\\two\nthree.',
      type: 'counter',
      samples: [{ labels: { one: 'a"b\\c\nd', two: '' }, value: 0.5 }, { value: Number.POSITIVE_INFINITY }],
    },
    { name: 'nothing', help: 'Left out.', type: 'gauge', samples: [] },
    { name: 'b', help: 'B.', type: 'gauge', samples: [{ value: Number.NaN }] },
  ]);
  expect(text).toBe(
    [
      '# HELP a_total One\\\\two\\nthree.',
      '# TYPE a_total counter',
      'a_total{one="a\\"b\\\\c\\nd",two=""} 0.5',
      'a_total +Inf',
      '# HELP b B.',
      '# TYPE b gauge',
      'b NaN',
      '',
    ].join('\n'),
  );
});

it('counts streams without measuring their duration', () => {
  const metrics = createMetrics({ tools });
  metrics.answered({ route: 'endpoint', status: 200, ms: 2 });
  metrics.answered({ route: 'endpoint', status: 200, ms: 600_000, lasting: true });
  const text = metrics.render();
  expect(text).toContain('lspan_http_requests_total{route="endpoint",status="200"} 2\n');
  expect(text).toContain('lspan_http_request_duration_seconds_count{route="endpoint"} 1\n');
  expect(text).toContain('lspan_http_request_duration_seconds_sum{route="endpoint"} 0.002\n');
});

it('counts calls by tool and outcome, and errors by code, starting at 0', () => {
  const metrics = createMetrics({ tools });
  expect(linesOf(metrics.render(), 'lspan_calls_total{')).toHaveLength(6);
  expect(linesOf(metrics.render(), 'lspan_call_errors_total{')).toHaveLength(errorCodes.length);
  metrics.called('get_hover', { outcome: 'ok', ms: 3 });
  metrics.called('get_hover', { outcome: 'incomplete', ms: 70 });
  metrics.called('get_hover', { outcome: 'error', code: 'timed_out', ms: 30_001 });
  const text = metrics.render();
  expect(linesOf(text, 'lspan_calls_total{tool="get_hover"')).toEqual([
    'lspan_calls_total{tool="get_hover",outcome="error"} 1',
    'lspan_calls_total{tool="get_hover",outcome="incomplete"} 1',
    'lspan_calls_total{tool="get_hover",outcome="ok"} 1',
  ]);
  expect(text).toContain('lspan_call_errors_total{code="timed_out"} 1\n');
  const buckets = linesOf(text, 'lspan_call_duration_seconds_bucket').map((line) => line.split(' ')[1]);
  expect(buckets).toEqual('0 0 1 1 1 1 2 2 2 2 2 2 2 2 2 3'.split(' '));
  expect(text).toContain('lspan_call_duration_seconds_bucket{tool="get_hover",le="+Inf"} 3\n');
  expect(text).toContain('lspan_call_duration_seconds_count{tool="get_hover"} 3\n');
  expect(Number(/_sum\{tool="get_hover"\} (.*)/.exec(text)?.[1])).toBeCloseTo(30.074);
});

it('the upper bound of a bucket is inclusive', () => {
  const metrics = createMetrics({ tools });
  metrics.called('get_hover', { outcome: 'ok', ms: 1 });
  expect(metrics.render()).toContain('le="0.001"} 1\n');
});

it('INF-01 INF-11 a client’s text is never a label', () => {
  const metrics = createMetrics({ tools });
  const before = metrics.render().split('\n').length;
  for (let index = 0; index < 1_000; index += 1) {
    metrics.called(`${forging}${index}`, { outcome: 'error', code: `${forging}${index}`, ms: 1 });
    metrics.answered({ route: `/${forging}${index}`, status: 1_000 + index, ms: 1 });
  }
  const text = metrics.render();
  expect(text.split('\n').length - before).toBeLessThan(50);
  expect(text).not.toContain('forged');
  expect(text).toContain('lspan_calls_total{tool="other",outcome="error"} 1000\n');
  expect(text).toContain('lspan_call_errors_total{code="other"} 1000\n');
  expect(text).toContain('lspan_http_requests_total{route="other",status="other"} 1000\n');
});

it('renders the same output for any order of events', () => {
  const [one, other] = [createMetrics({ tools }), createMetrics({ tools })];
  const events = [
    { route: 'endpoint', status: 200, ms: 5 },
    { route: 'healthz', status: 200, ms: 5 },
    { route: 'endpoint', status: 401, ms: 5 },
    { route: 'none', status: 0, ms: 5 },
  ];
  events.forEach(one.answered);
  events.toReversed().forEach(other.answered);
  const counted = (text: string) => linesOf(text, 'lspan_http');
  expect(counted(one.render())).toEqual(counted(other.render()));
  expect(linesOf(one.render(), 'lspan_http_requests_total')).toEqual([
    'lspan_http_requests_total{route="endpoint",status="200"} 1',
    'lspan_http_requests_total{route="endpoint",status="401"} 1',
    'lspan_http_requests_total{route="healthz",status="200"} 1',
    'lspan_http_requests_total{route="other",status="gone"} 1',
  ]);
});

it('reads gauges when rendering, and includes the process', () => {
  const metrics = createMetrics({ tools });
  expect(metrics.render()).not.toContain('lspan_http_sessions');
  let sessions = 3;
  metrics.watch({ sessions: () => sessions, callsInFlight: () => 2 });
  metrics.watch({ streams: () => 1, requestsInFlight: () => 4 });
  sessions = 5;
  const text = metrics.render();
  for (const line of [
    'lspan_http_sessions 5',
    'lspan_http_streams 1',
    'lspan_calls_in_flight 2',
    'lspan_http_requests_in_flight 4',
    `lspan_build_info{version="${version}"} 1`,
  ])
    expect(text).toContain(`${line}\n`);
  for (const name of ['process_resident_memory_bytes', 'nodejs_heap_size_used_bytes', 'lspan_uptime_seconds'])
    expect(Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])).toBeGreaterThan(0);
});

it('shows servers by id and state, summed over folders', () => {
  const metrics = createMetrics({ tools });
  metrics.watch({
    servers: () => [
      { id: 'b', state: 'ready', restarts: 1, memoryBytes: 100 },
      { id: 'a', state: 'stopped', restarts: 0 },
      { id: 'b', state: 'ready', restarts: 2, memoryBytes: 50 },
    ],
  });
  const text = metrics.render();
  expect(linesOf(text, 'lspan_servers{').filter((line) => !line.endsWith(' 0'))).toEqual([
    'lspan_servers{server="a",state="stopped"} 1',
    'lspan_servers{server="b",state="ready"} 2',
  ]);
  expect(linesOf(text, 'lspan_servers{')).toHaveLength(12);
  expect(linesOf(text, 'lspan_server_restarts_total{')).toEqual([
    'lspan_server_restarts_total{server="a"} 0',
    'lspan_server_restarts_total{server="b"} 3',
  ]);
  expect(linesOf(text, 'lspan_server_memory_bytes{')).toEqual(['lspan_server_memory_bytes{server="b"} 150']);
});

it('every line is a valid comment or sample', () => {
  const metrics = createMetrics({ tools: [...tools, 'vscode.lsp.hover'] });
  metrics.called('vscode.lsp.hover', { outcome: 'ok', ms: 0.1 });
  metrics.answered({ route: 'endpoint', status: 200, ms: 1 });
  metrics.watch({ servers: () => [{ id: forging, state: 'ready', restarts: 0 }] });
  const sample = /^[a-z_]+(\{[a-z]+="([^"\\\n]|\\[\\"n])*"(,[a-z]+="([^"\\\n]|\\[\\"n])*")*\})? [\d.e+-]+$/;
  const comment = /^# (HELP [a-z_]+ [^\n]+|TYPE [a-z_]+ (counter|gauge|histogram))$/;
  const lines = metrics.render().split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.filter((line) => !sample.test(line) && !comment.test(line))).toEqual([]);
});

it('a bridge reports the state of its servers without starting one', async () => {
  const bridge = await openTestBridge();
  expect(bridge.health?.()).toEqual([]);
  expect(bridge.pids()).toEqual([]);
  const outcome = await bridge.call(question.tool, question.input);
  expect(callOutcome(outcome)).toEqual({ outcome: 'ok' });
  expect(bridge.health?.()).toEqual([{ id: 'fake', state: 'running', restarts: 0 }]);
  expect(bridge.pids()).toHaveLength(1);
});

it('distinguishes complete answers, answers with doubts, and errors', () => {
  const outcome = { text: '', data: {}, isError: false };
  expect(callOutcome({ ...outcome, data: { complete: false } })).toEqual({ outcome: 'incomplete' });
  expect(callOutcome({ ...outcome, doubts: [{ kind: 'indexing', detail: '' }] })).toEqual({
    outcome: 'incomplete',
  });
  expect(callOutcome({ ...outcome, isError: true, data: { error: { code: 'busy' } } })).toEqual({
    outcome: 'error',
    code: 'busy',
  });
});
