import type { OutputMode } from '../../config/config.ts';
import type { LogLevel } from '../../core/log.ts';

/** Commands of lspan; `single` is the form without a command, `lspan -e … -s …`. */
export const commandNames = [
  'mcp',
  'serve',
  'host',
  'call',
  'tools',
  'setup',
  'single',
  'trust',
  'config',
  'undo',
  'edits',
  'token',
  'install',
  'index',
  'status',
  'stop',
  'hook',
  'doctor',
  'bundle',
  'completions',
] as const;

export type CommandName = (typeof commandNames)[number];

/** Commands that serve or call tools. */
const serving = ['mcp', 'serve', 'host', 'call', 'single'] as const;

const configured = [...serving, 'config'] as const;

/** Commands with a workspace. */
const inWorkspace = [...configured, 'undo', 'edits', 'doctor', 'index'] as const;

/** Commands whose work the daemon can do. */
const shared = ['mcp', 'call', 'undo'] as const;

/** One flag, for the parser and the help. */
export interface Flag {
  readonly name: string;
  readonly short?: string;
  /** Placeholder of its value; absent for a boolean flag. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** Commands for which it may be repeated. */
  readonly repeatable?: readonly CommandName[];
  readonly commands: readonly CommandName[];
  readonly help: string;
}

/** Values of `--output`. */
export const outputModes = ['auto', 'text', 'structured', 'both'] as const satisfies readonly OutputMode[];

/** Values of `--log-level`. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const satisfies readonly LogLevel[];

/** Values of `--log-format`. */
export const logFormats = ['human', 'json'] as const;

/** Values of `--scope`. */
export const scopes = ['project', 'user'] as const;

/** Every flag of every command, for the parser and the help. */
const flagTable: readonly Flag[] = [
  {
    name: 'extension',
    short: 'e',
    value: 'EXT…',
    commands: ['single'],
    help: 'file extensions of the server, with or without the dot',
  },
  {
    name: 'server',
    short: 's',
    value: 'COMMAND [ARG…]',
    commands: ['single'],
    help: 'the server; takes every word up to the next -e, -w or --',
  },
  {
    name: 'workspace',
    short: 'w',
    value: 'DIR',
    repeatable: ['mcp', 'call', 'config', 'undo', 'edits', 'doctor', 'install'],
    commands: [...inWorkspace.filter((command) => command !== 'serve' && command !== 'host'), 'install'],
    help: "a folder to work in; else the client's project, else the repository around the current folder",
  },
  {
    name: 'workspace',
    short: 'w',
    value: 'DIR',
    repeatable: ['serve'],
    commands: ['serve'],
    help: 'a folder to work in, for all clients; else the repository around the current folder',
  },
  {
    name: 'workspace',
    short: 'w',
    value: 'DIR',
    repeatable: ['host'],
    commands: ['host'],
    help: 'a folder to work in; else what LSP_BOOTSTRAP says, else the repository around the current folder',
  },
  {
    name: 'workspace',
    short: 'w',
    value: 'DIR',
    repeatable: ['setup'],
    commands: ['setup'],
    help: 'with --via: a folder there to work in',
  },
  {
    name: 'wide-workspace',
    commands: inWorkspace,
    help: 'let --workspace be a whole disk or your home directory',
  },
  { name: 'no-mcp', commands: ['host'], help: 'serve no MCP; leave descriptors 3 and 4 alone' },
  { name: 'no-rpc', commands: ['host'], help: 'serve no RPC; leave stdin and stdout alone' },
  { name: 'port', value: 'PORT', commands: ['serve'], help: 'the port (default: 3939; 0 takes a free one)' },
  {
    name: 'host',
    value: 'ADDRESS',
    commands: ['serve'],
    help: 'the loopback address to listen on: 127.0.0.1 (default) or ::1',
  },
  {
    name: 'endpoint',
    value: 'PATH',
    commands: ['serve'],
    help: 'the path of the MCP endpoint (default: /mcp)',
  },
  {
    name: 'allow-origin',
    value: 'ORIGIN',
    repeatable: ['serve'],
    commands: ['serve'],
    help: 'accept requests with this Origin header, as browser extensions send; default: none',
  },
  { name: 'no-sessions', commands: ['serve'], help: 'keep no sessions for clients of the 2025 revisions' },
  {
    name: 'protocol',
    value: 'REVISION',
    choices: ['2025-11-25'],
    commands: ['serve'],
    help: 'serve this revision of MCP only',
  },
  {
    name: 'additional-root',
    value: 'DIR',
    repeatable: ['mcp', 'serve', 'host', 'call'],
    commands: ['mcp', 'serve', 'host', 'call'],
    help: 'another folder whose files may be read and named, never changed',
  },
  {
    name: 'toolset',
    value: 'NAME',
    repeatable: ['mcp', 'serve', 'host', 'single', 'config'],
    commands: ['mcp', 'serve', 'host', 'single', 'config'],
    help: 'offer the tools of this toolset (or all) instead of the default list',
  },
  {
    name: 'surface',
    value: 'NAME',
    commands: ['mcp', 'serve', 'call', 'tools'],
    help: 'the names and forms of the tools: lspan (default), codeflow, llxprt, pathfinder or gateway',
  },
  {
    name: 'surface',
    value: 'NAME',
    commands: ['single'],
    help: 'the names and forms of the tools (default: pathfinder)',
  },
  {
    name: 'surface',
    value: 'NAME',
    commands: ['host'],
    help: 'the names and forms of the tools over MCP (default: llxprt)',
  },
  {
    name: 'output',
    value: 'MODE',
    choices: outputModes,
    commands: ['mcp', 'serve', 'host', 'single', 'config'],
    help: 'form of the answers to the client',
  },
  { name: 'read-only', commands: configured, help: 'offer no tool that changes files' },
  {
    name: 'daemon',
    commands: [...shared, 'config'],
    help: 'share one process with all other clients of yours, and so its language servers',
  },
  {
    name: 'no-daemon',
    commands: [...shared, 'config'],
    help: 'work in this process, whatever your configuration says',
  },
  {
    name: 'via',
    value: 'COMMAND',
    commands: [...shared, 'setup'],
    help: 'work where the code is, through a command such as "ssh host" or "docker exec -i web"; paths are those there',
  },
  {
    name: 'via-program',
    value: 'PROGRAM',
    commands: [...shared, 'setup'],
    help: 'with --via: how lspan is started there, such as "node lspan.cjs" (default: lspan)',
  },
  {
    name: 'after-edit',
    commands: ['mcp'],
    help: 'for clients whose hooks call after_edit: read the files when the client connects, to compare with later',
  },
  { name: 'apply', commands: ['call'], help: 'apply what the call previews' },
  { name: 'dry-run', commands: ['undo'], help: 'show what would be undone, and write nothing' },
  { name: 'dry-run', commands: ['setup'], help: 'show what would be written, and write nothing' },
  {
    name: 'json',
    commands: ['call', 'tools', 'config', 'undo', 'edits', 'index', 'status', 'doctor'],
    help: 'print the data as JSON instead of text',
  },
  { name: 'schema', commands: ['config'], help: 'print the JSON Schema of your configuration file' },
  {
    name: 'init',
    commands: ['config'],
    help: 'write a file for this repository, with every key and its default commented out',
  },
  { name: 'user', commands: ['config'], help: 'with --init: write your own file, for all workspaces' },
  {
    name: 'explain',
    value: 'KEY',
    commands: ['config'],
    help: 'explain one key, such as limits.memory_mb: what it takes, what is in effect, and who set it',
  },
  {
    name: 'config',
    value: 'FILE',
    commands: [...inWorkspace, 'trust'],
    help: 'your configuration file, .toml or .json',
  },
  {
    name: 'log-level',
    value: 'LEVEL',
    choices: logLevels,
    commands: inWorkspace,
    help: 'log level on stderr (default: warn)',
  },
  {
    name: 'log-format',
    value: 'FORMAT',
    choices: logFormats,
    commands: inWorkspace,
    help: 'log format (default: human)',
  },
  {
    name: 'trace',
    value: 'FILE',
    commands: ['mcp', 'host', 'call', 'single'],
    help: 'append every message to and from language servers; contains the text of your files',
  },
  {
    name: 'trace',
    value: 'FILE',
    commands: ['serve'],
    help: 'append kind, time and size of every message and request; contains no text of your files',
  },
  { name: 'yes', short: 'y', commands: ['trust'], help: 'do not ask: you have reviewed the folder' },
  { name: 'yes', short: 'y', commands: ['index'], help: 'do not ask: you trust what indexers run' },
  { name: 'yes', short: 'y', commands: ['setup'], help: 'do not ask: write what is shown' },
  {
    name: 'scope',
    value: 'SCOPE',
    choices: scopes,
    commands: ['setup'],
    help: 'for all projects of yours (user, the default) or for this one (project)',
  },
  { name: 'remove', commands: ['setup'], help: 'take back what lspan setup wrote' },
  { name: 'rules', commands: ['setup'], help: 'also tell the agent, in its instructions, when to use lspan' },
  {
    name: 'hooks',
    commands: ['setup'],
    help: 'also add hooks that tell the agent what its edits broke: the default for clients that have hooks',
  },
  { name: 'no-hooks', commands: ['setup'], help: 'add no hooks, and take out those that are there' },
  { name: 'list', commands: ['setup'], help: 'list the known clients, and whether they are here and set up' },
  {
    name: 'allow-list',
    commands: ['setup'],
    help: "print the names of the tools, in the client's form, for lists of allowed tools",
  },
  { name: 'list', commands: ['trust'], help: 'list trusted folders, and whether they have changed' },
  { name: 'list', commands: ['install'], help: 'list the servers, and where each comes from' },
  { name: 'revoke', commands: ['trust'], help: 'stop trusting the folder' },
  { name: 'watch', commands: ['status'], help: 'show it again and again, until Ctrl-C' },
  { name: 'force', commands: ['stop'], help: 'end it at once, without waiting for its calls' },
  { name: 'fix', commands: ['doctor'], help: 'repair what needs no question, and say what was done' },
  {
    name: 'repository',
    value: 'NAME',
    commands: ['index'],
    help: "the repository of the index (default: what git's files say)",
  },
  {
    name: 'commit',
    value: 'SHA',
    commands: ['index'],
    help: 'the commit that was indexed (default: the one that is checked out)',
  },
  { name: 'no-text', commands: ['index'], help: 'store no lines of code' },
  { name: 'keep', commands: ['token'], help: 'keep the earlier tokens valid' },
  { name: 'help', short: 'h', commands: commandNames, help: 'show this' },
];

/** Returns the flags of a command. */
export function flagsOf(command: CommandName): readonly Flag[] {
  return flagTable.filter(({ commands }) => commands.includes(command));
}
