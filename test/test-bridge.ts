import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { LspBackend } from '../src/backends/lsp/lsp-backend.ts';
import type { MemoryBudget } from '../src/backends/lsp/process/memory-budget.ts';
import { type Bridge, openBridge, type TraceEntry } from '../src/bridge.ts';
import type { BridgeSettings } from '../src/bridge-settings.ts';
import type { Config, ConfiguredServer } from '../src/config/config.ts';
import { mergeDefinitions } from '../src/config/servers/merge-definition.ts';
import { writeTrustOf } from '../src/config/trust/write-trust.ts';
import { inspectConfig, offerTrust } from '../src/offline.ts';
import { openContext } from '../src/open-context.ts';
import { openServers } from '../src/open-servers.ts';
import { servers as builtIn } from '../src/servers/index.ts';
import type { Outcome, ToolContext } from '../src/tools/run/tool.ts';
import { openWorkspace } from '../src/workspace/open-workspace.ts';
import { type FakeScript, writeScript } from './fake-server/script.ts';
import { Happenings } from './happenings.ts';

export { Happenings } from './happenings.ts';

/** A fake language server of a test bridge. */
export interface TestServer extends Omit<ConfiguredServer, 'id' | 'command'> {
  /**
   * What each process of the server does, one after the other; the last one's script is that of all after it.
   * The words `<root>` in it mean the folder of the project.
   */
  readonly lives?: readonly FakeScript[];
  /** Shell words to run before the server. `<root>` stands for the project in `via` and `paths`, too. */
  readonly before?: string;
  /** The program, where it is not the fake. */
  readonly command?: readonly string[];
}

/** What a test bridge is opened on. */
export interface TestSetting {
  readonly files?: Readonly<Record<string, string>>;
  /** By id; the id of a server that lspan knows keeps what its definition says beside the program. */
  readonly servers?: Readonly<Record<string, TestServer>>;
  /** Read-only folders beside the project. */
  readonly additionalRoots?: readonly string[];
  /** The default one when absent. */
  readonly surface?: string;
  /** Milliseconds. */
  readonly deadline?: number;
  /** The user trusts the project. */
  readonly trusted?: boolean;
  /** What else the configuration holds. */
  readonly config?: Partial<Config>;
  /** The one that it shares with other bridges. */
  readonly memoryBudget?: MemoryBudget;
  /** Beside the variables of this process; the words `<root>` in a value mean the folder of the project. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A bridge in this process over a project of its own, with fake servers only, for the length of a test. */
export interface TestBridge extends Bridge {
  readonly root: string;
  /** For another bridge over the same project. */
  readonly settings: BridgeSettings;
  /** The messages between the bridge and its servers. */
  readonly traced: Happenings<TraceEntry>;
  /** What the bridge logged. */
  readonly logged: Happenings<{ readonly event: string; readonly fields: Readonly<Record<string, unknown>> }>;
  /** Resolves when the bridge has sent a message of this method to a server. */
  sent(method: string, nth?: number): Promise<void>;
  /** The processes that were started for a server, in order. */
  pids(server?: string): readonly number[];
  /** What the processes of a server have read so far. */
  received(server?: string): readonly Received[];
  write(file: string, text: string): void;
  remove(file: string): void;
}

/** A message as a fake server read it. */
export interface Received {
  readonly method?: string;
  readonly id?: number;
  readonly params?: unknown;
  readonly result?: unknown;
}

/** Opens one; without a setting, a decent server of the files below. */
export async function openTestBridge(setting: TestSetting = {}): Promise<TestBridge> {
  const { settings, ...place } = prepare(setting);
  const bridge = await openBridge(settings);
  onTestFinished(() => bridge.close({ hurried: true }));
  return { ...bridge, ...place, settings };
}

/** What is behind the tools of such a bridge. */
export interface TestWorld extends Omit<TestBridge, keyof Bridge | 'settings'>, ToolContext {
  readonly backend: LspBackend;
}

/** Opens that, for what no tool offers. */
export async function openTestWorld(setting: TestSetting = {}): Promise<TestWorld> {
  const { settings, ...place } = prepare(setting);
  const { config } = inspectConfig(settings);
  const workspace = await openWorkspace(settings);
  const opened = openServers(workspace, mergeDefinitions(builtIn, config), settings, config);
  const { contexts } = openContext(workspace, opened, settings, config);
  onTestFinished(async () => {
    await opened.close({ hurried: true });
    await workspace.close();
  });
  return { ...contexts.of(undefined), ...place, backend: opened.backend };
}

/** A project, with what can be seen of what happens to it, and the settings of a bridge over it. */
function prepare(setting: TestSetting): Omit<TestBridge, keyof Bridge> {
  const root = temporaryFolder('lspan-project-');
  const notes = temporaryFolder('lspan-notes-');
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  for (const [file, text] of Object.entries(setting.files ?? project)) write(file, text);
  const given = Object.entries(setting.servers ?? { fake: {} });
  const servers = given.map(([id, server]) => configured(id, server, root, path.join(notes, id)));
  const disabledServers = builtIn.map(({ id }) => id).filter((id) => !given.some(([own]) => own === id));
  const traced = new Happenings<TraceEntry>();
  const logged: TestBridge['logged'] = new Happenings();
  const settings: BridgeSettings = {
    roots: [root],
    ...(setting.additionalRoots ? { additionalRoots: setting.additionalRoots } : {}),
    ...(setting.memoryBudget ? { memoryBudget: setting.memoryBudget } : {}),
    surface: setting.surface ?? 'lspan',
    overrides: {
      servers,
      disabledServers,
      // A fake notes its own number, which is another one in a sandbox.
      confine: 'never',
      ...(setting.deadline ? { deadline: setting.deadline } : {}),
      ...setting.config,
    },
    environment: environmentOf(setting, root),
    log: (_level, event, fields = {}) => logged.add({ event, fields }),
    trace: (entry) => traced.add(entry),
  };
  if (setting.trusted) writeTrustOf(offerTrust({ ...settings, root }), settings.environment ?? {});
  return {
    settings,
    root,
    traced,
    logged,
    sent: async (method, nth = 1) => {
      const isIt = ({ direction, message }: TraceEntry) =>
        direction === 'to_server' && methodOf(message) === method;
      await traced.nth(isIt, nth);
    },
    pids: (server = 'fake') => linesOf(path.join(notes, `${server}.pids`)).map(Number),
    received: (server = 'fake') => linesOf(path.join(notes, `${server}.log`)).map(readReceived),
    write,
    remove: (file) => rmSync(path.join(root, file), { recursive: true }),
  };
}

/** Two files that use each other's words. */
const project = { 'a.txt': 'function alpha\nalpha beta\n', 'b.txt': 'alpha is used\nfunction beta\n' };

/** A question about that project, and what the right answer holds. */
export const question = {
  tool: 'find_definition',
  input: { file_path: 'b.txt', line: 1, character: 1 },
  answer: { definitions: [{ file_path: 'a.txt', line: 1, character: 10, text: 'function alpha' }] },
} as const;

/** Asks that question. */
export function ask(bridge: Bridge, options?: Parameters<Bridge['call']>[2]): Promise<Outcome> {
  return bridge.call(question.tool, question.input, options);
}

/** Asks it and expects the right and whole answer: whatever went before, the bridge is in order. */
export async function expectInOrder(bridge: Bridge): Promise<void> {
  const outcome = await ask(bridge);
  expect(outcome.data).toMatchObject({ complete: true, doubts: [], ...question.answer });
  expect(outcome.isError).toBe(false);
}

/** Expects an error of this code, with a next step, whose message holds each of these. */
export function expectError(outcome: Outcome, code: string, ...told: readonly (string | RegExp)[]): void {
  expect(outcome).toMatchObject({
    isError: true,
    data: { error: { code, message: expect.any(String), next_step: expect.stringMatching(/\w+ .*\./) } },
  });
  for (const each of told) expect(outcome.text).toMatch(each);
}

/** A folder that is removed when the test has ended. */
export function temporaryFolder(prefix: string): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), prefix)));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function environmentOf({ environment = {} }: TestSetting, root: string): NodeJS.ProcessEnv {
  const rooted = Object.entries(environment).map(([name, value]) => [name, value.replaceAll('<root>', root)]);
  // What lspan remembers of edits and trust is never the user's.
  const state = { XDG_STATE_HOME: temporaryFolder('lspan-state-') };
  return { ...process.env, ...state, ...Object.fromEntries(rooted) };
}

function configured(id: string, server: TestServer, root: string, notes: string): ConfiguredServer {
  const { lives = [{}], before = '', command, extensions = ['txt'], ...unrooted } = server;
  const { via, paths } = unrooted;
  const elsewhere = JSON.parse(JSON.stringify({ via, paths }).replaceAll('<root>', root));
  const rest = { ...unrooted, ...elsewhere };
  if (command) return { id, extensions, command, ...rest };
  const rooted: FakeScript[] = JSON.parse(JSON.stringify(lives).replaceAll('<root>', root));
  const scripts = rooted.map((script) => writeScript({ log: `${notes}.log`, ...script }));
  onTestFinished(() => {
    for (const { dispose } of scripts) dispose();
  });
  const [program = ''] = scripts.map(({ args }) => args[0]);
  const files = scripts.map(({ args }) => args[1] ?? '');
  const shell = ['/bin/sh', '-c', `${before}\n${nextLife}`, `${notes}.pids`];
  const writableFolders = [path.dirname(notes), ...(rest.writableFolders ?? [])];
  // A fake server notes what it hears, which the guard of the server that it plays would refuse.
  const env = guarded.has(id) ? { env: { NODE_OPTIONS: '', ...rest.env } } : {};
  const own = { editCommands: ['fake.replace', 'fake.nothing'], ...rest, ...env, writableFolders };
  return { id, extensions, command: [...shell, process.execPath, program, ...files], ...own };
}

const guarded: ReadonlySet<string> = new Set([
  'svelte',
  'dockerfile-language-server',
  'some-sass-language-server',
  'pyright',
  'basedpyright',
  'typescript-language-server',
  'vtsls',
]);

/** Shell words that note the process and become the server of the script whose turn it is. */
export const nextLife = `echo $$ >> "$0"
life=$(wc -l < "$0") node=$1 program=$2
shift 2
while [ "$life" -gt 1 ] && [ $# -gt 1 ]; do shift; life=$((life - 1)); done
exec "$node" "$program" "$1"`;

function linesOf(file: string): string[] {
  if (!existsSync(file)) return [];
  // A long line that is being written is none yet.
  return readFileSync(file, 'utf8').split('\n').slice(0, -1);
}

function readReceived(line: string): Received {
  return JSON.parse(line);
}

function methodOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'method' in message ? message.method : undefined;
}
