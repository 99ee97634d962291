import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/core/limits.ts';
import type { HttpReply } from '../../../../src/frontends/http/exchange.ts';
import type { ToolCall } from '../../../../src/frontends/mcp/call-tool.ts';
import { Sessions } from '../../../../src/frontends/mcp/http/session-store.ts';
import { isMessage } from '../../../../src/frontends/mcp/parse-message.ts';
import { mcpServer } from '../../../../src/frontends/mcp/sdk/mcp-server.ts';
import { echo, exchangeOf, initialize, messagesOf, offer, textOf } from './ask-endpoint.ts';

const { sessions: most, sessionIdle, sessionRest } = limits.http;

/** Sessions with a clock that the test moves. */
class Fixture {
  time = 0;
  closed = 0;
  readonly sessions: Sessions;

  constructor(answer: typeof echo = echo) {
    this.sessions = new Sessions({
      make: () => ({ server: mcpServer(offer, answer), close: () => this.#onClose() }),
      log: () => {},
      now: () => this.time,
    });
  }

  async post(body: object, session?: string): Promise<HttpReply> {
    const headers = session === undefined ? {} : { 'mcp-session-id': session };
    const message = { jsonrpc: '2.0', ...body };
    if (!isMessage(message)) throw new Error('not a message');
    return this.sessions.serve(exchangeOf({ body: message, headers }), message);
  }

  async listen(session: string): Promise<HttpReply> {
    const headers = { 'mcp-session-id': session, accept: 'text/event-stream' };
    return this.sessions.serve(exchangeOf({ method: 'GET', headers }), undefined);
  }

  async open(): Promise<string> {
    const reply = await this.post(initialize);
    await textOf(reply);
    return reply.headers?.['Mcp-Session-Id'] ?? '';
  }

  #onClose(): void {
    this.closed += 1;
  }

  /** Lets it sweep after a while. */
  after(milliseconds: number): number {
    this.time += milliseconds;
    this.sessions.sweep();
    return this.sessions.count;
  }
}

/** Hangs up while the next event is waited for, as the door does. */
async function hangUp({ body }: HttpReply): Promise<void> {
  if (!(body instanceof ReadableStream)) throw new Error('not a stream');
  const reader = body.getReader();
  const waiting = reader.read();
  await reader.cancel();
  await waiting;
}

const call = { id: 1, method: 'tools/call', params: { name: 'wait', _meta: { progressToken: 1 } } };

describe('the rest of a session', () => {
  it('TRN-15 one that nobody uses ends, and one with a stream does not, however long it is', async () => {
    const fixture = new Fixture();
    const [, used] = [await fixture.open(), await fixture.open()];
    const stream = await fixture.listen(used);
    expect(fixture.after(sessionIdle + 1)).toBe(1);
    expect(fixture.after(100 * sessionIdle)).toBe(1);
    await hangUp(stream);
    // From now on, and not since the stream was opened.
    expect(fixture.after(sessionIdle)).toBe(1);
    expect(fixture.after(1)).toBe(0);
    expect(fixture.closed).toBe(2);
    await fixture.sessions.close();
  });

  it('TRN-15 streams that are dropped and opened again change nothing about that', async () => {
    const fixture = new Fixture();
    const id = await fixture.open();
    for (let times = 0; times < 5; times += 1) await hangUp(await fixture.listen(id));
    const stream = await fixture.listen(id);
    expect(fixture.after(sessionIdle + 1)).toBe(1);
    await hangUp(stream);
    expect(fixture.after(sessionIdle + 1)).toBe(0);
    await fixture.sessions.close();
  });

  it('TRN-15 a call under way is use, also when its client has hung up', async () => {
    let free = () => {};
    const freed = new Promise<void>((resolve) => {
      free = resolve;
    });
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const ended: Promise<unknown>[] = [];
    const fixture = new Fixture(async (one: ToolCall) => {
      asked();
      const answer = freed.then(() => echo(one));
      ended.push(answer);
      return answer;
    });
    const id = await fixture.open();
    const reply = await fixture.post(call, id);
    await isAsked;
    await hangUp(reply);
    expect(fixture.after(sessionIdle + 1)).toBe(1);
    free();
    await Promise.all(ended);
    // Another answer of the session comes after that of the call.
    await textOf(await fixture.post({ id: 2, method: 'ping' }, id));
    expect(fixture.after(sessionIdle + 1)).toBe(0);
    await fixture.sessions.close();
  });
});

describe('room for a session', () => {
  it('TRN-15 the one that rested longest gives way, and never one in use', async () => {
    const fixture = new Fixture();
    const ids: string[] = [];
    for (let times = 0; times < most; times += 1) ids.push(await fixture.open());
    const streams = await Promise.all(ids.slice(1).map((id) => fixture.listen(id)));
    expect((await fixture.post(initialize)).status).toBe(503);
    fixture.time += sessionRest;
    const fresh = await fixture.open();
    expect(fresh).not.toBe('');
    expect((await fixture.post({ id: 1, method: 'ping' }, ids[0])).status).toBe(404);
    streams.push(await fixture.listen(fresh));
    fixture.time += 100 * sessionRest;
    expect((await fixture.post(initialize)).status).toBe(503);
    await Promise.all(streams.slice(5, 6).map(hangUp));
    fixture.time += sessionRest;
    expect((await fixture.post(initialize)).status).toBe(200);
    expect((await fixture.post({ id: 1, method: 'ping' }, ids[6])).status).toBe(404);
    await fixture.sessions.close();
  });

  it('TRN-15 of many that are opened at once, as many as there is room for are', async () => {
    const fixture = new Fixture();
    const replies = await Promise.all(Array.from({ length: 2 * most }, () => fixture.post(initialize)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(most);
    expect(fixture.sessions.count).toBe(most);
    await fixture.sessions.close();
  });

  it('one that is being opened while all are closed is closed too', async () => {
    const fixture = new Fixture();
    const opening = fixture.post(initialize);
    await fixture.sessions.close();
    await textOf(await opening);
    expect([fixture.sessions.count, fixture.closed]).toEqual([0, 1]);
  });
});

describe('the ids of a session', () => {
  it('one whose request was refused outright is free again', async () => {
    const fixture = new Fixture();
    const id = await fixture.open();
    for (let times = 0; times < 2; times += 1) {
      const again = await fixture.post(initialize, id);
      expect(JSON.parse(await textOf(again))).toMatchObject({
        error: { message: expect.stringContaining('already initialized') },
      });
    }
    const reply = await fixture.post({ id: initialize.id, method: 'ping' }, id);
    expect(await messagesOf(reply)).toEqual([{ jsonrpc: '2.0', id: 0, result: {} }]);
    expect(fixture.after(sessionIdle + 1)).toBe(0);
    await fixture.sessions.close();
  });
});
