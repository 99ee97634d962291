import { describe, expect, it } from 'vitest';
import type { FakeScript } from '../../fake-server/script.ts';
import { type OpenGateway, openGateway, rangeOn } from './open-gateway.ts';

const position = { line: 0, character: 10 };
const nothing: FakeScript = {
  rules: ['textDocument/definition', 'textDocument/references', 'textDocument/hover', 'workspace/symbol'].map(
    (method) => ({ on: { method }, do: [{ emptyResult: true }] }),
  ),
};

/** Asks every tool that can find nothing. */
async function askAll(bridge: OpenGateway, file = 'a.txt') {
  const place = { uri: bridge.uri(file), position };
  return Promise.all([
    bridge.ask('definition', place),
    bridge.ask('references', place),
    bridge.ask('hover', place),
    bridge.ask('workspaceSymbols', { query: 'alpha' }),
  ]);
}

describe('an empty answer', () => {
  it('has a doubt if the server never signals that it has loaded: calling again would not help', async () => {
    const bridge = await openGateway({ servers: { fake: { lives: [nothing] } } });
    const detail = 'fake returned nothing and does not report whether it has finished loading.';
    const doubted = { complete: false, doubts: [{ kind: 'indexing', server: 'fake', detail }] };
    const answers = await askAll(bridge);
    for (const answer of answers) expect(answer).toMatchObject(doubted);
    const [definition] = answers;
    expect(definition).toEqual({ ...doubted, locations: [], filtered: 0 });
    const { text } = await bridge.call('vscode.lsp.hover', { uri: bridge.uri('a.txt'), position });
    expect(text).toBe('0 parts. It may be incomplete: see doubts.');
  });

  it('is a failure if the server may soon have loaded', async () => {
    const ready = { kind: 'log', message: /loaded/ } as const;
    const bridge = await openGateway({ servers: { fake: { ready, lives: [nothing] } }, deadline: 1_000 });
    const { data } = await bridge.refuse('hover', { uri: bridge.uri('a.txt'), position }, 'TIMEOUT');
    expect(data).toMatchObject({ error: { retryable: true } });
  });

  it('is given if a server reports by an error that there is no symbol', async () => {
    const refuse = (method: string, message: string) =>
      ({ on: { method }, do: [{ replyError: { code: 0, message } }] }) as const;
    const rules = [
      refuse('textDocument/definition', 'no identifier found'),
      refuse('textDocument/references', 'no object found'),
    ];
    const gopls = { ready: { kind: 'immediate' }, lives: [{ rules }] } as const;
    const bridge = await openGateway({ servers: { gopls } });
    const place = { uri: bridge.uri('a.txt'), position: { line: 0, character: 1 } };
    const whole = { complete: true, doubts: [], filtered: 0 };
    expect(await bridge.ask('definition', place)).toEqual({ ...whole, locations: [] });
    expect(await bridge.ask('references', place)).toMatchObject({ ...whole, items: [] });
  });

  it('is not given if the error names what the server does not know', async () => {
    const message = 'no object found for ident alpha';
    const rules = [{ on: { method: 'textDocument/definition' }, do: [{ replyError: { code: 0, message } }] }];
    const gopls = { ready: { kind: 'immediate' }, lives: [{ rules }] } as const;
    const bridge = await openGateway({ servers: { gopls } });
    await bridge.refuse('definition', { uri: bridge.uri('a.txt'), position }, 'PROVIDER_UNAVAILABLE');
  });

  it('says in its text how many results are outside', async () => {
    const replyValue = [{ uri: 'file:///usr/include/stdio.h', range: rangeOn(0, 0, 5) }];
    const rules = [{ on: { method: 'textDocument/definition' }, do: [{ replyValue }] }];
    const bridge = await openGateway({ servers: { fake: { lives: [{ rules }] } } });
    const asked = { uri: bridge.uri('a.txt'), position };
    const { text } = await bridge.call('vscode.lsp.definition', asked);
    expect(text).toBe('0 locations. 1 outside the workspace omitted.');
  });
});

it('results up to a limit of the server are shown, with the doubt that there may be more', async () => {
  const replyLarge = { kind: 'symbols', count: 100, uris: ['file://<root>/a.txt'] } as const;
  const rules = [{ on: { method: 'workspace/symbol' }, do: [{ replyLarge }] }];
  const gopls = { ready: { kind: 'immediate' }, lives: [{ rules }] } as const;
  const bridge = await openGateway({ servers: { gopls } });
  expect(await bridge.ask('workspaceSymbols', { query: 'a' })).toMatchObject({
    total: 100,
    complete: false,
    doubts: [{ kind: 'capped', server: 'gopls' }],
  });
});

it('neither the declaration nor the definition of a symbol is one of its uses, whichever was asked about', async () => {
  const files = { 'a.txt': 'function alpha\n', 'b.txt': 'alpha\n', 'c.txt': 'alpha\n' };
  // Asked where it is defined, the server tells where it is declared, and the other way round.
  const other = { uri: 'file://<root>/b.txt', range: rangeOn(0, 0, 5) };
  const rules = [{ on: { method: 'textDocument/definition', nth: 3 }, do: [{ replyValue: [other] }] }];
  const bridge = await openGateway({ files, servers: { fake: { lives: [{ rules }] } } });
  const uri = bridge.uri('c.txt');
  const { items } = await bridge.ask('references', { uri, position: { line: 0, character: 1 } });
  expect(items).toEqual([{ uri, range: rangeOn(0, 0, 5) }]);
});
