import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusalBody, refusals } from '../../src/frontends/http/refusals.ts';
import { type RunningServe, ServeFixture } from '../frontends/http/start-serve.ts';
import { type AttackingSite, type Finding, startAttackingSite } from './attacking-site.ts';
import { type OpenChromium, openChromium, whyNoChromium } from './open-chromium.ts';

const missing = whyNoChromium();
const reason = missing === '' ? '' : ` (skipped: ${missing})`;

describe.skipIf(missing !== '')(`TRN-03, TRN-04, TRN-08 a page in a real browser${reason}`, () => {
  const fixture = new ServeFixture();
  let lspan: RunningServe;
  let site: AttackingSite;
  let browser: OpenChromium;
  let metrics: string;
  let found: ReadonlyMap<string, readonly Finding[]>;

  beforeAll(async () => {
    site = await startAttackingSite(async (origin) => {
      lspan = await fixture.start('--allow-origin', origin);
      return { port: Number(new URL(lspan.url).port), token: fixture.token };
    });
    browser = openChromium(site.first, site.resolving);
    found = await Promise.race([site.found, browser.ended]);
    metrics = await (await lspan.ask('GET', {}, '/metrics')).text();
  });

  afterAll(async () => {
    await browser?.close();
    site?.close();
    await fixture.close();
  });

  const readBy = (page: number) =>
    (found.get(site.origins[page] ?? '') ?? []).filter(({ read }) => read !== '');

  it('tries some forty ways from three origins, and knows the token', () => {
    expect(found.size).toBe(3);
    for (const findings of found.values()) expect(findings.length).toBeGreaterThan(40);
  });

  it('of another origin reads nothing', () => {
    expect(readBy(0)).toEqual([]);
  });

  it('of an origin that is allowed reads nothing either', () => {
    expect(readBy(1)).toEqual([]);
  });

  it('under a name that was bent to lead to lspan reads refusals, which are the same for everybody', () => {
    const bodies = [refusals.host, refusals.method].map((refusal) => refusalBody(refusal));
    const read = readBy(2).map(({ read }) => read.replace(/^40[35] /, ''));
    expect(read.length).toBeGreaterThan(20);
    expect(read.filter((text) => !bodies.includes(text))).toEqual([]);
  });

  it('has asked in vain: nothing was let in but the question for the health, no session, no call, no server', () => {
    const answered = [...metrics.matchAll(/^lspan_http_requests_total\{route="(\w+)",status="(\w+)"\}/gm)];
    const by = (route: string) => answered.filter(([, one]) => one === route).map(([, , status]) => status);
    expect(by('healthz').sort()).toEqual(['200', '403']);
    // One of its simple requests was of an origin that is allowed, and so had no token rather than no right.
    expect(by('endpoint').sort()).toEqual(['401', '403', '405', '426']);
    expect(metrics).toMatch(/^lspan_http_sessions 0$/m);
    expect(metrics).not.toMatch(/^lspan_calls_total\{.*\} [1-9]/m);
    expect(lspan.log.join('\n')).not.toContain('session_opened');
    expect(fixture.received()).toEqual([]);
    expect(fixture.text('a.txt')).toContain('function alpha');
  });

  it('is not what an origin is allowed for: other clients that name it are let in, and no header is for pages', async () => {
    const headers = { Origin: site.origins[1] ?? '' };
    const answer = await lspan.modern(1, 'server/discover', {}, { headers });
    expect(answer.status).toBe(200);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('would have been seen: an honest client beside it opens a session and has the server asked', async () => {
    const headers = await lspan.session();
    const place = { file_path: 'b.txt', line: 1, character: 1 };
    const params = { name: 'find_definition', arguments: place };
    const answer = await lspan.post({ id: 1, method: 'tools/call', params }, { headers });
    expect(answer.status).toBe(200);
    expect(fixture.received().map(({ method }) => method)).toContain('textDocument/definition');
    expect(lspan.log.join('\n')).toContain('session_opened');
  });
});
