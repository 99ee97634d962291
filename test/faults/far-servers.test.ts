import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PathMapping } from '../../src/backends/lsp/protocol/path-mapping.ts';
import type { FakeScript } from '../fake-server/script.ts';
import { end, isRunning } from '../frontends/daemon/daemon-world.ts';
import {
  ask,
  expectError,
  expectInOrder,
  openTestBridge,
  type TestBridge,
  type TestServer,
  temporaryFolder,
} from '../test-bridge.ts';

const definition = 'textDocument/definition';

/** A server for which the project has another path, by a link, behind a command that does nothing else. */
async function openFar(script: FakeScript = {}, more: Partial<TestServer> = {}) {
  const far = path.join(temporaryFolder('lspan-far-'), 'work space');
  const server = { lives: [script], via: ['env'], paths: { '<root>': far }, ...more };
  const bridge = await openTestBridge({ servers: { fake: server } });
  symlinkSync(bridge.root, far);
  return { bridge, far };
}

/** What the bridge heard of the server and said to it, as it was on the wire. */
function wireOf({ traced }: TestBridge): string {
  return JSON.stringify(traced.all);
}

describe('a server that runs elsewhere', () => {
  it('VIA-10 answers as one here, and never hears of a path of this machine', async () => {
    const { bridge, far } = await openFar();
    await expectInOrder(bridge);
    const renaming = { symbol_name: 'alpha', file_path: 'a.txt', new_name: 'gamma', dry_run: false };
    expect((await bridge.call('rename_symbol', renaming)).text).toContain('Done: rename alpha to gamma');
    bridge.write('c.txt', 'function alpha\n');
    const found = await bridge.call('find_definition', { symbol_name: 'alpha', file_path: 'c.txt' });
    expect(found.text).toContain('c.txt');
    expect(wireOf(bridge)).not.toContain(bridge.root);
    const [initialize] = bridge.received().filter(({ method }) => method === 'initialize');
    expect(initialize?.params).toMatchObject({
      processId: null,
      rootPath: far,
      rootUri: `file://${far.replaceAll(' ', '%20')}`,
    });
  });

  it('VIA-11 names a place that is nothing here as outside, and no file here is read for it', async () => {
    const uri = 'file:///etc/hostname';
    const { bridge } = await openFar({
      rules: [{ on: { method: definition }, do: [{ outsideUri: { uri } }] }],
    });
    const { data, text } = await ask(bridge);
    expect(data).toMatchObject({ definitions: [{ external: 'outside', file_path: `far-${uri}` }] });
    expect(text).toContain('far-file:///etc/hostname  [external outside]');
  });

  it('VIA-14 on copies of the files has every answer in doubt', async () => {
    const { bridge } = await openFar({}, { shared: false });
    for (const tool of ['find_definition', 'find_references', 'get_hover']) {
      const { data } = await bridge.call(tool, { symbol_name: 'alpha', file_path: 'a.txt' });
      expect(data).toMatchObject({ complete: false, doubts: [{ kind: 'watch_lost', server: 'fake' }] });
    }
  });

  it('VIA-10 is not started for a root that is not there', async () => {
    const { bridge } = await openFar({}, { paths: { '/nowhere': '/workspace' } });
    expectError(await ask(bridge), 'invalid_input', 'runs elsewhere', 'Add the folder to paths');
    expect(bridge.pids()).toEqual([]);
  });

  it('VIA-10 has the same paths there if none are given', async () => {
    const bridge = await openTestBridge({ servers: { fake: { via: ['env'] } } });
    await expectInOrder(bridge);
  });

  it('VIA-15 ends with all that it started when lspan ends, even if it does not heed the end of its input', async () => {
    const notes = path.join(temporaryFolder('lspan-relay-'), 'notes');
    const relay = path.resolve(import.meta.dirname, '../frontends/via/relay.cjs');
    const left: number[] = [];
    onTestFinished(() => left.forEach((pid) => void end(pid)));
    // What the fake leaves behind stays in the group of the shell there.
    const before = `sleep 1000000 & echo $! >>"$0"`;
    const { bridge } = await openFar({}, { via: [process.execPath, relay, notes], before });
    // The notes begin with the process that stays.
    await bridge.call('get_document_symbols', { file_path: 'a.txt' });
    left.push(...bridge.pids());
    expect(left.length).toBeGreaterThan(1);
    for (const pid of left) expect(isRunning(pid)).toBe(true);
    await bridge.close();
    for (const pid of left) await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('VIA-09 says nothing whose places are not themselves after they were mapped and mapped back', async () => {
    const { bridge, far } = await openFar();
    for (const tool of ['find_references', 'get_hover', 'get_call_hierarchy', 'inspect_symbol'])
      await bridge.call(tool, { symbol_name: 'alpha', file_path: 'a.txt' });
    await bridge.call('get_diagnostics', {});
    const mapping = new PathMapping([{ near: bridge.root, far }]);
    expect(bridge.traced.all.length).toBeGreaterThan(10);
    for (const { message, direction } of bridge.traced.all) {
      const near = mapping.toNear(message, undefined);
      expect(mapping.toFar(near, undefined)).toEqual(message);
      if (direction === 'from_server') expect(JSON.stringify(near)).not.toContain(`"file://${far}`);
    }
  });
});
