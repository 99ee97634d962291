import { describe, expect, it } from 'vitest';
import { LspanError } from '../../../src/core/errors.ts';
import { commandNames } from '../../../src/frontends/cli/flags.ts';
import { parseCommandLine } from '../../../src/frontends/cli/parse-command-line.ts';

const none = {
  workspace: [],
  toolset: [],
  surface: undefined,
  output: undefined,
  wideWorkspace: false,
  readOnly: false,
  json: false,
  additionalRoot: [],
  port: undefined,
  host: undefined,
  endpoint: undefined,
  allowOrigin: [],
  noSessions: false,
  daemon: false,
  noDaemon: false,
  watch: false,
  fix: false,
  force: false,
  noMcp: false,
  noRpc: false,
  protocol: undefined,
  dryRun: false,
  afterEdit: false,
  apply: false,
  schema: false,
  init: false,
  user: false,
  explain: undefined,
  config: undefined,
  logLevel: undefined,
  logFormat: undefined,
  trace: undefined,
  yes: false,
  list: false,
  revoke: false,
  scope: undefined,
  remove: false,
  rules: false,
  hooks: false,
  noHooks: false,
  allowList: false,
  keep: false,
  repository: undefined,
  commit: undefined,
  noText: false,
  help: false,
};

function fault(words: readonly string[]): string {
  try {
    parseCommandLine(words);
  } catch (thrown) {
    if (thrown instanceof LspanError && thrown.code === 'invalid_input') return thrown.message;
    throw thrown;
  }
  throw new Error('there was no error');
}

describe('lspan host', () => {
  it('takes its flags', () => {
    const words = 'host -w a --workspace b --config c.json --surface lspan --no-mcp --no-rpc --trace t';
    const flags = { workspace: ['a', 'b'], config: 'c.json', surface: 'lspan', trace: 't' };
    expect(parseCommandLine(words.split(' '))).toEqual({
      kind: 'host',
      flags: { ...none, ...flags, noMcp: true, noRpc: true },
    });
  });
});

describe('lspan mcp', () => {
  it('takes its flags in any order', () => {
    const words =
      'mcp --workspace a -w b --workspace=c --toolset x --toolset y --surface llxprt --output both --read-only --config c.toml --log-level debug --log-format json --trace t';
    expect(parseCommandLine(words.split(' '))).toEqual({
      kind: 'mcp',
      flags: {
        ...none,
        workspace: ['a', 'b', 'c'],
        toolset: ['x', 'y'],
        surface: 'llxprt',
        output: 'both',
        readOnly: true,
        config: 'c.toml',
        logLevel: 'debug',
        logFormat: 'json',
        trace: 't',
      },
    });
    expect(parseCommandLine(['mcp'])).toEqual({ kind: 'mcp', flags: none });
    expect(parseCommandLine(['config', '--schema'])).toEqual({
      kind: 'config',
      flags: { ...none, schema: true },
    });
  });

  it('takes a value that begins with a dash after =', () => {
    expect(parseCommandLine(['mcp', '--workspace=-odd'])).toMatchObject({ flags: { workspace: ['-odd'] } });
  });
});

describe('lspan call', () => {
  it('takes a tool and its input', () => {
    const parsed = parseCommandLine(['call', 'get_hover', '{"a": 1}', '--json', '-w', '.']);
    expect(parsed).toEqual({
      kind: 'call',
      tool: 'get_hover',
      input: '{"a": 1}',
      flags: { ...none, json: true, workspace: ['.'] },
    });
    expect(parseCommandLine(['call', '--json', 't', '-'])).toMatchObject({ tool: 't', input: '-' });
    expect(parseCommandLine(['call', 't'])).toMatchObject({ tool: 't', input: undefined });
  });
});

describe('lspan -e … -s … -w …', () => {
  it.each([
    ['-e rs -s rust-analyzer -w .', ['rs'], ['rust-analyzer']],
    ['-e ts -e .tsx -s tsls --stdio -w .', ['ts', '.tsx'], ['tsls', '--stdio']],
    ['-e ts tsx js -s tsls -w .', ['ts', 'tsx', 'js'], ['tsls']],
    ['-w . -s tsls --stdio -e ts', ['ts'], ['tsls', '--stdio']],
    [
      '-w . -e ts -s tsls --stdio --log-level 4 -s x --help -h',
      ['ts'],
      ['tsls', '--stdio', '--log-level', '4', '-s', 'x', '--help', '-h'],
    ],
    ['-s tsls --stdio -- -w . -e ts', ['ts'], ['tsls', '--stdio']],
    ['--extension rs --server rust-analyzer -v --workspace .', ['rs'], ['rust-analyzer', '-v']],
    ['--extension=rs --server=rust-analyzer -v --workspace=.', ['rs'], ['rust-analyzer', '-v']],
  ])('%s', (words, extensions, command) => {
    const flags = { ...none, workspace: ['.'] };
    expect(parseCommandLine(words.split(' '))).toEqual({ kind: 'single', extensions, command, flags });
  });

  it('takes other flags before -s or after --', () => {
    const flags = { ...none, workspace: ['.'], logLevel: 'debug', trace: 't', config: 'c.toml' };
    const expected = { kind: 'single', extensions: ['ts'], command: ['tsls', '--stdio'], flags };
    const before = '--log-level debug -e ts --trace t --config c.toml -s tsls --stdio -w .';
    const after = '-e ts -w . -s tsls --stdio -- --log-level debug --trace t --config c.toml';
    expect(parseCommandLine(before.split(' '))).toEqual(expected);
    expect(parseCommandLine(after.split(' '))).toEqual(expected);
  });

  it('passes the arguments of the server on unchanged', () => {
    const odd = ['$(x)', 'a b', '', ';', '-rf', '--init=x', '\n'];
    expect(parseCommandLine(['-e', 'ts', '-s', 'tsls', ...odd, '-w', '.'])).toMatchObject({
      command: ['tsls', ...odd],
    });
  });

  it.each([
    ['-s tsls -w .', 'No file extension is given: add -e EXT.'],
    ['-e -s tsls -w .', 'No file extension is given: add -e EXT.'],
    ['-e ts -w .', 'No server is given: add -s COMMAND.'],
    ['-e ts -s -w .', 'No server is given: add -s COMMAND.'],
    ['-e ts -s -- -w .', 'No server is given: add -s COMMAND.'],
    ['-e ts --server= -w .', 'No server is given: add -s COMMAND.'],
    ['-e --extension= -s x', '"" is not a file extension'],
    ['-e *.ts -s tsls', '"*.ts" is not a file extension: write it like ts or .ts.'],
    ['-e ts,js -s tsls', '"ts,js" is not a file extension'],
    ['-e ts -s a -w . -s b', '-s is given twice.'],
    ['-e ts -s tsls -w a -w b', '--workspace is given twice.'],
    ['-e ts -s tsls -w', '--workspace needs a value: --workspace DIR.'],
    ['-e ts -w . b -s tsls', 'Unexpected argument "b".'],
    ['-e ts --json -s tsls', 'Unknown flag --json.'],
    ['--workspace . mcp', 'The command comes first: lspan mcp …'],
    ['--log-levle debug', 'Unknown flag --log-levle. Did you mean --log-level?'],
  ])('is refused as %s', (words, message) => {
    expect(fault(words.split(' '))).toContain(message);
  });
});

describe('help and version', () => {
  it.each([
    [['--help'], { kind: 'help' }],
    [['-h'], { kind: 'help' }],
    [['help'], { kind: 'help' }],
    [['help', 'call'], { kind: 'help', topic: 'call' }],
    [['mcp', '--help'], { kind: 'help', topic: 'mcp' }],
    [['config', '-h'], { kind: 'help', topic: 'config' }],
    [['call', '-h'], { kind: 'help', topic: 'call' }],
    [['-e', 'ts', '--help'], { kind: 'help', topic: 'single' }],
    [['--version'], { kind: 'version' }],
    [['-V'], { kind: 'version' }],
  ])('%j', (words, expected) => {
    expect(parseCommandLine(words)).toEqual(expected);
  });
});

describe('a wrong command line gives a one-sentence error', () => {
  it.each([
    [
      '',
      `A command is missing: ${commandNames.filter((name) => name !== 'single').join(', ')}, or -e EXT -s COMMAND. See: lspan --help`,
    ],
    ['mpc', 'Unknown command mpc. Did you mean mcp? See: lspan --help'],
    ['frobnicate', 'Unknown command frobnicate. See: lspan --help'],
    ['find_references', "Tools are called by lspan call find_references '{…}'."],
    ['help me', `There is no help on me. Known: ${commandNames.join(', ')}.`],
    ['mcp --workspaces .', 'Unknown flag --workspaces. Did you mean --workspace? See: lspan help mcp'],
    ['mcp --json', 'Unknown flag --json. Known: --workspace, --wide-workspace'],
    ['mcp -x', 'Unknown flag -x.'],
    ['mcp --workspace', '--workspace needs a value: --workspace DIR.'],
    ['mcp --workspace --read-only', '--workspace needs a value'],
    ['mcp --workspace=', '--workspace needs a value'],
    ['mcp --read-only=yes', '--read-only takes no value.'],
    ['mcp --no-read-only', 'Unknown flag --no-read-only. Did you mean --read-only?'],
    ['mcp --output xml', '--output cannot be "xml". Known: auto, text, structured, both.'],
    ['mcp --output tetx', '--output cannot be "tetx". Did you mean text?'],
    ['mcp --log-level loud', '--log-level cannot be "loud". Known: error, warn, info, debug.'],
    ['mcp --surface a --surface b', '--surface is given twice.'],
    ['mcp .', 'Unexpected argument ".". Give a folder with --workspace.'],
    ['call', "The tool is missing: lspan call TOOL '{…}'."],
    ['call t {"a": 1}', 'Unexpected argument "1}". Quote the JSON as one word.'],
    ['call t --max-tokens 5', `Fields of a tool go into its JSON: '{"max_tokens": …}'.`],
    ['call t --jsn', 'Unknown flag --jsn. Did you mean --json?'],
  ])('lspan %s', (line, message) => {
    const words = line === '' ? [] : line.split(' ');
    const told = fault(words);
    expect(told).toContain(message);
    expect(told).not.toContain('\n');
  });
});
