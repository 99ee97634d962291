import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { alive } from '../../../src/platform/processes/process-facts.ts';
import { catalogue } from '../../../src/surfaces/catalogue.ts';
import { gateway } from '../../../src/surfaces/gateway/gateway.ts';
import { temporaryFolder } from '../../workspace/sandbox.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** What each tool is asked about the demo project. */
const inputs: Readonly<Record<string, object>> = {
  find_definition: { symbol_name: 'addPrices' },
  find_references: { symbol_name: 'addPrices' },
  find_implementations: { symbol_name: 'Cart' },
  get_call_hierarchy: { symbol_name: 'addPrices' },
  get_type_hierarchy: { symbol_name: 'Cart' },
  search_workspace_symbols: { query: 'price' },
  get_document_symbols: { file_path: 'src/cart.ts' },
  inspect_symbol: { symbol_name: 'Cart.add' },
  get_hover: { file_path: 'src/price.ts', symbol_name: 'addPrices' },
  get_completions: { file_path: 'src/cart.ts', line: 7, character: 10 },
  get_signature_help: { file_path: 'src/main.ts', line: 8, character: 46 },
  get_inlay_hints: { file_path: 'src/main.ts' },
  get_diagnostics: { file_path: 'src/main.ts' },
  get_code_actions: { file_path: 'src/main.ts' },
  format_document: { file_path: 'src/cart.ts' },
  rename_symbol: { symbol_name: 'addPrices', new_name: 'sumPrices' },
  rename_symbol_strict: { file_path: 'src/price.ts', line: 7, character: 17, new_name: 'sumPrices' },
  edit_symbol: { symbol_name: 'Cart.add', action: 'insert_after', text: 'clear(): void {}' },
  rename_file: { old_path: 'src/price.ts', new_path: 'src/money.ts' },
  create_file: { file_path: 'src/new.ts', content: 'export {};\n' },
  delete_file: { file_path: 'src/main.ts' },
  check_edits: {
    candidates: [{ id: 'a', edits: [{ file_path: 'src/cart.ts', old_text: 'Cart', new_text: 'Basket' }] }],
  },
  apply_workspace_edit: {
    edits: [{ file_path: 'src/cart.ts', old_text: 'class Cart', new_text: 'class Basket' }],
    dry_run: false,
  },
  undo_edit: {},
  batch_execute: {
    operations: [
      { tool: 'find_definition', args: { symbol_name: 'addPrices' } },
      { tool: 'create_file', args: { file_path: 'src/new.ts', content: 'export {};\n' } },
    ],
    atomic: true,
  },
  get_server_status: {},
  restart_server: {},
  stop_server: { language: 'typescript' },
};

/** What no server of the demo's language answers. */
const beyondDemo: ReadonlySet<string> = new Set(['get_type_hierarchy']);

/** The built program on a copy of the demo, at the highest log level, with every line of its stdout. */
function startBuilt(surface = 'lspan') {
  const project = path.join(temporaryFolder(), 'demo');
  cpSync(path.join(root, 'demo'), project, { recursive: true });
  const words = [
    'mcp',
    '--workspace',
    project,
    '--surface',
    surface,
    '--toolset',
    'all',
    '--log-level',
    'debug',
    '--log-format',
    'json',
  ];
  const child = spawn(process.execPath, [path.join(root, 'dist/bin.js'), ...words], { stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  const log: string[] = [];
  const waiting = new Map<unknown, (message: Message) => void>();
  createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    const message: Message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = (id: number, method: string, params: object) =>
    new Promise<Message>((resolve) => {
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  return { child, lines, log, send, request, project };
}

interface Message {
  readonly jsonrpc?: string;
  readonly id?: number;
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: { readonly servers?: readonly { readonly pid?: number }[] };
  };
  readonly error?: { readonly code: number; readonly data?: unknown };
}

it('TRN-25 every tool of the built program, at the highest log level, leaves stdout pure, and nothing survives it', async () => {
  const { child, lines, log, send, request } = startBuilt();
  const clientInfo = { name: 'test', version: '1' };
  await request(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  const tools = catalogue[0]?.tools.map(({ name }) => name) ?? [];
  expect(Object.keys(inputs).sort()).toEqual([...tools].sort());
  let id = 1;
  const pids: number[] = [];
  for (const name of tools) {
    const right = await request(++id, 'tools/call', { name, arguments: inputs[name] });
    expect(right.result?.isError, `${name} answers`).toBe(beyondDemo.has(name) ? true : undefined);
    const wrong = await request(++id, 'tools/call', { name, arguments: { colour: 'red' } });
    expect(wrong.result?.isError, `${name} refuses an unknown field`).toBe(true);
    pids.push(...(right.result?.structuredContent?.servers ?? []).flatMap(({ pid }) => pid ?? []));
  }
  child.stdin.end();
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  for (const line of lines) expect(JSON.parse(line).jsonrpc).toBe('2.0');
  expect(log.some((line) => JSON.parse(line).level === 'debug')).toBe(true);
  expect(pids.length).toBeGreaterThan(0);
  expect(pids.filter(alive)).toEqual([]);
});

it('TRN-35 every tool of the gateway answers a real server by its schema, and refuses by an error of the protocol', async () => {
  const { child, send, request, project } = startBuilt('gateway');
  const clientInfo = { name: 'claude-code', version: '1' };
  await request(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  const uri = `file://${project}/src/price.ts`;
  const given = { uri, position: { line: 6, character: 16 }, query: 'addPrices' };
  const counts: Record<string, unknown> = {};
  let id = 1;
  for (const { name, input, output } of gateway.tools) {
    const fields = Object.keys(Object(z.toJSONSchema(input).properties));
    const args = Object.fromEntries(Object.entries(given).filter(([field]) => fields.includes(field)));
    const { result } = await request(++id, 'tools/call', { name, arguments: args });
    expect(output.safeParse(result?.structuredContent).error, name).toBeUndefined();
    counts[name] = Object(result).content;
    const { error } = await request(++id, 'tools/call', { name, arguments: { ...args, colour: 'red' } });
    expect(error, name).toMatchObject({ code: -32602, data: { code: 'INVALID_PARAMS', retryable: false } });
  }
  expect(Object.values(counts).map((content) => Object(content)[0].text)).toEqual([
    '1 location.',
    '4 references.',
    '1 part.',
    '6 symbols.',
    '1 symbol.',
    '0 diagnostics.',
    // Only what was asked about has been looked at.
    expect.stringMatching(/^\d+ items?\. It may be incomplete: see doubts\.$/),
  ]);
  child.stdin.end();
  expect(await once(child, 'close')).toEqual([0, null]);
});
