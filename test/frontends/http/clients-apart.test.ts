import { connect, type Socket } from 'node:net';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { withSeed } from '../../with-seed.ts';
import { message } from './start-http-server.ts';
import { answerOf, type Message, modernRequest, ServeFixture } from './start-serve.ts';

const words = 300;
const lines = Array.from({ length: words }, (_, index) => `function word${index + 1}`);
const fixture = new ServeFixture({
  files: { 'a.txt': 'function alpha\nalpha beta\n', 'words.txt': `${lines.join('\n')}\n` },
  // Every question goes to the language server.
  config: { limits: { answers_mb: 0 } },
});
const lspan = await fixture.start();
const first = lspan.token;
await fixture.run('token', 'rotate', '--keep');
const [second = '', ...others] = lspan.token.split('\n').filter((line) => line !== first);
afterAll(() => fixture.close());

const call = (name: string, args: object) => ({ name, arguments: args });

/** A tool called in the 2026 era. */
async function callAs(token: string, name: string, args: object): Promise<Message['result']> {
  const answer = await answerOf(await lspan.modern(1, 'tools/call', call(name, args), { token }));
  return answer?.result;
}

test('two tokens hold at once, and nothing but they does', () => {
  expect(others).toEqual([]);
  expect(second).not.toBe(first);
});

test('TRN-14 a session is nothing to who has no token, and no session to who has another', async () => {
  const headers = await lspan.session(first);
  const asked = { id: 1, method: 'tools/list' };
  expect((await lspan.post(asked, { token: first, headers })).status).toBe(200);
  for (const token of ['', 'wrong', `${first}x`, first.slice(0, -1)])
    expect((await lspan.post(asked, { token, headers })).status).toBe(401);
  const other = await lspan.post(asked, { token: second, headers });
  const unknown = await lspan.post(asked, { token: second, headers: { ...headers, 'Mcp-Session-Id': 'no' } });
  expect([other.status, unknown.status]).toEqual([404, 404]);
  expect(await other.text()).toBe(await unknown.text());
});

test('TRN-24 a plan is applied by the token that it was made for, and once', async () => {
  const made = await callAs(first, 'rename_symbol', {
    symbol_name: 'alpha',
    file_path: 'a.txt',
    new_name: 'gamma',
  });
  const { plan } = JSON.parse(JSON.stringify(made?.structuredContent));
  expect(plan.plan_id).toEqual(expect.any(String));
  const before = fixture.text('a.txt');
  const apply = (token: string, plan_id: string) => callAs(token, 'apply_workspace_edit', { plan_id });
  const [stolen, guessed] = [await apply(second, plan.plan_id), await apply(first, `${plan.plan_id}0`)];
  for (const refused of [stolen, guessed])
    expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: 'not_found' } } });
  expect(fixture.text('a.txt')).toBe(before);
  expect(await apply(first, plan.plan_id)).not.toHaveProperty('isError', true);
  const after = fixture.text('a.txt');
  expect(after).toBe(before.replaceAll('alpha', 'gamma'));
  for (const token of [first, second])
    expect(await apply(token, plan.plan_id)).toHaveProperty('isError', true);
  expect(fixture.text('a.txt')).toBe(after);
});

/** A connection on which several requests are under way at once; their answers come in the order of the requests. */
class Pipeline {
  readonly #socket: Socket;
  #held = '';
  #come: () => void = () => {};

  constructor() {
    const { hostname, port } = new URL(lspan.url);
    this.#socket = connect(Number(port), hostname).setNoDelay(true);
    this.#socket.on('data', (chunk) => {
      this.#held += chunk.toString('latin1');
      this.#come();
    });
    onTestFinished(() => void this.#socket.destroy());
  }

  async ask(requests: readonly string[]): Promise<unknown[]> {
    this.#socket.write(requests.join(''));
    const answers: unknown[] = [];
    while (answers.length < requests.length) {
      const answer = this.#take();
      if (answer !== undefined) answers.push(JSON.parse(answer));
      else
        await new Promise<void>((resolve) => {
          this.#come = resolve;
        });
    }
    expect(this.#held).toBe('');
    return answers;
  }

  #take(): string | undefined {
    const [, head = '', length = ''] = /^(.*?Content-Length: (\d+)\r\n.*?\r\n\r\n)/s.exec(this.#held) ?? [];
    const end = head.length + Number(length);
    if (head === '' || this.#held.length < end) return undefined;
    const body = this.#held.slice(head.length, end);
    this.#held = this.#held.slice(end);
    return body;
  }
}

/** Whole numbers below a bound, the same ones for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A client of its own era, token and connection, which numbers its requests from 1. */
async function openClient(index: number) {
  const token = index % 4 < 2 ? first : second;
  const session = index % 2 === 0 ? undefined : await lspan.session(token);
  const pipeline = new Pipeline();
  let last = 0;
  const requestFor = (id: number, line: number) => {
    const params = call('get_hover', { file_path: 'words.txt', line, character: 10 });
    const modern = modernRequest(id, 'tools/call', params);
    const { body, headers } = session
      ? { body: { id, method: 'tools/call', params }, headers: session }
      : modern;
    const text = JSON.stringify({ jsonrpc: '2.0', ...body });
    const head = message('POST /mcp', {
      Host: new URL(lspan.url).host,
      Authorization: `Bearer ${token}`,
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      'Content-Length': `${text.length}`,
      ...headers,
    });
    return head + text;
  };
  return async (asked: readonly number[]) => {
    const ids = asked.map(() => {
      last += 1;
      return last;
    });
    const answers = await pipeline.ask(asked.map((line, at) => requestFor(ids[at] ?? 0, line)));
    const wanted = asked.map((line, at) => {
      const hover = { line, text: `\`\`\`\nfunction word${line}\n\`\`\`` };
      return { id: ids[at], result: { structuredContent: { hover } } };
    });
    expect(answers).toMatchObject(wanted);
  };
}

describe.each([
  [2, 400],
  [8, 1_600],
] as const)('TRN-16 %i clients of both eras with the same ids', (clients, calls) => {
  test('have each its own answers, in the order of its questions', { timeout: 120_000 }, async () => {
    const random = randomFrom(withSeed({}).seed);
    const asks = await Promise.all(Array.from({ length: clients }, (_, index) => openClient(index)));
    let left = calls;
    await Promise.all(
      asks.map(async (ask) => {
        while (left > 0) {
          const together = 1 + random(4);
          left -= together;
          await ask(Array.from({ length: together }, () => 1 + random(words)));
        }
      }),
    );
  });
});

// At the end: nobody has the first tokens any more.
test('TRN-33 a rotation ends the streams of the old tokens at once, and their sessions', async () => {
  const headers = await lspan.session(first);
  const stream = await lspan.ask('GET', { token: first, headers });
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const listening = await lspan.modern(
    1,
    'subscriptions/listen',
    { notifications: { resourceSubscriptions: ['lspan://diagnostics/a.txt'] } },
    { token: second },
  );
  expect(listening.status).toBe(200);
  // Read to the end, which comes as an error where the connection is torn down.
  const ends = [stream, listening].map((one) => one.text().catch(() => 'torn down'));
  const { stdout, code } = await fixture.run('token', 'rotate');
  expect(code).toBe(0);
  const latest = stdout.trim();
  await Promise.all(ends);
  const asked = { id: 1, method: 'tools/list' };
  for (const token of [first, second]) expect((await lspan.post(asked, { token, headers })).status).toBe(401);
  expect((await lspan.post(asked, { token: latest, headers })).status).toBe(404);
  expect((await lspan.modern(1, 'tools/list', {}, { token: latest })).status).toBe(200);
});
