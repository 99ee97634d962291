import { limits } from '../../core/limits.ts';
import { version } from '../../version.ts';
import { type CommandName, type Flag, flagsOf } from './flags.ts';

/** Returns the help on lspan, or on one command. */
export function helpText(topic?: CommandName): string {
  return topic === undefined ? overview() : commandHelp(topic);
}

interface CommandHelp {
  readonly usage: string;
  readonly about: string;
  readonly notes: readonly string[];
}

const commands: Readonly<Record<CommandName, CommandHelp>> = {
  mcp: {
    usage: 'lspan mcp [FLAG…]',
    about: 'serve MCP on stdin and stdout',
    notes: ['A client starts this: its configuration names the command lspan with the argument mcp.'],
  },
  serve: {
    usage: 'lspan serve [FLAG…]',
    about: 'serve MCP over HTTP on this machine, for several clients at once',
    notes: [
      'A client needs the address and the header "Authorization: Bearer TOKEN"; lspan token show prints the token.',
      'Only programs of this machine can ask, and no web page can, not even one of an origin that is allowed.',
      '/healthz tells whether it lives; /metrics, with the token, has numbers for Prometheus.',
      'It runs until it is interrupted (SIGINT, SIGTERM).',
    ],
  },
  host: {
    usage: 'lspan host [FLAG…]',
    about: 'serve a program around lspan: RPC on stdin and stdout, MCP on descriptors 3 and 4',
    notes: [
      'A program starts this. It asks in JSON-RPC with the frames of LSP, and gives 3 (in) and 4 (out) to its agents.',
      'LSP_BOOTSTRAP={"workspaceRoot": "/path", "config": {…}} stands for --workspace and --config: what a user\'s',
      'file would say. lsp/ready tells that both channels serve; docs/embedding.md has the methods.',
      'Exit code: 0 the program has gone or asked for the end, 1 what it gave cannot be used or a channel was lost,',
      '2 the command line is wrong.',
    ],
  },
  call: {
    usage: "lspan call TOOL ['{json}' | -] [FLAG…]",
    about: 'call one tool from the shell',
    notes: [
      'The JSON is the input of the tool: {} when absent, read from stdin for -. With --json, is_error tells a failure.',
      'Exit code: 0 answered, 1 the tool failed, 2 the command line or the configuration is wrong.',
    ],
  },
  trust: {
    usage: 'lspan trust [DIR] [--yes | --revoke], or lspan trust --list',
    about: 'let language servers run what a folder holds',
    notes: [
      'Some servers run code of the repository: build scripts, plugins, configuration that is a program. lspan does',
      'not let them until you have looked at the folder and trusted it. Without DIR, the repository around the current',
      'folder is meant. The trust is bound to the files that decide what is run: it ends when one of them changes.',
      'It takes effect at the next call of an lspan that is running.',
    ],
  },
  config: {
    usage: 'lspan config [FLAG…]',
    about: 'show the configuration in effect, and where each value comes from',
    notes: [
      'Flags that other commands take are shown as they would count there. Nothing is started.',
      'An editor that is given the schema completes and checks the keys: see docs/configuration.md.',
    ],
  },
  edits: {
    usage: 'lspan edits [FLAG…]',
    about: 'list what lspan changed in a workspace and can take back',
    notes: [
      'The latest comes first: its id, when it was made, what it was for, and how many files it changed.',
    ],
  },
  undo: {
    usage: 'lspan undo [ID] [--dry-run] [FLAG…]',
    about: 'take back an edit that lspan made',
    notes: [
      'Without ID, the latest that was not taken back yet. Byte for byte, and only where no file has changed since.',
      'Exit code: 0 done, 1 refused, 2 the command line or the configuration is wrong.',
    ],
  },
  token: {
    usage: 'lspan token show | path | rotate [--keep]',
    about: 'the tokens that clients of lspan serve present',
    notes: [
      'show prints the tokens, a line each; path prints the file that holds them; rotate makes a new one and prints it.',
      'After rotate no earlier token holds, also in an lspan that is running: its clients need the new one. With --keep',
      `the earlier ones hold as well, up to ${limits.http.tokens} in all; remove the line of one to revoke it.`,
    ],
  },
  single: {
    usage: 'lspan -e EXT… -s COMMAND [ARG…] [-w DIR] [FLAG…]',
    about: 'serve MCP with one given language server, started at once',
    notes: [
      'Other flags stand before -s or after --. The surface is pathfinder, with the tool definition, unless --surface names another.',
    ],
  },
};

function overview(): string {
  const rows = Object.values(commands).map(({ usage, about }) => [usage, about] as const);
  const others = [
    [
      'lspan help mcp | serve | host | call | trust | config | edits | undo | token | single',
      'the flags of a command',
    ],
    ['lspan --version', 'the version'],
  ] as const;
  return [
    `lspan ${version}: what language servers know, for coding agents`,
    '',
    ...columns([...rows, ...others]),
    '',
  ].join('\n');
}

function commandHelp(name: CommandName): string {
  const { usage, about, notes } = commands[name];
  const rows = flagsOf(name).map((flag) => [flagUsage(flag), flagHelp(flag, name)] as const);
  return [`${usage}: ${about}`, '', ...columns(rows), '', ...notes, ''].join('\n');
}

function flagUsage({ name, short, value }: Flag): string {
  return `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
}

function flagHelp({ help, choices, repeatable }: Flag, command: CommandName): string {
  const listed = choices === undefined ? help : `${help}: ${choices.join(', ')}`;
  return repeatable?.includes(command) ? `${listed}; may be repeated` : listed;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`);
}
