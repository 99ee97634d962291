import type { OutputMode } from '../../config/config.ts';
import type { LogLevel } from '../../core/log.ts';

/** The commands of lspan; `single` is the form without a word, `lspan -e … -s …`. */
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

/** Those that work in a workspace. */
const working = ['mcp', 'serve', 'host', 'call', 'single'] as const;

/** Those, and the one that shows what they would work with. */
const configured = [...working, 'config'] as const;

/** Those, and the ones that look after what was changed in a workspace. */
const placed = [...configured, 'undo', 'edits'] as const;

/** One flag as it is parsed and as the help shows it. */
export interface Flag {
  readonly name: string;
  readonly short?: string;
  /** What its value is called; a flag without one is on or off. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** The commands that take it several times. */
  readonly repeatable?: readonly CommandName[];
  readonly commands: readonly CommandName[];
  readonly help: string;
}

/** How answers can be carried. */
export const outputModes = ['auto', 'text', 'structured', 'both'] as const satisfies readonly OutputMode[];

/** How much the log can tell. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const satisfies readonly LogLevel[];

/** How the log can look. */
export const logFormats = ['human', 'json'] as const;

/** Every flag of every command; parsing and help both read this table. */
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
    commands: placed.filter((command) => command !== 'serve' && command !== 'host'),
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
    commands: [...placed, 'trust'],
    help: 'your configuration file, .toml or .json',
  },
  {
    name: 'log-level',
    value: 'LEVEL',
    choices: logLevels,
    commands: placed,
    help: 'how much to tell on stderr (default: warn)',
  },
  {
    name: 'log-format',
    value: 'FORMAT',
    choices: logFormats,
    commands: placed,
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

/** The flags that a command takes. */
export function flagsOf(command: CommandName): readonly Flag[] {
  return flagTable.filter(({ commands }) => commands.includes(command));
}
