import type { OutputMode } from '../../config/config.ts';
import type { LogLevel } from '../../core/log.ts';

/** Commands of lspan; `single` is the form without a command, `lspan -e … -s …`. */
export const commandNames = [
  'mcp',
  'serve',
  'host',
  'call',
  'single',
  'trust',
  'config',
  'undo',
  'edits',
  'token',
] as const;

export type CommandName = (typeof commandNames)[number];

/** Commands that serve or call tools. */
const serving = ['mcp', 'serve', 'host', 'call', 'single'] as const;

const configured = [...serving, 'config'] as const;

/** Commands with a workspace. */
const inWorkspace = [...configured, 'undo', 'edits'] as const;

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
    repeatable: ['mcp', 'call', 'config', 'undo', 'edits'],
    commands: inWorkspace.filter((command) => command !== 'serve' && command !== 'host'),
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
  { name: 'no-mcp', commands: ['host'], help: 'serve no MCP; descriptors 3 and 4 are left alone' },
  { name: 'no-rpc', commands: ['host'], help: 'serve no RPC; stdin and stdout are left alone' },
  { name: 'port', value: 'PORT', commands: ['serve'], help: 'the port (default: 3939; 0 takes a free one)' },
  {
    name: 'host',
    value: 'ADDRESS',
    commands: ['serve'],
    help: 'the loopback address to listen on, 127.0.0.1 (the default) or ::1; no other is taken',
  },
  { name: 'endpoint', value: 'PATH', commands: ['serve'], help: 'the path that clients ask (default: /mcp)' },
  {
    name: 'allow-origin',
    value: 'ORIGIN',
    repeatable: ['serve'],
    commands: ['serve'],
    help: 'let requests with this header Origin in, as extensions of browsers send it; else none',
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
    help: 'a folder beside the workspace whose files may be read and named, never changed',
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
    commands: ['mcp', 'serve', 'call'],
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
    help: 'how answers are carried to the client',
  },
  { name: 'read-only', commands: configured, help: 'offer no tool that changes files' },
  { name: 'dry-run', commands: ['undo'], help: 'show what would be taken back, and write nothing' },
  {
    name: 'json',
    commands: ['call', 'config', 'undo', 'edits'],
    help: 'print the data as JSON instead of text',
  },
  { name: 'schema', commands: ['config'], help: 'print the JSON Schema of your configuration file' },
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
    help: 'how much to tell on stderr (default: warn)',
  },
  {
    name: 'log-format',
    value: 'FORMAT',
    choices: logFormats,
    commands: inWorkspace,
    help: 'how the log looks (default: human)',
  },
  {
    name: 'trace',
    value: 'FILE',
    commands: ['mcp', 'host', 'call', 'single'],
    help: 'append every message to and from language servers; holds the text of your files',
  },
  {
    name: 'trace',
    value: 'FILE',
    commands: ['serve'],
    help: 'append what every message and request was, when and how large; holds no text of your files',
  },
  { name: 'yes', short: 'y', commands: ['trust'], help: 'do not ask: you have looked at the folder' },
  { name: 'list', commands: ['trust'], help: 'show which folders are trusted, and whether that still holds' },
  { name: 'revoke', commands: ['trust'], help: 'trust the folder no longer' },
  { name: 'keep', commands: ['token'], help: 'let the tokens before the new one hold as well' },
  { name: 'help', short: 'h', commands: commandNames, help: 'show this' },
];

/** Returns the flags of a command. */
export function flagsOf(command: CommandName): readonly Flag[] {
  return flagTable.filter(({ commands }) => commands.includes(command));
}
