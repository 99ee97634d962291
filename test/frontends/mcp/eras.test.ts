import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, describe, expect, test } from 'vitest';
import { Fixture } from './start-frontend.ts';

const fixture = new Fixture();
afterAll(() => fixture.close());

describe.each([
  ['2025-11-25', { mode: 'legacy' }],
  ['2026-07-28', { mode: { pin: '2026-07-28' } }],
] as const)('the real client, revision %s', (revision, versionNegotiation) => {
  async function connect(settings: object = {}): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation });
    const [command, bin] = fixture.command;
    await client.connect(
      new StdioClientTransport({ command, args: [bin, JSON.stringify(settings)], stderr: 'ignore' }),
    );
    return client;
  }

  test('connects, lists and calls', async () => {
    const client = await connect();
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getInstructions()).toBe('Instructions of the fixture.');
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('echo');
    const answer = await client.callTool({ name: 'echo', arguments: { line: 3 } });
    expect(answer).toMatchObject({ structuredContent: { complete: true, echo: { line: 3 } } });
    await client.close();
  });

  test('gets errors of tools as results, and of the protocol as errors', async () => {
    const client = await connect();
    expect(await client.callTool({ name: 'fails' })).toMatchObject({ isError: true });
    await expect(client.callTool({ name: 'nonsense' })).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  test('hears of progress', async () => {
    const client = await connect();
    const giveUp = new AbortController();
    // While the call is open: this client forgets who listens as soon as it reads the answer, and where both come
    // in one read, that is before it has told of the progress.
    const heard = await new Promise((resolve, reject) => {
      const options = { onprogress: resolve, signal: giveUp.signal };
      client.callTool({ name: 'reports', arguments: { line: 2 } }, options).catch(reject);
    });
    expect(heard).toEqual({ progress: 1, message: 'step 1' });
    giveUp.abort();
    await client.close();
  });

  test('cancels a call, and the connection lives on', async () => {
    const client = await connect();
    const giveUp = new AbortController();
    const waiting = client.callTool({ name: 'wait' }, { signal: giveUp.signal });
    await client.callTool({ name: 'echo' });
    giveUp.abort();
    await expect(waiting).rejects.toThrow();
    expect(await client.callTool({ name: 'echo' })).toHaveProperty('content');
    await client.close();
  });

  test('finds answers and errors true to the schemas that are declared', async () => {
    const client = await connect({ output: 'both' });
    await client.listTools();
    const answer = await client.callTool({ name: 'reports' });
    expect(answer).toHaveProperty('structuredContent.complete', true);
    expect(await client.callTool({ name: 'fails' })).toHaveProperty(
      'structuredContent.error.code',
      'not_found',
    );
    await client.close();
  });
});
