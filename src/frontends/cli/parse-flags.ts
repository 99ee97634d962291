import { parseArgs } from 'node:util';
import type { OutputMode } from '../../config/config.ts';
import type { LogLevel } from '../../core/log.ts';
import { nearestName, suggestName } from '../../core/wording/nearest-name.ts';
import { splitWords } from '../../core/wording/shell-words.ts';
import { type CommandName, type Flag, flagsOf, logFormats, logLevels, outputModes, scopes } from './flags.ts';
import { usageError } from './usage-error.ts';

/** Values of the flags of a command. */
export interface Flags {
  readonly workspace: readonly string[];
  readonly additionalRoot: readonly string[];
  readonly toolset: readonly string[];
  readonly port: string | undefined;
  readonly host: string | undefined;
  readonly endpoint: string | undefined;
  readonly allowOrigin: readonly string[];
  readonly noSessions: boolean;
  readonly noMcp: boolean;
  readonly noRpc: boolean;
  readonly protocol: string | undefined;
  readonly surface: string | undefined;
  readonly output: OutputMode | undefined;
  /** The workspace may be a whole disk or home directory. */
  readonly wideWorkspace: boolean;
  readonly readOnly: boolean;
  readonly daemon: boolean;
  readonly noDaemon: boolean;
  /** The words of the command through which lspan works elsewhere. */
  readonly via: readonly string[] | undefined;
  readonly viaProgram: readonly string[] | undefined;
  readonly json: boolean;
  readonly dryRun: boolean;
  /** A preview is applied by the same command. */
  readonly afterEdit: boolean;
  readonly apply: boolean;
  readonly schema: boolean;
  readonly init: boolean;
  readonly user: boolean;
  readonly explain: string | undefined;
  readonly config: string | undefined;
  readonly logLevel: LogLevel | undefined;
  readonly logFormat: 'human' | 'json' | undefined;
  readonly trace: string | undefined;
  readonly yes: boolean;
  readonly list: boolean;
  readonly revoke: boolean;
  readonly fix: boolean;
  readonly scope: (typeof scopes)[number] | undefined;
  readonly remove: boolean;
  readonly rules: boolean;
  readonly hooks: boolean;
  readonly noHooks: boolean;
  readonly allowList: boolean;
  readonly keep: boolean;
  readonly repository: string | undefined;
  readonly commit: string | undefined;
  readonly noText: boolean;
  readonly watch: boolean;
  readonly force: boolean;
  readonly help: boolean;
}

/** Parses the words after a command into flags and positional words. Throws for unknown flags and invalid values. */
export function parseFlags(
  command: CommandName,
  words: readonly string[],
): { readonly flags: Flags; readonly rest: readonly string[] } {
  const known = flagsOf(command);
  const options = Object.fromEntries(known.map((flag) => [flag.name, parseOption(flag)]));
  // Not strict: parseArgs has its own error texts and cannot suggest a similar flag.
  const { tokens } = parseArgs({
    args: [...words],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const flag = known.find(({ name }) => name === token.name);
    if (flag === undefined) throw unknownFlag(command, token.rawName, known);
    const earlier = given.get(flag.name) ?? [];
    if (earlier.length > 0 && !flag.repeatable?.includes(command))
      throw usageError(`--${flag.name} is given twice.`, command);
    given.set(flag.name, [...earlier, checkedValue(command, flag, token)]);
  }
  const flags = toFlags(given);
  if (flags.daemon && flags.noDaemon && !flags.help)
    throw usageError('Use --daemon or --no-daemon, not both.', command);
  if (!flags.help) checkVia(command, flags);
  return {
    flags,
    rest: tokens.flatMap((token) => (token.kind === 'positional' ? token.value : [])),
  };
}

/** What lspan at the far end does is decided there. */
function checkVia(command: CommandName, flags: Flags): void {
  const { via, viaProgram } = flags;
  if (viaProgram && !via) throw usageError('--via-program goes with --via.', command);
  if (via?.length === 0 || viaProgram?.length === 0)
    throw usageError('--via and --via-program take words as in a shell; a quote is not closed.', command);
  if (!via) return;
  const [other] = (['daemon', 'trace', 'afterEdit', 'hooks'] as const).filter((name) => flags[name]);
  if (other !== undefined)
    throw usageError(`--${other === 'afterEdit' ? 'after-edit' : other} does not go with --via.`, command);
}

/** Empty if a quote is not closed. */
function wordsIn(command: string | undefined): readonly string[] | undefined {
  return command === undefined ? undefined : (splitWords(command) ?? []);
}

function parseOption({ short, value }: Flag): {
  type: 'string' | 'boolean';
  short?: string;
  multiple: boolean;
} {
  return { type: value === undefined ? 'boolean' : 'string', multiple: true, ...(short ? { short } : {}) };
}

function toFlags(given: ReadonlyMap<string, readonly string[]>): Flags {
  const last = (name: string) => given.get(name)?.at(-1);
  return {
    workspace: given.get('workspace') ?? [],
    additionalRoot: given.get('additional-root') ?? [],
    toolset: given.get('toolset') ?? [],
    port: last('port'),
    host: last('host'),
    endpoint: last('endpoint'),
    allowOrigin: given.get('allow-origin') ?? [],
    noSessions: given.has('no-sessions'),
    noMcp: given.has('no-mcp'),
    noRpc: given.has('no-rpc'),
    protocol: last('protocol'),
    surface: last('surface'),
    output: outputModes.find((mode) => mode === last('output')),
    wideWorkspace: given.has('wide-workspace'),
    readOnly: given.has('read-only'),
    daemon: given.has('daemon'),
    noDaemon: given.has('no-daemon'),
    via: wordsIn(last('via')),
    viaProgram: wordsIn(last('via-program')),
    json: given.has('json'),
    dryRun: given.has('dry-run'),
    afterEdit: given.has('after-edit'),
    apply: given.has('apply'),
    schema: given.has('schema'),
    init: given.has('init'),
    user: given.has('user'),
    explain: last('explain'),
    config: last('config'),
    logLevel: logLevels.find((level) => level === last('log-level')),
    logFormat: logFormats.find((format) => format === last('log-format')),
    trace: last('trace'),
    yes: given.has('yes'),
    list: given.has('list'),
    revoke: given.has('revoke'),
    fix: given.has('fix'),
    scope: scopes.find((scope) => scope === last('scope')),
    remove: given.has('remove'),
    rules: given.has('rules'),
    hooks: given.has('hooks'),
    noHooks: given.has('no-hooks'),
    allowList: given.has('allow-list'),
    repository: last('repository'),
    commit: last('commit'),
    noText: given.has('no-text'),
    keep: given.has('keep'),
    watch: given.has('watch'),
    force: given.has('force'),
    help: given.has('help'),
  };
}

/** Returns the value of a flag; empty for a boolean flag. */
function checkedValue(
  command: CommandName,
  flag: Flag,
  token: { readonly value?: string | undefined; readonly inlineValue?: boolean | undefined },
): string {
  const { value, inlineValue } = token;
  if (flag.value === undefined) {
    if (value !== undefined) throw usageError(`--${flag.name} takes no value.`, command);
    return '';
  }
  // A value that looks like a flag means that the value was forgotten, unless it follows a `=`.
  if (!value || (value.startsWith('-') && !inlineValue)) {
    throw usageError(`--${flag.name} needs a value: --${flag.name} ${flag.value}.`, command);
  }
  if (flag.choices && !flag.choices.includes(value)) {
    throw usageError(`--${flag.name} cannot be "${value}". ${suggestName(value, flag.choices)}`, command);
  }
  return value;
}

function unknownFlag(command: CommandName, given: string, known: readonly Flag[]) {
  const names = known.map(({ name }) => `--${name}`);
  const isField = command === 'call' && given.startsWith('--') && nearestName(given, names) === undefined;
  const field = given.replace(/^--/, '').replaceAll('-', '_');
  const hint = isField ? `Fields of a tool go into its JSON: '{"${field}": …}'.` : suggestName(given, names);
  return usageError(`Unknown flag ${given}. ${hint}`, command);
}
