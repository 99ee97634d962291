import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Era, eras, messagesOf, ServeFixture } from './start-serve.ts';

// A hover is never answered, and a search for implementations is told of without end.
const progress = { token: 'fake', value: { kind: 'report', message: 'still busy' } };
const fixture = new ServeFixture({
  script: {
    rules: [
      { on: { method: 'textDocument/hover' }, do: [{ never: true }] },
      {
        on: { method: 'textDocument/implementation' },
        do: [{ notify: { method: '$/progress', params: progress, times: 500 } }, { never: true }],
      },
    ],
  },
  config: { deadlines_s: { find_implementations: 1 }, limits: { answers_mb: 0 } },
});
const lspan = await fixture.start();
afterAll(() => fixture.close());

async function connect(era: Era): Promise<Client> {
  const client = await lspan.connect(era);
  onTestFinished(() => client.close());
  return client;
}

const place = { file_path: 'b.txt', line: 1, character: 1 };
const uri = 'lspan://diagnostics/a.txt';

describe.each(eras)('the official client, revision %s', (revision, era) => {
  test('lists what is offered and has its calls answered', async () => {
    const client = await connect(era);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('find_definition');
    const { structuredContent, isError } = await client.callTool({
      name: 'find_definition',
      arguments: place,
    });
    expect(structuredContent).toMatchObject({
      definitions: [{ file_path: 'a.txt', line: 1, character: 10 }],
    });
    expect(isError).not.toBe(true);
    const wrong = await client.callTool({ name: 'find_definition', arguments: { file_path: 'none.txt' } });
    expect(wrong.isError).toBe(true);
    await expect(client.callTool({ name: 'nonsense' })).rejects.toMatchObject({ code: -32602 });
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('rename_safely');
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ uri, text: expect.stringContaining('a.txt') }]);
  });

  test('TRN-19 is told of progress, each step higher than the one before, and only if it asked', async () => {
    const client = await connect(era);
    const steps: number[] = [];
    const onprogress = ({ progress: step }: { progress: number }) => void steps.push(step);
    await client.callTool({ name: 'find_references', arguments: place }, { onprogress });
    expect(steps.length).toBeGreaterThan(0);
    expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
    const told = steps.length;
    await client.callTool({ name: 'find_references', arguments: place });
    expect(steps).toHaveLength(told);
  });

  test('TRN-20 has an answer at the deadline, though the server tells of its work without end', async () => {
    const client = await connect(era);
    const asked = { name: 'find_implementations', arguments: place };
    const { isError, structuredContent } = await client.callTool(asked, {
      onprogress: () => {},
      resetTimeoutOnProgress: true,
    });
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ error: { code: 'timed_out' } });
  });

  test('TRN-17 cancels a call, which the language server is told', async () => {
    const client = await connect(era);
    const before = fixture.received().filter(({ method }) => method === '$/cancelRequest').length;
    const hovers = fixture.received().filter(({ method }) => method === 'textDocument/hover').length;
    const abort = new AbortController();
    const call = client.callTool({ name: 'get_hover', arguments: place }, { signal: abort.signal });
    await lspan.heard('textDocument/hover', hovers + 1);
    abort.abort();
    await expect(call).rejects.toThrow();
    await lspan.heard('$/cancelRequest', before + 1);
    expect((await client.listTools()).tools).not.toEqual([]);
  });

  test('follows a resource and is told when it may have changed', async () => {
    const client = await connect(era);
    await client.callTool({ name: 'get_diagnostics', arguments: { file_path: 'a.txt' } });
    const told = new Promise<string>((resolve) =>
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri)),
    );
    if (revision === '2026-07-28') await client.listen({ resourceSubscriptions: [uri] });
    else await client.subscribeResource({ uri });
    writeFileSync(
      path.join(fixture.root, 'a.txt'),
      `function alpha\nalpha beta\nERROR_${revision.slice(0, 4)}\n`,
    );
    await client.callTool({ name: 'get_diagnostics', arguments: { file_path: 'a.txt' } });
    expect(await told).toBe(uri);
  });
});

/** What comes on the stream of a call that asks for progress, in the eras as they are on the wire. */
const streams = {
  '2025-11-25': async (params: Readonly<Record<string, unknown>>) =>
    lspan.post({ id: 'asked', method: 'tools/call', params }, { headers: await lspan.session() }),
  '2026-07-28': (params: Readonly<Record<string, unknown>>) => {
    const able = { roots: { listChanged: true }, sampling: {}, elicitation: {} };
    const meta = { 'io.modelcontextprotocol/clientCapabilities': able, ...Object(params._meta) };
    return lspan.modern('asked', 'tools/call', { ...params, _meta: meta });
  },
};

describe.each(Object.entries(streams))('the stream of a call, revision %s', (_revision, call) => {
  test('TRN-19, TRN-22 has the token of the caller, steps that rise, at last the answer, and nothing that is asked', async () => {
    for (const progressToken of ['token', 7]) {
      const params = { name: 'find_references', arguments: place, _meta: { progressToken } };
      const response = await call(params);
      expect(response.headers.get('content-type')).toBe('text/event-stream');
      const messages = await messagesOf(response);
      const last = messages.pop();
      expect(last).toMatchObject({
        id: 'asked',
        result: { structuredContent: { total: expect.any(Number) } },
      });
      expect(messages).not.toEqual([]);
      for (const [index, one] of messages.entries()) {
        expect(one).toMatchObject({
          method: 'notifications/progress',
          params: { progressToken, progress: index + 1 },
        });
        expect(one).not.toHaveProperty('id');
      }
    }
  });
});

describe('streams that last', () => {
  const readerOf = ({ body }: Response) =>
    (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();

  /** Reads up to the first message that names a resource. */
  async function readTold(reader: ReturnType<typeof readerOf>): Promise<string> {
    let text = '';
    while (!text.includes('notifications/resources/updated')) {
      const { value, done } = await reader.read();
      if (done) break;
      text += value;
    }
    return text;
  }

  /** Like `readTold`, but then closes the stream. */
  async function toldOn(response: Response): Promise<string> {
    const reader = readerOf(response);
    const text = await readTold(reader);
    await reader.cancel();
    return text;
  }

  /** Resolves when a resource is followed: the status comes before the answer, while it is still being found. */
  async function subscribe(headers: Record<string, string>): Promise<void> {
    const asked = { id: 1, method: 'resources/subscribe', params: { uri } };
    expect(await messagesOf(await lspan.post(asked, { headers }))).toMatchObject([{ id: 1, result: {} }]);
  }

  test('TRN-16 of the 2026 era with the same id tell each what it follows, and nothing else', async () => {
    const follow = (file: string) => ({
      notifications: { resourceSubscriptions: [`lspan://diagnostics/${file}`] },
    });
    const [first, second] = await Promise.all(
      ['a.txt', 'b.txt'].map((file) => lspan.modern(1, 'subscriptions/listen', follow(file))),
    );
    writeFileSync(path.join(fixture.root, 'a.txt'), 'function alpha\nERROR_a\n');
    writeFileSync(path.join(fixture.root, 'b.txt'), 'alpha is used\nERROR_b\n');
    await lspan.modern(2, 'tools/call', { name: 'get_diagnostics', arguments: { file_path: 'a.txt' } });
    await lspan.modern(2, 'tools/call', { name: 'get_diagnostics', arguments: { file_path: 'b.txt' } });
    const [ofFirst, ofSecond] = await Promise.all(
      [first, second].map((one) => toldOn(one ?? Response.error())),
    );
    expect(ofFirst).toContain('diagnostics/a.txt');
    expect(ofFirst).not.toContain('diagnostics/b.txt');
    expect(ofSecond).toContain('diagnostics/b.txt');
    expect(ofSecond).not.toContain('diagnostics/a.txt');
  });

  test('of the 2025 era are one a session, can be opened again, and then tell of all that is followed', async () => {
    const headers = await lspan.session();
    await subscribe(headers);
    const first = await lspan.ask('GET', { headers });
    expect(await toldOn(first)).toContain(uri);
    let open = first;
    const again = async () => {
      open = await lspan.ask('GET', { headers });
      return open.status;
    };
    await expect.poll(again).toBe(200);
    expect((await lspan.ask('GET', { headers })).status).toBe(409);
    const reader = readerOf(open);
    expect(await readTold(reader)).toContain(uri);
    expect((await lspan.ask('DELETE', { headers })).status).toBe(200);
    // The end of the session is the end of its stream.
    while (!(await reader.read()).done);
  });

  test('of the 2025 era tell of a change also if they were opened before it was followed', async () => {
    const headers = await lspan.session();
    const stream = await lspan.ask('GET', { headers });
    await subscribe(headers);
    writeFileSync(path.join(fixture.root, 'a.txt'), 'function alpha\nERROR_later\n');
    const params = { name: 'get_diagnostics', arguments: { file_path: 'a.txt' } };
    await messagesOf(await lspan.post({ id: 2, method: 'tools/call', params }, { headers }));
    expect(await toldOn(stream)).toContain(uri);
  });
});
