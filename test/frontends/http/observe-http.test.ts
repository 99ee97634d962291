import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { CancelSource } from '../../../src/core/runtime/cancellation.ts';
import type { Exchange } from '../../../src/frontends/http/exchange.ts';
import { watchDoor } from '../../../src/frontends/http/http-metrics.ts';
import { createMetrics } from '../../../src/frontends/observe/metrics.ts';
import { redactedTrace } from '../../../src/frontends/observe/redacted-trace.ts';
import { canaryScan } from '../../canary-scan.ts';

const answered = {
  route: 'endpoint',
  method: 'POST',
  status: 200,
  ms: 1.26,
  bytesIn: 5,
  bytesOut: 7,
} as const;
const told = { route: 'endpoint', method: 'POST', ms: 1.3 };

function watching() {
  const logged: unknown[] = [];
  const traced: unknown[] = [];
  const metrics = createMetrics({ tools: ['get_hover'] });
  const watch = watchDoor({
    metrics,
    log: (level, event, fields) => void logged.push([level, event, fields]),
    trace: redactedTrace((entry) => void traced.push(entry), [], ['get_hover']),
  });
  return { ...watch, logged, traced, metrics };
}

it('logs every answer for who looks closely, and refusals for everybody', () => {
  const { onAnswered, logged, traced, metrics } = watching();
  onAnswered(answered);
  onAnswered({ ...answered, status: 401, why: 'token' });
  const facts = { ...told, bytes_in: 5, bytes_out: 7 };
  expect(logged).toEqual([
    ['debug', 'http.answered', { ...facts, status: 200 }],
    ['info', 'http.refused', { ...facts, status: 401, why: 'token' }],
  ]);
  expect(traced).toEqual([
    { http: { ...facts, status: 200 } },
    { http: { ...facts, status: 401, why: 'token' } },
  ]);
  expect(metrics.render()).toContain('lspan_http_requests_total{route="endpoint",status="401"} 1\n');
});

it('INF-01 traces which tool was called, and neither who asked nor what', async () => {
  const { heard, logged, traced } = watching();
  const secret = randomBytes(32).toString('base64url');
  const exchange: Exchange = {
    method: 'POST',
    headers: new Map([
      ['authorization', `Bearer ${secret}`],
      ['mcp-session-id', secret],
      ['user-agent', secret],
    ]),
    body: {
      id: secret,
      method: 'tools/call',
      params: { name: 'get_hover', arguments: { file_path: secret } },
    },
    tokenId: secret,
    gone: new CancelSource(),
  };
  const serve = heard(async () => ({ status: 200, body: secret }));
  expect(await serve(exchange)).toEqual({ status: 200, body: secret });
  expect(await serve({ ...exchange, body: { method: secret, params: { name: secret } } })).toBeDefined();
  expect(await serve({ ...exchange, body: [secret] })).toBeDefined();
  expect(traced).toMatchObject([
    { call: { method: 'tools/call', tool: 'get_hover', status: 200 } },
    { call: { method: '(other)', tool: '(other)' } },
  ]);
  expect(canaryScan(secret, { traced: JSON.stringify(traced), logged: JSON.stringify(logged) })).toEqual([]);
});
