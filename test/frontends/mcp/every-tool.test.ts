import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { alive } from '../../../src/platform/process-facts.ts';
import { catalogue } from '../../../src/surfaces/catalogue.ts';
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
  get_server_status: {},
};

/** The built program on a copy of the demo, at the highest log level, with every line of its stdout. */
function startBuilt() {
  const project = path.join(temporaryFolder(), 'demo');
  cpSync(path.join(root, 'demo'), project, { recursive: true });
  const words = [
    'mcp',
    '--workspace',
    project,
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
  return { child, lines, log, send, request };
}

interface Message {
  readonly jsonrpc?: string;
  readonly id?: number;
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: { readonly servers?: readonly { readonly pid?: number }[] };
  };
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
    expect(right.result?.isError, `${name} answers`).toBeUndefined();
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
