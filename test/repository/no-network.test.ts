import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tracer, whyNotTraced } from '../evil-repo/traced-runs.ts';
import { expectAnswer, startLspan } from '../faults/start-lspan.ts';
import { serveLspan } from '../served-lspan.ts';
import { question, temporaryFolder } from '../test-bridge.ts';

const untraced = whyNotTraced();
const reason = untraced === '' ? '' : ` (skipped: ${untraced})`;

describe.skipIf(untraced !== '')(`INF-06 as the kernel sees it${reason}`, () => {
  it('lspan and what it starts ask for no connection and send nothing to an address', {
    timeout: 120_000,
  }, async () => {
    const output = path.join(temporaryFolder('lspan-network-'), 'trace');
    const lspan = await startLspan({ before: tracer(calls, output) });
    await expectAnswer(lspan);
    const gone = once(lspan.child, 'exit');
    lspan.child.stdin?.end();
    await gone;
    expect(outbound(readFileSync(output, 'utf8'))).toEqual([]);
  });

  it('nor does lspan that is served, which only listens', async () => {
    const output = path.join(temporaryFolder('lspan-network-'), 'trace');
    const lspan = await serveLspan({ tracer: tracer(calls, output), flags: ['--no-sessions'] });
    const headers = { authorization: `Bearer ${lspan.token}`, 'content-type': 'application/json', accept };
    const params = { name: question.tool, arguments: question.input };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const answer = await fetch(lspan.url, { method: 'POST', headers, body });
    expect(await answer.text()).toContain('function alpha');
    await lspan.end();
    const trace = readFileSync(output, 'utf8');
    expect(outbound(trace)).toEqual([]);
    const bound = trace.split('\n').filter((line) => / bind\(.*AF_INET/.test(line));
    expect(bound).toEqual([expect.stringContaining('inet_addr("127.0.0.1")')]);
  });

  it('and a connection would have been seen', () => {
    const output = path.join(temporaryFolder('lspan-network-'), 'trace');
    const [program = '', ...words] = tracer(calls, output);
    const connect = 'require("node:net").connect(9, "127.0.0.1").on("error", () => {})';
    spawnSync(program, [...words, process.execPath, '-e', connect]);
    expect(outbound(readFileSync(output, 'utf8'))).toHaveLength(1);
  });
});

const alone = ['unshare', '--map-root-user', '--net'];
const [program = '', ...words] = alone;
const isAlone = spawnSync(program, [...words, '/bin/true']).status === 0;
const why = isAlone ? '' : ' (skipped: this system gives no process a network of its own)';

it.skipIf(!isAlone)(
  `INF-06 SUP-09 lspan works where there is no network at all${why}`,
  { timeout: 120_000 },
  async () => {
    await expectAnswer(await startLspan({ before: alone }));
  },
);

const calls = 'connect,sendto,sendmsg,sendmmsg,bind';
const accept = 'application/json, text/event-stream';

/** The calls that name an address beyond this machine's own files. The kernel is spoken to about a new network by netlink. */
function outbound(trace: string): readonly string[] {
  return trace.split('\n').filter((line) => !/ bind\(|AF_NETLINK/.test(line) && /AF_INET6?\b/.test(line));
}
