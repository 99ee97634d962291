import { afterAll, describe, expect, test } from 'vitest';
import type { Bridge } from '../../../src/bridge.ts';
import { defaultConfig } from '../../../src/config/default-config.ts';
import { limits } from '../../../src/core/limits.ts';
import { CallsInProgress } from '../../../src/core/runtime/calls-in-progress.ts';
import { callTool, type ToolCall } from '../../../src/frontends/mcp/call-tool.ts';
import { mcpServer } from '../../../src/frontends/mcp/sdk/mcp-server.ts';
import { ToldDoubts } from '../../../src/frontends/mcp/told-doubts.ts';
import {
  endpointOver,
  exchangeOf,
  messagesOf,
  modernExchange,
  offer,
  openSession,
} from './http/ask-endpoint.ts';
import { Fixture } from './start-frontend.ts';

const fixture = new Fixture();
afterAll(() => fixture.close());

const unresolved = (count: number, where: string) =>
  `May be incomplete (unverified): ${count} mentions may be uses, but the server cannot resolve them: ${where}.`;

function tellIn(told: ToldDoubts): (...lines: string[]) => string[] {
  return (...lines) => told.shorten(lines.join('\n'), lines).split('\n');
}

test('a doubt is told in full once, then by its first words', () => {
  const tell = tellIn(new ToldDoubts());
  const line = unresolved(12, 'a.ts:1:2');
  expect(tell(line)).toEqual([line]);
  const short = ['May be incomplete (unverified): 12 mentions may be … (as told before)'];
  expect(tell(line)).toEqual(short);
  expect(tell(line)).toEqual(short);
});

test('a doubt of another count, place, server or kind is new, and short forms stay different', () => {
  const tell = tellIn(new ToldDoubts());
  const lines = [unresolved(12, 'a.ts:1:2'), unresolved(13, 'a.ts:1:2'), unresolved(12, 'b.ts:1:2')];
  const others = lines.map((line) => line.replace('unverified', 'timed_out'));
  for (const line of [...lines, ...others]) expect(tell(line)).toEqual([line]);
  const again = [...lines, ...others].map((line) => tell(line)[0]);
  expect(new Set(again).size).toBe(6);
  // Twelve mentions at two places differ only in the last word: nothing shorter would tell them apart.
  expect(again.slice(0, 3)).toEqual([
    lines[0],
    'May be incomplete (unverified): 13 mentions may be … (as told before)',
    lines[2],
  ]);
});

test('a doubt that is not longer than its short form is always told in full', () => {
  const tell = tellIn(new ToldDoubts());
  const line = 'May be incomplete (capped): There are 900; lspan lists 500.';
  expect([...tell(line), ...tell(line)]).toEqual([line, line]);
});

test('a doubt whose words are the beginning of another one is told in full', () => {
  const tell = tellIn(new ToldDoubts());
  const line = unresolved(12, 'a.ts:1:2');
  tell(line, `${line} Call again.`);
  expect(tell(line)).toEqual([line]);
});

test('only lines of doubt are shortened, with their indent, and a second one of the same answer too', () => {
  const line = unresolved(12, 'a.ts:1:2');
  const text = `1 reference\n  ${line}\n${line}\n${unresolved(3, 'quoted.ts:1:1')}`;
  const told = new ToldDoubts();
  told.shorten(unresolved(3, 'quoted.ts:1:1'), [unresolved(3, 'quoted.ts:1:1')]);
  expect(told.shorten(text, [line]).split('\n')).toEqual([
    '1 reference',
    `  ${line}`,
    'May be incomplete (unverified): 12 mentions may be … (as told before)',
    unresolved(3, 'quoted.ts:1:1'),
  ]);
});

test('a conversation that was told very many doubts is told the oldest in full again', () => {
  const tell = tellIn(new ToldDoubts());
  const lines = Array.from({ length: limits.toldDoubts.kept + 1 }, (_, index) =>
    unresolved(index, 'a.ts:1:2'),
  );
  for (const line of lines) expect(tell(line)).toEqual([line]);
  expect(tell(lines[0] ?? '')).toEqual([lines[0]]);
});

const full = unresolved(12, 'a.ts:1:2');
const outcome = {
  text: `No references.\n${full}`,
  data: { complete: false, doubts: [{ kind: 'unverified', detail: full.slice(31) }] },
  isError: false,
  doubtLines: [full],
};

/** Answers every call with a doubt. */
function doubtful(call: ToolCall, mode: 'both' | 'structured' = 'both') {
  const bridge: Pick<Bridge, 'config' | 'call'> = { config: defaultConfig, call: async () => outcome };
  const context = {
    open: async () => ({ ...bridge, calls: new CallsInProgress(), close: async () => {} }),
    surface: 'lspan',
    calls: new CallsInProgress(),
  };
  return callTool(call, context, mode, () => {});
}

describe.each([{ plain: true }, { plain: false }])('over HTTP, without the SDK: $plain', ({ plain }) => {
  const endpoint = endpointOver(doubtful, {
    plain,
    make: ({ tokenId, told }) => ({
      server: mcpServer(offer, (call) => doubtful({ ...call, scope: tokenId, told })),
      close: () => {},
    }),
  });
  afterAll(() => endpoint.close());
  const params = { name: 'echo', arguments: {} };
  const inSession = async (id: string) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    return messagesOf(await endpoint.serve(exchangeOf({ body, headers: { 'mcp-session-id': id } })));
  };

  test('each session is told in full once, and the data keeps the doubt', async () => {
    for (const id of [await openSession(endpoint), await openSession(endpoint)]) {
      const [first, second] = [await inSession(id), await inSession(id)];
      expect(first).toMatchObject([{ result: { content: [{ text: outcome.text }] } }]);
      expect(second).toMatchObject([
        {
          result: {
            content: [{ text: expect.stringMatching(/^No references\.\nMay .* … \(as told before\)$/) }],
            structuredContent: outcome.data,
          },
        },
      ]);
    }
  });

  test('a request of the 2026 revision belongs to no conversation: it is told in full', async () => {
    for (let round = 1; round <= 2; round += 1) {
      const exchange = modernExchange({ method: 'tools/call', params });
      expect(await messagesOf(await endpoint.serve(exchange))).toMatchObject([
        { result: { content: [{ text: outcome.text }] } },
      ]);
    }
  });
});

test('over stdio the process is the conversation', async () => {
  const frontend = fixture.start();
  await frontend.initialize();
  const texts: unknown[] = [];
  for (const id of [1, 2]) {
    const { result } = await frontend.call(id, 'echo', { file_path: 'doubted.ts' });
    texts.push(result);
  }
  expect(texts).toMatchObject([
    { content: [{ text: expect.stringMatching(/: a\.ts:1:2\.$/) }] },
    { content: [{ text: expect.stringMatching(/: 12 mentions may be … \(as told before\)$/) }] },
  ]);
});
