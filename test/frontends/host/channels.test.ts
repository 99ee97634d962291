import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { afterAll, describe, expect, test } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { lackedPrograms, unlessSkipped } from '../../missing-programs.ts';
import { eras } from '../http/start-serve.ts';
import { gone, HostFixture, lineTransport, type RunningHost } from './start-host.ts';

const fixture = new HostFixture();
afterAll(() => fixture.close());

const place = { file: 'b.txt', line: 1, character: 1 };
const six = [
  'lsp_goto_definition',
  'lsp_find_references',
  'lsp_hover',
  'lsp_document_symbols',
  'lsp_workspace_symbols',
  'lsp_diagnostics',
];

/** Checks that stdout has only complete frames, the first of which is lsp/ready. */
function expectPure({ rpc, rest }: RunningHost): void {
  expect(rpc.all[0]).toMatchObject({ method: 'lsp/ready' });
  expect(rpc.all.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
  expect(rest).toBe('');
}

describe.each(eras)(
  'the official client on descriptors 3 and 4, revision %s',
  (revision, versionNegotiation) => {
    test('lists and calls tools on the bridge of RPC, until lsp/shutdown ends both', async () => {
      const host = fixture.start();
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation });
      await client.connect(lineTransport(host));
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
      expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual(six.toSorted());
      const [found, checked] = await Promise.all([
        client.callTool({ name: 'lsp_goto_definition', arguments: place }),
        host.ask('lsp/checkFile', { filePath: 'a.txt' }),
      ]);
      expect(found).toMatchObject({ content: [{ type: 'text', text: 'a.txt:1:10' }] });
      expect(checked.result).toBeInstanceOf(Array);
      expect((await host.ready).params).toMatchObject({ workspaceRoots: [fixture.root] });
      const server = await host.server();
      expect(await host.ask('lsp/shutdown')).toMatchObject({ result: null });
      expect(await host.exit).toEqual({ code: 0, signal: null });
      await gone(server);
      expectPure(host);
      expect(host.log).toEqual([]);
    });
  },
);

/** An invalid line, and the errors that it must cause. */
const bad: readonly (readonly [string | Buffer, readonly number[]])[] = [
  [`"${'x'.repeat(limits.stdioLine + 1)}"\n`, [-32600]],
  [Buffer.from([0x7b, 0xc3, 0x28, 0x0a]), [-32700]],
  [`\ufeff{"jsonrpc":"2.0","method":"notifications/x"}\n`, []],
  ['{"jsonrpc":"2.0","method":"notifications/x"}\r\n', []],
  ['\n\r\n   \n\n', []],
  ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', [-32600]],
  ['null\n17\n', [-32600, -32600]],
  [`${'['.repeat(100_000)}${']'.repeat(100_000)}\n`, [-32600]],
];

test('TRN-25 TRN-27 neither garbage on descriptor 3 nor a dependency that prints disturbs a channel', async () => {
  const flag = `--require=${path.join(import.meta.dirname, 'pollute.cjs')}`;
  const host = fixture.start({ environment: { NODE_OPTIONS: flag }, flags: ['--surface', 'lspan'] });
  await host.ready;
  for (const [line] of bad) host.tell(line);
  await host.initialize();
  const errors = host.mcp.all.flatMap(({ error }) => error?.code ?? []);
  expect(errors).toEqual(bad.flatMap(([, codes]) => codes));
  const input = { file_path: 'b.txt', line: 1, character: 1 };
  const called = await host.askMcp(2, 'tools/call', { name: 'find_definition', arguments: input });
  expect(called.result).toMatchObject({ structuredContent: { complete: true } });
  host.child.kill('SIGUSR2');
  await expect.poll(() => host.log.join('\n')).toContain('polluted by stdout.write');
  expect(await host.ask('lsp/status')).toHaveProperty('result');
  // An uncaught exception ends it, and only the log reports it.
  host.child.kill('SIGUSR2');
  expect(await host.exit).toEqual({ code: 70, signal: null });
  expectPure(host);
  expect(host.mcp.all.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
  for (const told of ['console.log', 'a warning', 'nobody catches this'])
    expect(host.log.join('\n')).toContain(told);
});

test('both channels share unsaved text and plans', async () => {
  const host = fixture.start({ flags: ['--surface', 'lspan'] });
  await host.ready;
  await host.initialize();
  const symbols = () =>
    host.askMcp(`${host.mcp.all.length}`, 'tools/call', {
      name: 'get_document_symbols',
      arguments: { file_path: 'a.txt' },
    });
  expect(JSON.stringify(await symbols())).toContain('alpha');
  host.send({ method: 'lsp/didChange', params: { filePath: 'a.txt', text: 'function gamma\n' } });
  await host.ask('lsp/status');
  const held = JSON.stringify(await symbols());
  expect([held.includes('gamma'), held.includes('alpha')]).toEqual([true, false]);
  expect(await host.ask('lsp/didChange', { filePath: 'a.txt', text: null })).toMatchObject({ result: null });
  const renaming = { symbol_name: 'beta', file_path: 'b.txt', new_name: 'delta' };
  const preview = await host.askMcp('preview', 'tools/call', { name: 'rename_symbol', arguments: renaming });
  const plan = /"plan_id":"([^"]+)"/.exec(JSON.stringify(preview.result))?.[1];
  const applied = await host.ask('lsp/call', { tool: 'apply_workspace_edit', arguments: { plan_id: plan } });
  expect(applied).toHaveProperty('result.data.edit.edit_id');
  expect(readFileSync(path.join(fixture.root, 'b.txt'), 'utf8')).toBe('alpha is used\nfunction delta\n');
  expect(await host.ask('lsp/call', { tool: 'undo_edit' })).toHaveProperty('result');
  expect(await host.ask('lsp/shutdown')).toMatchObject({ result: null });
  expect(await host.exit).toEqual({ code: 0, signal: null });
});

/** Returns the targets of a process's descriptors. */
function linksOf(pid: number, descriptors = readdirSync(`/proc/${pid}/fd`).map(Number)): string[] {
  return descriptors.map((descriptor) => readlinkSync(`/proc/${pid}/fd/${descriptor}`));
}

/** Returns the descendants of a process. */
function descendants(pid: number): number[] {
  const own = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return [...own, ...own.flatMap(descendants)];
}

const noBash = lackedPrograms('bash');
const inheritsNothing = unlessSkipped(
  noBash,
  'TRN-29 no child inherits a channel, a descriptor that the program left open, or the variable',
);

test.skipIf(noBash !== '')(inheritsNothing, async () => {
  const leaked = path.join(fixture.folder, 'leaked');
  writeFileSync(leaked, '');
  const host = fixture.start({ through: ['bash', '-c', `exec "$@" 251<"${leaked}"`, 'bash'] });
  await host.ready;
  const { pid = 0 } = host.child;
  const server = await host.server();
  const channels = linksOf(pid, [0, 1, 3, 4]);
  expect(linksOf(pid)).not.toContain(leaked);
  const children = descendants(pid);
  expect(children).toContain(server);
  expect(children.length).toBeGreaterThan(1);
  for (const child of children) {
    expect(linksOf(child).filter((link) => [...channels, leaked].includes(link))).toEqual([]);
    expect(readFileSync(`/proc/${child}/environ`, 'utf8')).not.toContain('LSP_BOOTSTRAP');
  }
  host.child.kill('SIGTERM');
  expect(await host.exit).toEqual({ code: 143, signal: null });
  for (const child of children) await gone(child);
});

test('the descriptors of a disabled channel are not touched', async () => {
  const host = fixture.start({ flags: ['--no-rpc'] });
  host.send({ id: 1, method: 'lsp/status' });
  await host.initialize();
  const called = await host.askMcp(1, 'tools/call', { name: 'lsp_goto_definition', arguments: place });
  expect(called.result).toMatchObject({ content: [{ text: 'a.txt:1:10' }] });
  host.child.stdin?.end();
  expect(await host.askMcp(2, 'ping')).toMatchObject({ result: {} });
  host.input.end();
  expect(await host.exit).toEqual({ code: 0, signal: null });
  expect([host.stdout(), host.log]).toEqual(['', []]);
});
