import { limits } from '../../core/limits.ts';
import type { CommandName } from './flags.ts';

interface CommandHelp {
  readonly usage: string;
  /** The form for the overview, where each has one line. */
  readonly brief?: string;
  readonly about: string;
  readonly notes: readonly string[];
  /** Command lines that a user may paste. */
  readonly examples: readonly string[];
}

/** What the help says of each command, in the order of the overview. */
export const commandHelps: Readonly<Record<CommandName, CommandHelp>> = {
  setup: {
    usage: 'lspan setup [CLIENT…] [FLAG…]',
    about: 'put lspan into the files of your agents',
    notes: [
      'It finds the agents on this machine, shows each change, asks, and writes it; every other byte of their files stays.',
      'Clients that have hooks get some that tell the agent what its edits broke, unless --no-hooks is given.',
      'With --via, the agent gets an lspan that works where the code is, without hooks.',
      '--remove takes it back. docs/clients.md has the files.',
      'Exit code: 0 done or shown, 1 a file was refused or you declined, 2 the command line is wrong or --yes is missing.',
    ],
    examples: [
      'lspan setup',
      'lspan setup claude-code codex --rules',
      'lspan setup cursor --scope project --dry-run',
      'lspan setup codex --via "ssh host" --workspace project',
      'lspan setup --remove',
    ],
  },
  mcp: {
    usage: 'lspan mcp [FLAG…]',
    about: 'serve MCP on stdin and stdout',
    notes: [
      'A client starts this: its configuration names the command lspan with the argument mcp.',
      'With --via, lspan at the far end of a command does the work; if it is not there, the first call says what to run.',
    ],
    examples: [
      'lspan mcp',
      'lspan mcp --via "ssh host" --workspace /home/me/project',
      'lspan mcp --workspace ~/project --read-only',
      'lspan mcp --toolset all --daemon',
    ],
  },
  serve: {
    usage: 'lspan serve [FLAG…]',
    about: 'serve MCP over HTTP, for several clients',
    notes: [
      'A client needs the address and the header "Authorization: Bearer TOKEN"; lspan token show prints the token.',
      'Only programs on this machine can connect; web pages cannot, not even from an allowed origin.',
      '/healthz says whether it runs; /metrics, with the token, has Prometheus metrics.',
      'It runs until it is interrupted (SIGINT, SIGTERM).',
    ],
    examples: ['lspan serve --workspace ~/project', 'lspan serve --port 0 --surface gateway'],
  },
  host: {
    usage: 'lspan host [FLAG…]',
    about: 'serve a program around lspan, by RPC and MCP',
    notes: [
      'A program starts this: RPC is on stdin and stdout, MCP on descriptors 3 and 4. It sends JSON-RPC in LSP frames, and gives 3 (in) and 4 (out) to its agents.',
      'LSP_BOOTSTRAP={"workspaceRoot": "/path", "config": {…}} replaces --workspace and --config, the user\'s',
      'file. lsp/ready says that both channels are ready; docs/embedding.md has the methods.',
      'Exit code: 0 the program has ended or asked to stop, 1 its input cannot be used or a channel was lost,',
      '2 the command line is wrong.',
    ],
    examples: ['lspan host --workspace ~/project', 'lspan host --no-rpc --surface lspan'],
  },
  call: {
    usage: "lspan call TOOL ['{json}' | -] [FLAG…]",
    about: 'call one tool from the shell',
    notes: [
      'The JSON is the input of the tool: {} by default, - reads stdin. With --json, is_error marks a failure.',
      'A tool that changes files only previews; --apply applies that preview at once.',
      'Exit code: 0 answered, 1 the tool failed, 2 the command line or the configuration is wrong.',
    ],
    examples: [
      `lspan call find_references '{"symbol_name": "addPrices"}'`,
      `lspan call get_diagnostics '{"file_path": "src/main.ts"}' --json`,
      'lspan call rename_symbol - --apply < rename.json',
    ],
  },
  tools: {
    usage: 'lspan tools [NAME] [FLAG…]',
    about: 'list the tools, or the fields of one',
    notes: ['These are the names and inputs for lspan call, and what clients are offered.'],
    examples: ['lspan tools', 'lspan tools rename_symbol'],
  },
  trust: {
    usage: 'lspan trust [DIR] [--yes | --revoke], or lspan trust --list',
    brief: 'lspan trust [DIR]',
    about: 'let language servers run code of a folder',
    notes: [
      'Some servers run code of the repository: build scripts, plugins, executable configuration. lspan does',
      'not let them until you have reviewed and trusted the folder. DIR defaults to the repository around the current',
      'folder. The trust is bound to the files that decide what runs: it ends when one of them changes.',
      'A running lspan applies it at the next call.',
    ],
    examples: ['lspan trust', 'lspan trust ~/project --yes', 'lspan trust --list'],
  },
  config: {
    usage: 'lspan config [FLAG…]',
    about: 'show the configuration and its sources',
    notes: [
      'It lists every value in effect, and where it comes from. Flags of other commands are shown as they would apply there. Nothing is started.',
      'With the schema, an editor completes and checks the keys: see docs/configuration.md.',
    ],
    examples: [
      'lspan config',
      'lspan config --json',
      'lspan config --explain limits.memory_mb',
      'lspan config --init --user',
      'lspan config --schema > lspan.schema.json',
    ],
  },
  install: {
    usage: 'lspan install [LANGUAGE | SERVER…] [--list]',
    brief: 'lspan install [NAME…]',
    about: 'install language servers, at tested versions',
    notes: [
      "Without a name it installs what the languages of the workspace lack. npm installs what it has, into a folder of lspan's own, with the versions and hashes that were tested; no script of a package is run. For others, the command to run is printed.",
      'lspan never installs anything by itself.',
      'Exit code: 0 all are installed, 1 one is not, 2 the command line is wrong.',
    ],
    examples: ['lspan install', 'lspan install python shellscript', 'lspan install --list'],
  },
  index: {
    usage: 'lspan index add FILE | build | list | remove NAME | verify',
    brief: 'lspan index add FILE',
    about: 'index repositories, for code that is not here',
    notes: [
      'add reads a SCIP index, which most indexers write, and replaces the earlier one of the repository; build runs the indexers that are installed (scip-typescript, scip-python, rust-analyzer) and adds what they make; list shows what is indexed; verify compares it with the files.',
      'Tools then answer with scope "repositories" for code elsewhere, and where no language server can. docs/indexes.md has more.',
      'Exit code: 0 done, 1 failed or something is wrong, 2 the command line is wrong.',
    ],
    examples: [
      'lspan index add index.scip',
      'lspan index add web.scip --repository example.org/web --commit 1f0c2d3',
      'lspan index build',
      'lspan index list --json',
    ],
  },
  edits: {
    usage: 'lspan edits [FLAG…]',
    about: 'list the changes of lspan that can be undone',
    notes: ['Newest first: id, time, title and number of changed files.'],
    examples: ['lspan edits', 'lspan edits --json'],
  },
  undo: {
    usage: 'lspan undo [ID] [--dry-run] [FLAG…]',
    about: 'undo an edit that lspan made',
    notes: [
      'ID defaults to the latest edit not undone yet. Byte for byte, and only if no file has changed since.',
      'Exit code: 0 done, 1 refused, 2 the command line or the configuration is wrong.',
    ],
    examples: ['lspan undo --dry-run', 'lspan undo'],
  },
  token: {
    usage: 'lspan token show | path | rotate [--keep]',
    brief: 'lspan token show',
    about: 'the tokens for clients of lspan serve',
    notes: [
      'show prints the tokens, one per line; path prints their file; rotate makes a new one and prints it.',
      'After rotate, earlier tokens are invalid, in a running lspan too: its clients need the new one. With --keep',
      `they stay valid, up to ${limits.http.tokens} in all; remove a line to revoke its token.`,
    ],
    examples: ['lspan token show', 'lspan token rotate --keep'],
  },
  status: {
    usage: 'lspan status [--watch] [--json]',
    brief: 'lspan status [--watch]',
    about: 'show the daemon: clients, workspaces, servers',
    notes: [
      'With --daemon, or daemon = true in your configuration, lspan mcp and lspan call share one process. It starts with the',
      'first call and leaves after 20 minutes without one. This shows it, and starts nothing.',
    ],
    examples: ['lspan status', 'lspan status --watch'],
  },
  stop: {
    usage: 'lspan stop [--force]',
    about: 'end the daemon and its language servers',
    notes: [
      'It finishes the calls in progress, unless --force is given. The next call of a client starts it again.',
    ],
    examples: ['lspan stop', 'lspan stop --force'],
  },
  hook: {
    usage: 'lspan hook CLIENT',
    about: 'tell an agent what its last edit broke',
    notes: [
      'The hooks of a client run this after each edit, with what they say on stdin: claude-code, codex, gemini-cli or opencode.',
      'It asks the daemon, and says nothing if none runs, except at the start of a session, when it starts one.',
      'Exit code: always 0, since clients take others for a refusal; stderr says why nothing was told.',
    ],
    examples: ['lspan hook gemini-cli < event.json'],
  },
  doctor: {
    usage: 'lspan doctor [--json] [--fix]',
    about: 'find out what does not work, and why',
    notes: [
      'It counts the languages of the workspace, starts the server of each and asks it about your own code, then looks at the',
      'files of your agents, the daemon, watches, state folder and journal. Every problem comes with the next step. It changes nothing without --fix, which',
      'ends an interrupted edit, removes the socket of a dead daemon, and makes the state folder.',
      'Exit code: 0 nothing is wrong, 1 something is, 2 the command line or the configuration is wrong.',
    ],
    examples: ['lspan doctor', 'lspan doctor --workspace ~/project --json', 'lspan doctor --fix'],
  },
  bundle: {
    usage: 'lspan bundle FILE',
    about: 'write lspan as one file that Node alone runs',
    notes: [
      'It is for a machine or a container where lspan is not installed: copy it there, and run it by node. A bundle that is there is replaced, any other file is left alone.',
      'The TypeScript server is not in it. Exit code: 0 written, 1 refused, 2 the command line is wrong.',
    ],
    examples: ['lspan bundle lspan.cjs'],
  },
  completions: {
    usage: 'lspan completions bash | zsh | fish',
    brief: 'lspan completions SHELL',
    about: 'print what makes a shell complete lspan',
    notes: [
      'It prints a script of commands, flags, tools, clients and servers, and changes no file: the first lines say where to put it.',
    ],
    examples: [
      'eval "$(lspan completions bash)"',
      'lspan completions fish > ~/.config/fish/completions/lspan.fish',
    ],
  },
  single: {
    usage: 'lspan -e EXT… -s COMMAND [ARG…] [-w DIR] [FLAG…]',
    brief: 'lspan -e EXT… -s COMMAND',
    about: 'serve MCP with one given language server',
    notes: [
      'The server is started at once. Put other flags before -s or after --. The surface is pathfinder, with the tool definition, unless --surface names another.',
    ],
    examples: ['lspan -e abc -s abc-server --stdio -w ~/project'],
  },
};
