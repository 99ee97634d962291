import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { servers } from '../../src/servers/index.ts';
import { catalogue } from '../../src/surfaces/catalogue.ts';
import { confineInTests } from '../confined.ts';

/** The built program over a folder, as a client sees it. */
export interface BuiltLspan {
  call(tool: string, input: object): Promise<Answer>;
  /** The tools as a model sees them, and the instructions. */
  list(): Promise<object>;
  /** The names of the tools. */
  tools(): Promise<readonly string[]>;
  /** Tells that the roots of the client have changed. */
  changeRoots(): Promise<void>;
  /** Everything that it logged. */
  log(): string;
  /** Ends when the program has ended, and all that it started, and its log is read. */
  close(): Promise<void>;
}

export interface Answer {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

/** How the built program is started. */
export interface BuiltOptions {
  /** The folder that it is started in, and the workspace unless the client names its own. */
  readonly root: string;
  /** What the client names as its roots whenever it is asked. */
  readonly clientRoots?: () => readonly string[];
  /** The only servers that it may use; all when absent. */
  readonly servers?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Words before the program, such as those of a tracer. */
  readonly before?: readonly string[];
  /** Words after it. */
  readonly flags?: readonly string[];
  /**
   * Seconds that a call may take, all of them for a server that is slow where they are given; few when absent, since some
   * servers never answer.
   */
  readonly deadline?: number;
  /** Default: as in all tests. */
  readonly confine?: 'never';
}

const bin = path.resolve(import.meta.dirname, '../../dist/bin.js');

/** Starts it in the folder itself, as agents do. */
export async function openBuilt(options: BuiltOptions): Promise<BuiltLspan> {
  const { root, clientRoots, environment, before = [], flags = [] } = options;
  const own = mkdtempSync(path.join(tmpdir(), 'lspan-built-'));
  const workspace = clientRoots ? [] : ['--workspace', root];
  const words = [
    ...before,
    process.execPath,
    bin,
    'mcp',
    '--toolset',
    'all',
    ...workspace,
    '--log-level',
    'debug',
  ];
  const [command = '', ...args] = [...words, '--config', configure(own, options), ...flags];
  const env = { ...present(process.env), XDG_CACHE_HOME: path.join(own, 'cache'), ...environment };
  const transport = new StdioClientTransport({ command, args, cwd: root, env, stderr: 'pipe' });
  const log: string[] = [];
  const logged = new Promise<void>((resolve) => {
    transport.stderr?.on('data', (chunk) => log.push(String(chunk))).on('close', resolve);
  });
  const capabilities = clientRoots ? { roots: { listChanged: true } } : {};
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  if (clientRoots) {
    client.setRequestHandler('roots/list', async () => ({
      roots: clientRoots().map((folder) => ({ uri: `file://${folder}` })),
    }));
  }
  await client.connect(transport);
  return {
    call: async (name, input) => {
      const result = await client.callTool({ name, arguments: { ...input } }, { timeout: 120_000 });
      const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
      return { text, data: fieldsOf(result.structuredContent), isError: result.isError === true };
    },
    list: async () => ({ tools: (await client.listTools()).tools, said: client.getInstructions() }),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    changeRoots: () => client.sendRootsListChanged(),
    log: () => log.join(''),
    close: async () => {
      await client.close();
      await logged;
      rmSync(own, { recursive: true, force: true });
    },
  };
}

/**
 * What every tool can be asked about a source with the word `greet` at a place; those that write, for a preview. Those
 * that end servers are left out, since the others are being answered.
 */
export function questionsAbout(
  file: string,
  text: string,
): readonly { readonly tool: string; readonly input: object }[] {
  const line = text.split('\n').findIndex((each) => each.includes('greet'));
  const character = text.split('\n')[line]?.indexOf('greet') ?? 0;
  const place = { file_path: file, line: line + 1, character: character + 1 };
  const known: Readonly<Record<string, unknown>> = {
    ...place,
    query: 'greet',
    new_name: 'welcome',
    old_path: file,
    new_path: `moved/${file}`,
    content: text,
    action: 'delete',
    candidates: [{ id: 'one', edits: [{ file_path: file, old_text: text, new_text: `${text}\n` }] }],
    operations: [
      { tool: 'get_diagnostics', args: { file_path: file } },
      { tool: 'inspect_symbol', args: place },
      { tool: 'rename_symbol', args: { ...place, new_name: 'welcome' } },
      { tool: 'create_file', args: { file_path: `made/${file}`, content: text } },
    ],
    stop_on_error: false,
    dry_run: true,
  };
  const tools = catalogue[0]?.tools.filter(({ effects }) => effects !== 'servers') ?? [];
  return tools.map(({ name, inputSchema }) => {
    const asked = Object.keys(inputSchema.properties ?? {}).filter((key) => key in known);
    return { tool: name, input: Object.fromEntries(asked.map((key) => [key, known[key]])) };
  });
}

function configure(folder: string, options: BuiltOptions): string {
  const { servers: only, deadline, confine = confineInTests } = options;
  const disabled = only === undefined ? [] : servers.map(({ id }) => id).filter((id) => !only.includes(id));
  const file = path.join(folder, 'config.json');
  mkdirSync(folder, { recursive: true });
  const limits = { readiness_s: deadline, diagnostics_s: deadline, diagnostics_cold_s: deadline };
  const content = { disabled_servers: disabled, deadline_s: deadline ?? 10, limits, confine };
  writeFileSync(file, JSON.stringify(content));
  return file;
}

function present(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
