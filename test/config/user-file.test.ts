import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { tableAt } from '../../src/config/schema/schema.ts';
import { configFolder, findUserFile, maySet } from '../../src/config/user-file.ts';
import { LspanError } from '../../src/core/errors.ts';
import { limits } from '../../src/core/limits.ts';
import { silent } from '../../src/core/log.ts';
import { makePipe, temporaryFolder } from './temporary-folder.ts';

const toml = `
output = "text"
toolsets = ["navigation"]
read_only = true
daemon = true
confine = "always"
log_level = "debug"
log_format = "json"
deadline_s = 12.5
deadlines_s = { find_references = 60 }
max_tokens = 1500
exclude = ["generated/"]
disabled_servers = ["pyright"]
files = { "old/**" = ["zls"], "*.zon" = [] }

[limits]
servers_running = 3
idle_stop_s = 60
memory_mb = 512
servers_memory_mb = 4096
readiness_s = 7
diagnostics_s = 2
diagnostics_cold_s = 4
document_mb = 0.5
page_items = 20
answers_mb = 2

[index]
store = "postgres://reader@db.example/index"
tenant = "payments"

[serve]
port = 4000
host = "::1"
endpoint = "/lspan"
allow_origins = ["http://localhost:6274"]
sessions = false
protocol = "2025-11-25"
surface = "gateway"
additional_roots = ["/opt/shared"]

[[servers]]
id = "zls"
enabled = true
command = ["zls", "--enable-debug-log"]
via = ["ssh", "host"]
paths = { "/home/me/p" = "/workspace" }
shared = false
args = ["--config", ""]
extensions = [".zig", "zon", "build.zig", "Zig.*"]
language_id = "zig"
env = { ZLS_MODE = "a=b c" }
client_capabilities = { experimental = { status = true } }
start = "early"
initialize_timeout_s = 60
timeouts = { hover = 0.5, document_symbols = 3 }
ready = { progress = "^Load", or_publication = true }
root_markers = ["build.zig"]
root_dir = "zig"
cwd = "zig/tools"
only_below = ["zls.json"]
only_beside = ["zig"]
sees = ["c"]
workspace_folders = { markers = ["build.zig"] }
start_attempts = 2
reads_only_open = true
publishes_when_read = false
checks_files_alone = true
answers = ["diagnostics", "document_symbols"]
answers_unopened = ["workspace_symbols"]
group = "zig"
rank = -3
static = true
watch = ["zig-out/a"]
restarts_on = ["build.zig.zon"]
library_folders = ["/opt/zig/lib"]
confine = "untrusted"
writable_folders = ["/var/cache/zls"]
loads_on_open = true
opens_created = false
diagnostics_quiet_ms = 250
edit_commands = ["zls.fix"]
symbol_cap = 100
memory_mb = 1024
child_died = "^gone"
writes = [".zig-cache"]
install = "Get zls."
[servers.initialization_options]
semantic = "full"
[servers.settings.zls]
warn_style = true
`;

const understood = {
  servers: [
    {
      id: 'zls',
      enabled: true,
      command: ['zls', '--enable-debug-log'],
      via: ['ssh', 'host'],
      paths: { '/home/me/p': '/workspace' },
      shared: false,
      args: ['--config', ''],
      extensions: ['zig', 'zon', 'build.zig', 'Zig.*'],
      languageId: 'zig',
      env: { ZLS_MODE: 'a=b c' },
      clientCapabilities: { experimental: { status: true } },
      start: 'early',
      initializeTimeout: 60_000,
      timeouts: { hover: 500, outline: 3_000 },
      ready: { kind: 'progress', title: /^Load/, orPublication: true },
      projectMarkers: ['build.zig'],
      rootFolder: 'zig',
      cwd: 'zig/tools',
      onlyBelow: ['zls.json'],
      onlyBeside: ['zig'],
      sees: ['c'],
      workspaceFolders: { markers: ['build.zig'] },
      startAttempts: 2,
      readsOnlyOpen: true,
      publishesWhenRead: false,
      checksFilesAlone: true,
      answers: ['outline', 'diagnostics'],
      answersUnopened: ['symbols'],
      group: 'zig',
      rank: -3,
      isStatic: true,
      watchAlso: ['zig-out/a'],
      restartsOn: ['build.zig.zon'],
      libraryFolders: ['/opt/zig/lib'],
      confine: 'untrusted',
      writableFolders: ['/var/cache/zls'],
      loadsOnOpen: true,
      opensCreated: false,
      diagnosticsQuiet: 250,
      editCommands: ['zls.fix'],
      symbolCap: 100,
      memory: 1024 ** 3,
      childDied: /^gone/,
      writes: ['.zig-cache'],
      install: 'Get zls.',
      initializationOptions: { semantic: 'full' },
      settings: { zls: { warn_style: true } },
    },
  ],
  disabledServers: ['pyright'],
  files: [
    { glob: 'old/**', servers: ['zls'] },
    { glob: '*.zon', servers: [] },
  ],
  output: 'text',
  toolsets: ['navigation'],
  readOnly: true,
  daemon: true,
  confine: 'always',
  logLevel: 'debug',
  logFormat: 'json',
  deadline: 12_500,
  deadlines: { find_references: 60_000 },
  maxTokens: 1500,
  limits: {
    running: 3,
    idle: 60_000,
    memory: 512 * 1024 ** 2,
    memoryOfAll: 4096 * 1024 ** 2,
    readiness: 7_000,
    diagnostics: 2_000,
    diagnosticsCold: 4_000,
    document: 512 * 1024,
    page: 20,
    answers: 2 * 1024 ** 2,
  },
  serve: {
    port: 4000,
    host: '::1',
    endpoint: '/lspan',
    allowOrigins: ['http://localhost:6274'],
    sessions: false,
    protocol: '2025-11-25',
    surface: 'gateway',
    additionalRoots: ['/opt/shared'],
  },
  index: { store: 'postgres://reader@db.example/index', tenant: 'payments' },
  cache: { share: true },
  exclude: ['generated/'],
  warnings: [],
};

function load(configFile: string) {
  return loadConfig({ configFile, roots: [], environment: {}, log: silent });
}

/** The error of a configuration file with this content. */
function fault(content: string, name = 'config.toml'): LspanError {
  return faultOf(path.join(temporaryFolder({ [name]: content }), name));
}

function faultOf(file: string): LspanError {
  try {
    load(file);
  } catch (thrown) {
    if (thrown instanceof LspanError) return thrown;
    throw thrown;
  }
  throw new Error('there was no error');
}

describe('the user’s configuration file', () => {
  it('is read from TOML with every key', () => {
    const folder = temporaryFolder({ 'config.toml': toml });
    const file = path.join(folder, 'config.toml');
    const keys = parse(toml);
    const sources = [{ kind: 'user', name: `user file ${file}`, keys }];
    expect(load(file)).toEqual({ ...understood, userFile: file, sources });
    expect(Object.keys(keys).sort()).toEqual(Object.keys(tableAt([]) ?? {}).sort());
    expect(Object.keys(keys.limits ?? {})).toEqual(Object.keys(tableAt(['limits']) ?? {}));
    const [server] = Array.isArray(keys.servers) ? keys.servers : [];
    expect(Object.keys(server ?? {}).sort()).toEqual(Object.keys(tableAt(['servers', 0]) ?? {}).sort());
  });

  it('may be JSON, with `$schema` for editors', () => {
    const json = JSON.stringify({ $schema: 'https://example.org/lspan.json', ...parse(toml) });
    const file = path.join(temporaryFolder({ 'lspan.json': json }), 'lspan.json');
    expect(load(file)).toEqual({ ...understood, userFile: file, sources: [expect.anything()] });
  });

  it('may be empty, may begin with a byte order mark, and may be a link', () => {
    const folder = temporaryFolder({
      'empty.toml': '',
      'marked.toml': '\ufeffmax_tokens = 900',
      'empty.json': '{}',
    });
    symlinkSync(path.join(folder, 'marked.toml'), path.join(folder, 'link.toml'));
    expect(load(path.join(folder, 'empty.toml')).maxTokens).toBe(limits.tokens.default);
    expect(load(path.join(folder, 'empty.json')).output).toBe('auto');
    expect(load(path.join(folder, 'link.toml')).maxTokens).toBe(900);
  });

  it('is found in the XDG folder; the defaults apply without it', () => {
    const home = temporaryFolder({ 'lspan/config.toml': 'read_only = true' });
    const config = loadConfig({ roots: [], environment: { XDG_CONFIG_HOME: home }, log: silent });
    expect(config).toMatchObject({ readOnly: true, userFile: path.join(home, 'lspan/config.toml') });
    const none = loadConfig({ roots: [], environment: { XDG_CONFIG_HOME: temporaryFolder() }, log: silent });
    expect(none).toMatchObject({ readOnly: false, logLevel: 'warn', deadline: limits.call.deadline });
    expect(none).not.toHaveProperty('userFile');
  });

  it('must not exist as both TOML and JSON', () => {
    const home = temporaryFolder({ 'lspan/config.toml': '', 'lspan/config.json': '{}' });
    expect(() => findUserFile({ XDG_CONFIG_HOME: home })).toThrow(
      /Both config.toml and config.json exist .* Remove one/,
    );
  });

  it.each([
    ['linux', { XDG_CONFIG_HOME: '/x', HOME: '/h', APPDATA: '/a' }, '/x/lspan'],
    ['linux', { XDG_CONFIG_HOME: 'relative', HOME: '/h' }, '/h/.config/lspan'],
    ['linux', { XDG_CONFIG_HOME: '', HOME: '/h', APPDATA: '/a' }, '/h/.config/lspan'],
    ['darwin', { HOME: '/h' }, '/h/.config/lspan'],
    ['win32', { HOME: '/h', APPDATA: '/a' }, '/a/lspan'],
    ['win32', { XDG_CONFIG_HOME: '/x', APPDATA: '/a' }, '/x/lspan'],
  ] as const)('lies on %s with %o in %s', (platform, environment, folder) => {
    expect(configFolder(environment, platform)).toBe(folder);
  });
});

describe('an error in the user’s file names the file, the key and the fix', () => {
  it.each([
    ['an unknown key', 'max_token = 3', ['max_token: unknown key', 'Did you mean max_tokens?']],
    ['a key that is like none', 'zzzzzz = 3', ['zzzzzz: unknown key', 'Known: exclude, max_tokens']],
    ['a key in camel case', 'readOnly = true', ['readOnly: unknown key', 'Did you mean read_only?']],
    [
      'an unknown key of a server',
      '[[servers]]\nid="a"\ncomand=["b"]',
      ['servers[0].comand', 'Did you mean command?'],
    ],
    [
      'a wrong type',
      'read_only = "yes"',
      ['line 1, read_only: must be true or false, not a text. Write it like read_only = true'],
    ],
    [
      'a wrong choice',
      'output = "xml"',
      ['output: must be one of "auto", "text", "structured", "both", not "xml".', 'output = "text"'],
    ],
    [
      'a mistyped choice',
      'log_level = "wran"',
      ['log_level: must be one of "error", "warn", "info", "debug", not "wran". Did you mean "warn"?'],
    ],
    ['a list of texts with a number', 'exclude = ["a", 1]', ['line 1, exclude[1]: must be a text, not 1.']],
    ['an empty text', 'exclude = [""]', ['exclude[0]: is empty.']],
    [
      'a key in a table behind others',
      'read_only = true\n# note\n\n[serve]\nport = 70000',
      ['line 5, serve.port: must be at most 65535, not 70000. Write it like port = 4000'],
    ],
    [
      'the second server',
      '[[servers]]\nid = "a"\n[servers.env]\nA = "1"\n\n[[servers]]\nid = "b"\n\n[servers.env]\nB = 2',
      ['line 10, servers[1].env.B: must be a text, not 2.'],
    ],
    [
      'a key behind a text of several lines',
      'exclude = ["""a\nread_only = 1\n"""]\nread_only = 1',
      ['line 4, read_only: must be true or false, not 1.'],
    ],
    [
      'an unknown key and its line',
      'read_only = true\n\nmax_token = 3',
      ['line 3, max_token: unknown key. Did you mean max_tokens?'],
    ],
    [
      'a number out of range',
      'max_tokens = 999999',
      ['max_tokens: must be at most 20000, not 999999', 'max_tokens = 2000'],
    ],
    [
      'a number below the least',
      'deadline_s = 0',
      ['deadline_s: must be at least 1, not 0', 'deadline_s = 20'],
    ],
    ['half a token', 'max_tokens = 500.5', ['max_tokens: must be a whole number, not 500.5']],
    [
      'a command as one text',
      '[[servers]]\nid="a"\ncommand="b --stdio"',
      ['line 3, servers[0].command: must be a list, not a text.', 'command = ["gopls", "serve"]'],
    ],
    [
      'an empty command',
      '[[servers]]\nid="a"\ncommand=[]',
      ['servers[0].command[0]: is missing.', 'command = ["gopls", "serve"]'],
    ],
    ['an empty program', '[[servers]]\nid="a"\ncommand=[""]', ['servers[0].command[0]: is empty.']],
    [
      'a relative program',
      '[[servers]]\nid="a"\ncommand=["./b"]',
      ['servers[0].command[0]: is a relative path'],
    ],
    [
      'a NUL in an argument',
      '[[servers]]\nid="a"\ncommand=["b", "\\u0000"]',
      ['servers[0].command[1]', 'NUL'],
    ],
    ['no extensions', '[[servers]]\nid="a"\nextensions=[]', ['servers[0].extensions: is empty.']],
    [
      'a glob as extension',
      '[[servers]]\nid="a"\nextensions=["*.ts"]',
      ['servers[0].extensions[0]: is not a file extension or name'],
    ],
    [
      'a server without id',
      '[[servers]]\ncommand=["b"]',
      ['line 1, servers[0].id: is missing.', 'id = "gopls"'],
    ],
    [
      'an unknown question',
      '[[servers]]\nid="a"\ntimeouts={ folding=1 }',
      ['servers[0].timeouts.folding: unknown key', 'Known: definition, references, hover, document_symbols'],
    ],
    [
      'a question that is not asked',
      '[[servers]]\nid="a"\nanswers=["folding"]',
      ['servers[0].answers[0]: must be one of "definition", "references"', 'answers = ["diagnostics"]'],
    ],
    [
      'a wrong readiness',
      '[[servers]]\nid="a"\nready={ progres="x" }',
      ['servers[0].ready: is "immediate", "unknown", or a table with progress', 'ready = { progress'],
    ],
    [
      'a broken regular expression',
      '[[servers]]\nid="a"\nchild_died="("',
      ['servers[0].child_died: is not a regular expression', 'child_died = "exited'],
    ],
    [
      'a relative library',
      '[[servers]]\nid="a"\nlibrary_folders=["lib"]',
      ['servers[0].library_folders[0]: is not the absolute path of a folder below the root'],
    ],
    [
      'the whole disk as a library',
      '[[servers]]\nid="a"\nlibrary_folders=["/.."]',
      ['is not the absolute path'],
    ],
    [
      'an unknown limit',
      'limits = { memory_m = 1 }',
      ['limits.memory_m: unknown key', 'Did you mean memory_mb?'],
    ],
    ['a wrong limit', '[limits]\npage_items = 0', ['limits.page_items: ', 'page_items = 50']],
    [
      'a rule without servers',
      'files = { "a" = "b" }',
      ['files.a: must be a list, not a text', 'files = { "legacy/**"'],
    ],
    ['an id that is a path', '[[servers]]\nid="../x"', ['servers[0].id: may have only letters']],
    [
      'a wrong variable name',
      '[[servers]]\nid="a"\nenv={ "A B"="1" }',
      [
        'servers[0].env.A B: cannot be a key: it is not the name of an environment variable.',
        'env = { GOFLAGS',
      ],
    ],
    ['a wrong variable', '[[servers]]\nid="a"\nenv={ A=1 }', ['servers[0].env.A: must be a text, not 1']],
    [
      'a wrong start',
      '[[servers]]\nid="a"\nstart="now"',
      ['servers[0].start: must be one of "early", "on_demand", not "now"'],
    ],
    [
      'servers as a table',
      '[servers.a]\ncommand=["b"]',
      ['servers: must be a list, not a table', '[[servers]]'],
    ],
    [
      'one id twice',
      '[[servers]]\nid="a"\n[[servers]]\nid="a"',
      ['servers: the id a is given twice', 'Join'],
    ],
    ['broken TOML', 'a = 1\nb = = 2', ['line 2, column 5', 'Correct the TOML there']],
    ['a TOML key twice', 'max_tokens = 900\nmax_tokens = 900', ['line 2, column 1', 'redefine']],
    ['a prototype key', '"__proto__" = { readOnly = true }', ['__proto__: unknown key']],
  ])('%s', (_, content, told) => {
    const error = fault(content);
    expect(error.code).toBe('invalid_input');
    for (const part of ['config.toml cannot be used: ', ...told]) expect(error.message).toContain(part);
    expect(error.message).not.toContain('\n');
    // No text of the schema library.
    expect(error.message).not.toMatch(/expected|received|Invalid|Too (small|big)|>=|<=/);
  });

  it.each([
    ['{"max_tokens": 900,}', 'line 1, column 20'],
    ['{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3'],
    ['{"a": 1', 'line 1, column '],
    ['', 'it is not JSON'],
    ['// note\n{}', 'JSON has no comments'],
  ])('broken JSON: %j', (content, where) => {
    const { message } = fault(content, 'config.json');
    expect(message).toContain(where);
    expect(message).not.toContain('note');
    expect(message).toContain('it is not JSON. JSON has no comments and no trailing commas.');
  });

  it.each([
    ['{"read_only": 1}', 'line 1, read_only: must be true or false, not 1. Write it like "read_only": true'],
    ['{"servers": {}}', 'servers: must be a list, not a table. Write it like "servers": [{}]'],
    [
      '{\n  "serve": {\n    "host":\n      "localhost"\n  }\n}',
      'line 3, serve.host: must be one of "127.0.0.1", "::1", not "localhost".',
    ],
    ['{"servers": [{"id": "a", "env": {"A": 1}}]}', 'Write it like "env": {"GOFLAGS":"-tags=e2e"}'],
  ])('in JSON it is shown how to write it in JSON: %s', (content, told) => {
    expect(fault(content, 'config.json').message).toContain(told);
  });

  it.each(['[]', 'null', '3', '"text"'])('JSON that is not an object: %s', (content) => {
    expect(fault(content, 'config.json').message).toMatch(
      /the file: must be a table, not (a list|null|3|a text)\./,
    );
  });

  it('up to three faults are reported together', () => {
    const { message } = fault('aa = 1\nread_only = 1\noutput = 1\nlog_level = 1\nlog_format = 1');
    expect(message).toContain('read_only');
    expect(message).toContain('(2 more)');
  });

  it('a file that is missing, a folder, a pipe, too large, binary, or has another extension', () => {
    const folder = temporaryFolder({
      'large.toml': `# ${'x'.repeat(limits.configuration.file)}`,
      'most.toml': `# ${'x'.repeat(limits.configuration.file - 2)}`,
      'config.yaml': 'a: 1',
      'folder.toml/x': '',
    });
    makePipe(path.join(folder, 'pipe.toml'));
    const told = (name: string) => faultOf(path.join(folder, name)).message;
    expect(told('none.toml')).toContain('the file does not exist');
    expect(told('folder.toml')).toContain('it is not a regular file');
    expect(told('pipe.toml')).toContain('it is not a regular file');
    expect(told('large.toml')).toContain('it is larger than 256 KiB');
    expect(told('config.yaml')).toContain('its name must end in .toml or .json');
    expect(load(path.join(folder, 'most.toml')).warnings).toEqual([]);
  });

  it('bytes that are not UTF-8', () => {
    const folder = temporaryFolder();
    execFileSync('sh', ['-c', 'printf "a = \\"\\377\\"" > "$0"', path.join(folder, 'c.toml')]);
    expect(faultOf(path.join(folder, 'c.toml')).message).toContain('it is not UTF-8 text');
  });
});

describe('a file that sets nothing of what counts at the start need not be read then', () => {
  it.each([
    ['disabled_servers = ["pyright"]\n', false],
    ['[limits]\nanswers_mb = 0\n', false],
    ['', false],
    ['daemon = true\n', true],
    ['"d\\u0061emon" = true\n', true],
    ['# daemon\n', true],
  ])('%j', (text, expected) => {
    const folder = temporaryFolder({ 'c.toml': text });
    expect(maySet(path.join(folder, 'c.toml'), ['daemon'])).toBe(expected);
  });

  it('unless it cannot be read', () => {
    expect(maySet(path.join(temporaryFolder(), 'none.toml'), ['daemon'])).toBe(true);
  });
});
