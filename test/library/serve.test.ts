import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Bridge, McpTransport, ServeOptions } from '../../src/index.ts';
import { embed } from './embed.ts';

const eras = [
  ['2025-11-25', { mode: 'legacy' }],
  ['2026-07-28', { mode: { pin: '2026-07-28' } }],
] as const;
type Era = (typeof eras)[number][1];

async function connect(bridge: Bridge, options?: ServeOptions, versionNegotiation: Era = eras[0][1]) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await bridge.serve(ours, options);
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation });
  onTestFinished(() => client.close());
  await client.connect(theirs);
  return client;
}

const question = { name: 'find_references', arguments: { symbol_name: 'alpha' } };

describe.each(eras)('MCP on a transport that the program brings, revision %s', (revision, era) => {
  it('offers the tools and answers calls with the bridge', async () => {
    const bridge = await embed();
    const client = await connect(bridge, {}, era);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('find_references');
    const { structuredContent } = await client.callTool(question);
    expect(structuredContent).toMatchObject({ complete: true, total: 3 });
    expect(await bridge.status()).toMatchObject([{ serverId: 'fake', state: 'ok' }]);
  });

  it('notifies about diagnostics that a client subscribed to', async () => {
    const bridge = await embed({ files: { 'a.txt': 'ERROR_one\n' }, script: { diagnostics: 'push' } });
    const client = await connect(bridge, {}, era);
    const uri = 'lspan://diagnostics/a.txt';
    const told = new Promise<unknown>((resolve) => {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri));
    });
    if (revision === '2025-11-25') await client.subscribeResource({ uri });
    else await client.listen({ resourceSubscriptions: [uri] });
    await bridge.diagnostics('a.txt');
    expect(await told).toBe(uri);
  });
});

describe('clients that are served', () => {
  it('may be several at once, each with its own options', async () => {
    const bridge = await embed();
    const plain = await connect(bridge, { toolsets: ['navigation'], output: 'text' });
    const llxprt = await connect(bridge, { surface: 'llxprt' });
    const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names(plain)).toContain('get_type_hierarchy');
    expect(await names(plain)).not.toContain('get_hover');
    expect(await names(llxprt)).toContain('lsp_find_references');
    const [told, other] = await Promise.all([
      plain.callTool(question),
      llxprt.callTool({ name: 'lsp_hover', arguments: { file: 'a.txt', line: 1, character: 10 } }),
    ]);
    expect(told).not.toHaveProperty('structuredContent');
    expect(other.isError).toBeUndefined();
  });

  it('share plans with the embedding program', async () => {
    const bridge = await embed();
    const client = await connect(bridge, { output: 'structured', toolsets: ['all'] });
    const previewed = { name: 'create_file', arguments: { file_path: 'c.txt', content: 'new\n' } };
    const { structuredContent } = await client.callTool(previewed);
    expect(structuredContent).toMatchObject({ plan: { plan_id: expect.any(String) } });
    const { plan_id } = Object(Object(structuredContent).plan);
    const { data } = await bridge.call('apply_workspace_edit', { plan_id, dry_run: false });
    expect(data.edit?.files).toMatchObject([{ file_path: 'c.txt', change: 'create' }]);
  });

  it('are closed with the bridge, and the bridge stays open when they disconnect', async () => {
    const bridge = await embed();
    const [first, second] = [await connect(bridge), await connect(bridge)];
    await first.close();
    expect((await second.callTool(question)).isError).toBeUndefined();
    const gone = new Promise<void>((resolve) => {
      second.onclose = resolve;
    });
    await bridge.close();
    await gone;
    const [ours] = InMemoryTransport.createLinkedPair();
    await expect(bridge.serve(ours)).rejects.toMatchObject({ code: 'refused' });
  });

  it('are closed also if the bridge closes while they connect', async () => {
    const bridge = await embed();
    const [ours] = InMemoryTransport.createLinkedPair();
    const closed = new Promise<void>((resolve) => {
      ours.onclose = resolve;
    });
    const served = expect(bridge.serve(ours)).rejects.toMatchObject({ code: 'cancelled' });
    await Promise.all([bridge.close(), served, closed]);
  });
});

describe('a transport', () => {
  it('keeps the listeners that were set before, and reports invalid messages', async () => {
    const logged: string[] = [];
    const bridge = await embed({ settings: { log: (_level, event) => logged.push(event) } });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const given: McpTransport = ours;
    const heard: string[] = [];
    given.onclose = () => heard.push('closed');
    given.onerror = ({ message }) => heard.push(message);
    await bridge.serve(given);
    ours.onerror?.(new Error('lost'));
    Object(ours).onmessage({ nonsense: true });
    await theirs.close();
    expect(heard).toEqual(['lost', 'closed']);
    expect(logged.filter((event) => event === 'mcp.error')).toHaveLength(2);
  });

  it('that cannot start, and an unknown surface or toolset, reject `serve`', async () => {
    const bridge = await embed();
    const broken: McpTransport = {
      start: () => Promise.reject(new Error('no wire')),
      send: async () => {},
      close: async () => {},
    };
    await expect(bridge.serve(broken)).rejects.toThrow('no wire');
    const [ours] = InMemoryTransport.createLinkedPair();
    await expect(bridge.serve(ours, Object({ surface: 'other' }))).rejects.toMatchObject({
      code: 'invalid_input',
      nextStep: expect.stringContaining('llxprt'),
    });
    await expect(bridge.serve(ours, { toolsets: ['other'] })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await bridge.serve(ours);
    await expect(bridge.serve(ours)).rejects.toThrow('served already');
  });
});
