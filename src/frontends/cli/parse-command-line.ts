import { extensionName } from '../../config/servers/language-id.ts';
import { nearestName } from '../../core/wording/nearest-name.ts';
import { type CommandName, commandNames } from './flags.ts';
import { type Flags, parseFlags } from './parse-flags.ts';
import { usageError } from './usage-error.ts';

/** A parsed command line. */
export type CommandLine =
  | { readonly kind: 'help'; readonly topic?: CommandName }
  | { readonly kind: 'version' }
  | { readonly kind: 'mcp'; readonly flags: Flags }
  | { readonly kind: 'serve'; readonly flags: Flags }
  | { readonly kind: 'host'; readonly flags: Flags }
  | { readonly kind: 'config'; readonly flags: Flags }
  | { readonly kind: 'edits'; readonly flags: Flags }
  | { readonly kind: 'status'; readonly flags: Flags }
  | { readonly kind: 'stop'; readonly flags: Flags }
  | { readonly kind: 'hook'; readonly client: string | undefined; readonly flags: Flags }
  | { readonly kind: 'doctor'; readonly flags: Flags }
  /** Not for users: a client starts it. */
  | { readonly kind: 'daemon' }
  /** Not for users: lspan at the near end of --via starts it. */
  | { readonly kind: 'channel' }
  | { readonly kind: 'undo'; readonly flags: Flags; readonly edit: string | undefined }
  | {
      readonly kind: 'call';
      readonly flags: Flags;
      readonly tool: string;
      readonly input: string | undefined;
    }
  | { readonly kind: 'tools'; readonly flags: Flags; readonly tool: string | undefined }
  | { readonly kind: 'trust'; readonly flags: Flags; readonly folder: string | undefined }
  | { readonly kind: 'setup'; readonly flags: Flags; readonly names: readonly string[] }
  | { readonly kind: 'token'; readonly flags: Flags; readonly action: TokenAction }
  | { readonly kind: 'install'; readonly flags: Flags; readonly names: readonly string[] }
  | { readonly kind: 'bundle'; readonly file: string }
  | {
      readonly kind: 'index';
      readonly flags: Flags;
      readonly action: IndexAction;
      readonly words: readonly string[];
    }
  | { readonly kind: 'completions'; readonly shell: Shell }
  | {
      readonly kind: 'single';
      readonly flags: Flags;
      readonly extensions: readonly string[];
      readonly command: readonly string[];
    };

/** Actions of `lspan token`. */
export const tokenActions = ['show', 'path', 'rotate'] as const;

export type TokenAction = (typeof tokenActions)[number];

/** Actions of `lspan index`. */
export const indexActions = ['add', 'build', 'list', 'remove', 'verify'] as const;

type IndexAction = (typeof indexActions)[number];

/** Shells that `lspan completions` knows. */
export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/** All but the form without a command. */
const namedCommands = commandNames.filter((name) => name !== 'single');

/** Parses the words after `lspan`. Throws `invalid_input` with one sentence that says what is wrong. */
export function parseCommandLine(words: readonly string[]): CommandLine {
  const [first, ...rest] = words;
  if (first === undefined)
    throw usageError(`A command is missing: ${namedCommands.join(', ')}, or -e EXT -s COMMAND.`);
  if (first === '--version' || first === '-V') return { kind: 'version' };
  if (first === '--help' || first === '-h' || first === 'help') return parseHelp(rest[0]);
  if ((first === 'daemon' || first === 'channel') && rest.length === 0) return { kind: first };
  if (first.startsWith('-')) return parseSingle(words);
  const plain = plainCommands.find((name) => name === first);
  if (plain !== undefined) return parsePlain(plain, rest);
  const parser = parsers.get(first);
  if (parser) return parser(rest);
  if (/^[a-z]+(?:_[a-z]+)+$/.test(first))
    throw usageError(`Unknown command ${first}. Tools are called by lspan call ${first} '{…}'.`);
  const nearest = nearestName(first, [...namedCommands, 'help']);
  throw usageError(`Unknown command ${first}.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`);
}

/** The commands that take words of their own. */
const parsers: ReadonlyMap<string, (words: readonly string[]) => CommandLine> = new Map([
  ['hook', parseHook],
  ['undo', parseUndo],
  ['call', parseCall],
  ['tools', parseTools],
  ['setup', parseSetup],
  ['trust', parseTrust],
  ['token', parseToken],
  ['install', parseInstall],
  ['bundle', parseBundle],
  ['index', parseIndex],
  ['completions', parseCompletions],
]);

/** A hook never fails because of its command line: some clients take that for a refusal of the edit. */
function parseHook([client]: readonly string[]): CommandLine {
  if (client === '--help' || client === '-h') return { kind: 'help', topic: 'hook' };
  return { kind: 'hook', client, flags: parseFlags('hook', []).flags };
}

function parseHelp(topic: string | undefined): CommandLine {
  if (topic === undefined) return { kind: 'help' };
  const known = commandNames.find((name) => name === topic);
  if (known === undefined)
    throw usageError(`There is no help on ${topic}. Known: ${commandNames.join(', ')}.`);
  return { kind: 'help', topic: known };
}

/** Commands that take flags only. */
const plainCommands = ['mcp', 'serve', 'host', 'config', 'edits', 'status', 'stop', 'doctor'] as const;

function parsePlain(kind: (typeof plainCommands)[number], words: readonly string[]): CommandLine {
  const { flags, rest } = parseFlags(kind, words);
  if (flags.help) return { kind: 'help', topic: kind };
  if (rest[0] !== undefined) {
    const advice = kind === 'status' || kind === 'stop' ? '' : ' Give a folder with --workspace.';
    throw usageError(`Unexpected argument "${rest[0]}".${advice}`, kind);
  }
  if (kind === 'config') checkConfigFlags(flags);
  return { kind, flags };
}

/** `lspan config` does one thing at a time. */
function checkConfigFlags({ init, user, explain, schema, json, config }: Flags): void {
  if ([init, schema, explain !== undefined].filter((one) => one).length > 1)
    throw usageError('Use one of --init, --explain and --schema.', 'config');
  if (user && !init) throw usageError('--user goes with --init.', 'config');
  if (init && (json || config !== undefined))
    throw usageError('Use --init alone, with --user, or with --workspace.', 'config');
}

function parseCall(words: readonly string[]): CommandLine {
  const { flags, rest } = parseFlags('call', words);
  if (flags.help) return { kind: 'help', topic: 'call' };
  const [tool, input, more] = rest;
  if (!tool) throw usageError("The tool is missing: lspan call TOOL '{…}'.", 'call');
  if (more !== undefined)
    throw usageError(`Unexpected argument "${more}". Quote the JSON as one word.`, 'call');
  return { kind: 'call', flags, tool, input };
}

function parseTools(words: readonly string[]): CommandLine {
  const { flags, rest } = parseFlags('tools', words);
  if (flags.help) return { kind: 'help', topic: 'tools' };
  const [tool, more] = rest;
  if (more !== undefined) throw usageError(`Unexpected argument "${more}": name one tool.`, 'tools');
  return { kind: 'tools', flags, tool };
}

function parseUndo(words: readonly string[]): CommandLine {
  const { flags, rest } = parseFlags('undo', words);
  if (flags.help) return { kind: 'help', topic: 'undo' };
  const [edit, more] = rest;
  if (more !== undefined) throw usageError(`Unexpected argument "${more}": undo one edit at a time.`, 'undo');
  return { kind: 'undo', flags, edit };
}

function parseSetup(words: readonly string[]): CommandLine {
  const { flags, rest } = parseFlags('setup', words);
  if (flags.help) return { kind: 'help', topic: 'setup' };
  const { hooks, noHooks } = flags;
  if (hooks && noHooks) throw usageError('Use --hooks or --no-hooks, not both.', 'setup');
  if (flags.remove && (hooks || noHooks))
    throw usageError('--remove takes out the hooks too; for the hooks alone, use --no-hooks alone.', 'setup');
  if (flags.workspace.length > 0 && !flags.via)
    throw usageError('--workspace goes with --via; without it, the client names the folder.', 'setup');
  if (flags.remove && flags.via)
    throw usageError('--remove takes out the entry, whatever its flags.', 'setup');
  const changes = flags.remove || flags.rules || flags.yes || flags.dryRun || hooks || noHooks;
  if (flags.list && (changes || flags.allowList || rest.length > 0 || flags.via))
    throw usageError('Use --list alone.', 'setup');
  if (flags.allowList && changes) throw usageError('Use --allow-list alone, or with a client.', 'setup');
  return { kind: 'setup', flags, names: rest };
}

function parseTrust(words: readonly string[]): CommandLine {
  const { flags, rest } = parseFlags('trust', words);
  if (flags.help) return { kind: 'help', topic: 'trust' };
  const [folder, more] = rest;
  if (more !== undefined)
    throw usageError(`Unexpected argument "${more}": trust one folder at a time.`, 'trust');
  if (flags.list && (flags.revoke || flags.yes || folder !== undefined))
    throw usageError('Use --list alone.', 'trust');
  return { kind: 'trust', flags, folder };
}

function parseInstall(words: readonly string[]): CommandLine {
  const { flags, rest } = parseFlags('install', words);
  if (flags.help) return { kind: 'help', topic: 'install' };
  if (flags.list && rest.length > 0) throw usageError('Use --list alone.', 'install');
  return { kind: 'install', flags, names: rest };
}

function parseBundle(words: readonly string[]): CommandLine {
  const { flags, rest } = parseFlags('bundle', words);
  if (flags.help) return { kind: 'help', topic: 'bundle' };
  const [file, more] = rest;
  if (file === undefined || more !== undefined)
    throw usageError('Name one file: lspan bundle lspan.cjs', 'bundle');
  return { kind: 'bundle', file };
}

function parseIndex(words: readonly string[]): CommandLine {
  const { flags, rest } = parseFlags('index', words);
  if (flags.help) return { kind: 'help', topic: 'index' };
  const action = indexActions.find((name) => name === rest[0]);
  if (action === undefined) throw usageError(`Use one of: ${indexActions.join(', ')}.`, 'index');
  const given = rest.slice(1);
  const wanted = { add: 'the file of the index', remove: 'the repository', build: '', list: '', verify: '' }[
    action
  ];
  if (wanted !== '' && given.length !== 1)
    throw usageError(`lspan index ${action} needs ${wanted}.`, 'index');
  if (wanted === '' && given[0] !== undefined)
    throw usageError(`Unexpected argument "${given[0]}".`, 'index');
  if (action !== 'add' && (flags.repository ?? flags.commit) !== undefined)
    throw usageError('--repository and --commit go with lspan index add.', 'index');
  return { kind: 'index', flags, action, words: given };
}

function parseCompletions(words: readonly string[]): CommandLine {
  const { flags, rest } = parseFlags('completions', words);
  if (flags.help) return { kind: 'help', topic: 'completions' };
  const shell = shells.find((name) => name === rest[0]);
  if (shell === undefined || rest.length > 1)
    throw usageError(`Name one shell: ${shells.join(', ')}.`, 'completions');
  return { kind: 'completions', shell };
}

/** Errors never quote a word: it could be a token. */
function parseToken(words: readonly string[]): CommandLine {
  const { flags, rest } = parseFlags('token', words);
  if (flags.help) return { kind: 'help', topic: 'token' };
  const action = tokenActions.find((name) => name === rest[0]);
  if (action === undefined || rest.length > 1)
    throw usageError('Use one of: lspan token show, lspan token path, lspan token rotate.', 'token');
  if (flags.keep && action !== 'rotate') throw usageError('--keep goes with lspan token rotate.', 'token');
  return { kind: 'token', flags, action };
}

function parseSingle(words: readonly string[]): CommandLine {
  const { extensions, command, rest } = splitSingle(words);
  const { flags, rest: stray } = parseFlags('single', rest);
  if (flags.help) return { kind: 'help', topic: 'single' };
  if (stray[0] !== undefined) throw strayWord(stray[0]);
  if (extensions.length === 0) throw usageError('No file extension is given: add -e EXT.', 'single');
  const wrong = extensions.find((extension) => extensionName(extension) === undefined);
  if (wrong !== undefined)
    throw usageError(`"${wrong}" is not a file extension: write it like ts or .ts.`, 'single');
  if (!command[0]) throw usageError('No server is given: add -s COMMAND.', 'single');
  return { kind: 'single', flags, extensions, command };
}

function strayWord(word: string) {
  const isCommand = commandNames.some((name) => name === word);
  if (isCommand) return usageError(`The command comes first: lspan ${word} …`);
  return usageError(`Unexpected argument "${word}".`, 'single');
}

/** The words of `lspan -e EXT… -s COMMAND [ARG…]`, separated. */
interface SingleWords {
  readonly extensions: readonly string[];
  readonly command: readonly string[];
  /** All other flags, including `-w`. */
  readonly rest: readonly string[];
}

/** Separates the extensions and the server's command from our flags; the server's own flags are not parsed. */
function splitSingle(words: readonly string[]): SingleWords {
  const extensions: string[] = [];
  const command: string[] = [];
  const rest: string[] = [];
  for (let at = 0; at < words.length; ) {
    const { flag, joined } = readFlag(words[at] ?? '');
    const taken = [...joined, ...wordsFor(flag, words.slice(at + 1), joined)];
    if (flag === 'extension') extensions.push(...taken);
    if (flag === 'server' && command.length > 0) throw usageError('-s is given twice.', 'single');
    if (flag === 'server') command.push(...taken);
    if (flag === undefined && words[at] !== '--') rest.push(words[at] ?? '');
    at += 1 + taken.length - joined.length;
  }
  return { extensions, command, rest };
}

/** Parses `-e`, `--extension`, `--extension=ts`, and likewise `-s` and `--server`. */
function readFlag(word: string): {
  readonly flag?: 'extension' | 'server';
  readonly joined: readonly string[];
} {
  const [, name, value] = /^(-e|--extension|-s|--server)(?:=(.*))?$/s.exec(word) ?? [];
  if (name === undefined) return { joined: [] };
  return {
    flag: name.endsWith('s') || name === '--server' ? 'server' : 'extension',
    joined: value === undefined ? [] : [value],
  };
}

function wordsFor(
  flag: 'extension' | 'server' | undefined,
  following: readonly string[],
  joined: readonly string[],
): readonly string[] {
  if (flag === undefined || (flag === 'extension' && joined.length > 0)) return [];
  const isEnd = flag === 'server' ? endsServer : (word: string) => word.startsWith('-');
  const end = following.findIndex(isEnd);
  return end === -1 ? following : following.slice(0, end);
}

function endsServer(word: string): boolean {
  return /^(-e|--extension(=.*)?|-w|--workspace(=.*)?|--)$/s.test(word);
}
