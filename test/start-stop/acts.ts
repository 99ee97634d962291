import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Bridge, openBridge, type TraceEntry } from '../../src/bridge.ts';
import type { McpTransport } from '../../src/frontends/mcp/mcp-transport.ts';
import { createBridge } from '../../src/library/create-bridge.ts';
import type { Outcome } from '../../src/tools/run/tool.ts';

/** Where a cycle happens. */
export interface Stage {
  /** Two projects of the same files. */
  readonly projects: readonly [string, string];
  /** The program and the arguments of a decent fake server. */
  readonly server: Program;
  /** One that answers no hover. */
  readonly silent: Program;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Shared by all calls of all cycles, and never aborted. */
  readonly signal: AbortSignal;
  /** Takes note of something that only a bridge holds, and most of its parts do. */
  readonly note: (held: object) => void;
}

/** A program and its arguments. */
type Program = readonly [string, ...string[]];

/** What happens between the opening and the end of bridges. Each ends what it has opened. */
export type Act = (stage: Stage) => Promise<void>;

/** The acts, each by its name, the plain one first: it is what nine of ten cycles do. */
export const acts: Readonly<Record<string, Act>> = {
  'a call': (stage) => withBridge(stage, (bridge) => ask(bridge, stage)),

  'nothing is asked': (stage) => withBridge(stage, async () => {}),

  'the server is killed': (stage) =>
    withBridge(stage, async (bridge) => {
      await ask(bridge, stage);
      for (const pid of await serversOf(bridge)) process.kill(pid, 'SIGKILL');
      await ask(bridge, stage);
    }),

  'a call is cancelled': (stage) =>
    withBridge(
      stage,
      async (bridge, sent) => {
        const cancel = new AbortController();
        const asked = bridge.call('get_hover', place, { signal: cancel.signal });
        await sent('textDocument/hover');
        cancel.abort();
        assert.equal((await asked).isError, true);
      },
      { server: stage.silent },
    ),

  'other text is checked': (stage) =>
    withBridge(stage, async (bridge) => {
      const edits = [{ file_path: 'a.txt', old_text: 'alpha beta', new_text: 'alpha gamma' }];
      const checked = await bridge.call('check_edits', { candidates: [{ id: 'one', edits }] });
      assert.equal(checked.isError, false, checked.text);
    }),

  'the end comes before the answer': (stage) =>
    withBridge(
      stage,
      async (bridge, sent) => {
        const asked = bridge.call('get_hover', place, { signal: stage.signal });
        await sent('textDocument/hover');
        await bridge.close();
        assert.equal((await asked).isError, true);
      },
      { server: stage.silent },
    ),

  'the end comes before the start': (stage) =>
    withBridge(stage, async (bridge, sent) => {
      const asked = bridge.call('get_hover', place, { signal: stage.signal });
      await sent('initialize');
      await bridge.close({ hurried: true });
      assert.equal((await asked).isError, true);
    }),

  'two on one project': (stage) =>
    withBridge(stage, (one) =>
      withBridge(stage, async (other) => {
        await Promise.all([ask(one, stage), ask(other, stage)]);
      }),
    ),

  'two on two projects': (stage) =>
    withBridge(stage, (one) =>
      withBridge(
        stage,
        async (other) => {
          await Promise.all([ask(one, stage), ask(other, stage)]);
        },
        { project: stage.projects[1] },
      ),
    ),

  'a rename and its undoing': (stage) =>
    withBridge(stage, async (bridge) => {
      const renamed = await bridge.call('rename_symbol', { ...place, new_name: 'omega', dry_run: false });
      assert.equal(renamed.isError, false, renamed.text);
      const undone = await bridge.call('undo_edit', { dry_run: false });
      assert.equal(undone.isError, false, undone.text);
    }),

  'somebody listens for problems': (stage) =>
    withBridge(stage, async (bridge) => {
      bridge.resources?.onProblems(() => {});
      const told = await bridge.call('get_diagnostics', { file_path: 'a.txt' }, { signal: stage.signal });
      assert.equal(told.isError, false, told.text);
      await writeFile(path.join(stage.projects[0], 'c.txt'), 'alpha\n');
    }),

  'as a library, with a client and a text that is held': async (stage) => {
    const log = () => {};
    stage.note(log);
    await using bridge = await createBridge({
      workspace: stage.projects[0],
      config: { servers: [fakeServer(stage.server)] },
      environment: stage.environment,
      log,
    });
    bridge.onDiagnostics(() => {});
    bridge.hold('a.txt', 'function alpha\nERROR_1\n');
    const { diagnostics } = await bridge.diagnostics('a.txt', { signal: stage.signal });
    assert.equal(diagnostics[0]?.code, 'ERROR_1');
    const client = new MemoryClient();
    await bridge.serve(client, { surface: 'llxprt' });
    await client.ask(1, 'initialize', opening);
    const told = await client.ask(2, 'tools/call', {
      name: 'lsp_document_symbols',
      arguments: { file: 'a.txt' },
    });
    assert.match(JSON.stringify(told), /function alpha/);
    const cancel = new AbortController();
    const asked = bridge.call('find_definition', place, { signal: cancel.signal });
    cancel.abort();
    await assert.rejects(asked, { code: 'cancelled' });
  },
};

const opening = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'cycle', version: '1' },
};

/** A client of MCP in the same process. */
class MemoryClient implements McpTransport {
  onmessage?: (message: object) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #answers = new EventEmitter();

  async start(): Promise<void> {}

  async send(message: object): Promise<void> {
    if ('id' in message) this.#answers.emit(String(message.id), message);
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  async ask(id: number, method: string, params: object): Promise<unknown> {
    const answered = once(this.#answers, String(id));
    this.onmessage?.({ jsonrpc: '2.0', id, method, params });
    return (await answered)[0];
  }
}

function fakeServer(command: Program) {
  return { id: 'fake', command, extensions: ['txt'] };
}

const place = { file_path: 'b.txt', line: 1, character: 1 };

async function ask(bridge: Bridge, { signal }: Stage): Promise<Outcome> {
  const outcome = await bridge.call('find_definition', place, { signal });
  assert.match(outcome.text, /a\.txt/);
  return outcome;
}

async function serversOf(bridge: Bridge): Promise<readonly number[]> {
  const { data } = await bridge.call('get_server_status', {});
  return [...JSON.stringify(data).matchAll(/"pid":(\d+)/g)].map(([, pid]) => Number(pid));
}

async function withBridge(
  { projects, server, environment, note }: Stage,
  work: (bridge: Bridge, sent: (method: string) => Promise<void>) => Promise<unknown>,
  other: { readonly project?: string; readonly server?: Program } = {},
): Promise<void> {
  const traced = new EventEmitter();
  const methods = new Set<unknown>();
  const trace = ({ direction, message }: TraceEntry) => {
    if (direction !== 'to_server' || typeof message !== 'object' || message === null) return;
    if (!('method' in message)) return;
    methods.add(message.method);
    traced.emit(String(message.method));
  };
  const log = () => {};
  note(log);
  const bridge = await openBridge({
    roots: [other.project ?? projects[0]],
    surface: 'lspan',
    environment,
    configValue: {
      name: 'the cycle',
      value: { servers: [fakeServer(other.server ?? server)] },
    },
    log,
    trace,
  });
  const sent = async (method: string) => {
    if (!methods.has(method)) await once(traced, method);
  };
  await work(bridge, sent).finally(() => bridge.close());
}
