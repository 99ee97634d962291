import { describe, expect, it } from 'vitest';
import type { Config, ConfiguredServer } from '../../../src/config/config.ts';
import { defaultConfig } from '../../../src/config/default-config.ts';
import { mergeDefinitions } from '../../../src/config/servers/merge-definition.ts';
import { singleDefinition } from '../../../src/config/servers/single-definition.ts';
import { limits } from '../../../src/core/limits.ts';
import type { ServerDefinition } from '../../../src/servers/definition.ts';
import { noFacts } from '../../project-facts.ts';

const pyright: ServerDefinition = {
  id: 'pyright',
  extensions: { py: 'python', pyi: 'python' },
  program: {
    sources: [{ kind: 'path', name: 'pyright-langserver' }],
    args: ['--stdio'],
    env: { A: 'ours', B: 'ours' },
  },
  rank: 5,
  handshake: {
    initializationOptions: () => ({ deep: { ours: 1, both: 'ours' }, list: [1] }),
    settings: () => ({
      python: { analysis: { mode: 'basic', paths: ['a'] }, venv: 'x' },
      'python.analysis': { mode: 'basic', paths: ['a'] },
    }),
  },
  ready: { kind: 'immediate' },
  install: 'npm i pyright',
};

const gopls: ServerDefinition = { ...pyright, id: 'gopls', extensions: { go: 'go' } };

function merge(...servers: readonly ConfiguredServer[]): readonly ServerDefinition[] {
  return mergeDefinitions([pyright, gopls], { ...defaultConfig, servers });
}

/** The definition with this id after a change. */
function changed(server: ConfiguredServer): ServerDefinition {
  const found = merge(server).find(({ id }) => id === server.id);
  if (found === undefined) throw new Error('it is gone');
  return found;
}

describe('definitions merged with the configuration', () => {
  it('are unchanged if nothing is set', () => {
    expect(merge()).toEqual([pyright, gopls]);
    expect(merge()[0]).toBe(pyright);
  });

  it('take program and arguments from the user’s command, and rank that server first', () => {
    expect(changed({ id: 'pyright', command: ['/opt/pyright', '--x'] })).toMatchObject({
      program: { sources: [{ kind: 'command', command: ['/opt/pyright', '--x'] }], args: [] },
      rank: 100,
      extensions: { py: 'python', pyi: 'python' },
      ready: { kind: 'immediate' },
    });
  });

  it('keep program and rank when only details change', () => {
    const result = changed({
      id: 'pyright',
      env: { B: 'mine', C: 'mine' },
      initializeTimeout: 9,
      start: 'early',
    });
    expect(result.rank).toBe(5);
    expect(result.program).toEqual({
      ...pyright.program,
      env: { A: 'ours', B: 'mine', C: 'mine' },
      initializeTimeout: 9,
      startsEarly: true,
    });
    expect(changed({ id: 'pyright', start: 'on_demand' }).program.startsEarly).toBe(false);
  });

  it('replace our extensions by a list, each with its language id', () => {
    const result = changed({ id: 'pyright', extensions: ['py', 'rs', 'strange'] });
    expect(result.extensions).toEqual({ py: 'python', rs: 'rust', strange: 'strange' });
    expect(result.rank).toBe(100);
    expect(changed({ id: 'pyright', languageId: 'snake' }).extensions).toEqual({ py: 'snake', pyi: 'snake' });
  });

  it('merge a table of extensions and language ids with ours', () => {
    const extensions = { py: 'snake', BUILD: 'starlark' };
    expect(changed({ id: 'pyright', extensions }).extensions).toEqual({
      py: 'snake',
      pyi: 'python',
      BUILD: 'starlark',
    });
    expect(changed({ id: 'pyright', extensions, languageId: 'other' }).extensions.pyi).toBe('other');
  });

  it('take arguments in place of ours, those that depend on the root included', () => {
    const rooted: ServerDefinition = {
      ...pyright,
      program: { ...pyright.program, rootArgs: () => ['--cache=/x'] },
    };
    const merged = (server: Omit<ConfiguredServer, 'id'>) =>
      mergeDefinitions([rooted], { ...defaultConfig, servers: [{ id: 'pyright', ...server }] })[0];
    expect(merged({ args: ['--mine'] })).toMatchObject({
      program: { sources: pyright.program.sources, args: ['--mine'] },
      rank: 5,
    });
    expect(merged({ args: ['--mine'] })?.program.rootArgs?.(noFacts)).toEqual([]);
    expect(merged({ command: ['p', 'first'], args: ['then'] })?.program).toMatchObject({
      sources: [{ kind: 'command', command: ['p', 'first'] }],
      args: ['then'],
    });
    expect(merged({ env: {} })?.program.rootArgs?.(noFacts)).toEqual(['--cache=/x']);
  });

  it('prefer a given rank and install text to those that a command implies', () => {
    expect(changed({ id: 'pyright', command: ['p'], rank: -1, install: 'Get it.' })).toMatchObject({
      rank: -1,
      install: 'Get it.',
    });
    expect(changed({ id: 'pyright', command: ['p'] }).install).toMatch(/correct the command of pyright/);
  });

  it('merge timeouts and client capabilities, and add library folders to those that are found', () => {
    const ours: ServerDefinition = {
      ...pyright,
      timeouts: { hover: 1, references: 2 },
      handshake: { ...pyright.handshake, clientCapabilities: { window: { a: 1 } } },
      files: { libraryRoots: () => ['/found'] },
    };
    const server = {
      id: 'pyright',
      timeouts: { hover: 9 },
      clientCapabilities: { window: { b: 2 } },
      libraryFolders: ['/mine'],
    };
    const [merged] = mergeDefinitions([ours], { ...defaultConfig, servers: [server] });
    expect(merged).toMatchObject({
      timeouts: { hover: 9, references: 2 },
      handshake: { clientCapabilities: { window: { a: 1, b: 2 } } },
    });
    expect(merged?.files?.libraryRoots?.('/p', noFacts)).toEqual(['/found', '/mine']);
  });

  it('read our own markers with our hook; a marker of another name includes everything below it', async () => {
    const includes = () => false;
    const ours: ServerDefinition = {
      ...pyright,
      projects: {
        markers: ['ours.json'],
        ofMarker: async (marker) => [{ id: `read ${marker}`, includes }],
      },
    };
    const server = { id: 'pyright', projectMarkers: ['ours.json', 'mine.json'] };
    const [merged] = mergeDefinitions([ours], { ...defaultConfig, servers: [server] });
    const read = async () => undefined;
    expect(merged?.projects?.markers).toEqual(['ours.json', 'mine.json']);
    expect(await merged?.projects?.ofMarker?.('/w/ours.json', read)).toEqual([
      { id: 'read /w/ours.json', includes },
    ]);
    const [whole] = (await merged?.projects?.ofMarker?.('/w/mine.json', read)) ?? [];
    expect([whole?.id, whole?.includes('/w/any')]).toEqual(['/w/mine.json', true]);
  });

  it('lay options over ours key by key; lists are replaced', () => {
    const { handshake } = changed({
      id: 'pyright',
      initializationOptions: { deep: { both: 'mine', mine: 2 }, list: [2, 3] },
    });
    expect(handshake?.initializationOptions?.(noFacts, '')).toEqual({
      deep: { ours: 1, both: 'mine', mine: 2 },
      list: [2, 3],
    });
  });

  it.each([
    ['as tables', { python: { analysis: { mode: 'strict' } }, other: { a: 1 } }],
    ['by dotted names', { 'python.analysis.mode': 'strict', 'other.a': 1 }],
  ])('lay settings over ours, written %s, in every section that holds them', (_, settings) => {
    expect(changed({ id: 'pyright', settings }).handshake?.settings?.(noFacts, '')).toEqual({
      python: { analysis: { mode: 'strict', paths: ['a'] }, venv: 'x' },
      'python.analysis': { mode: 'strict', paths: ['a'] },
      other: { a: 1 },
    });
  });

  it('ignore prototype keys in settings', () => {
    const settings = JSON.parse(
      '{"__proto__": {"bad": 1}, "a": {"__proto__": {"bad": 1}}, "__proto__.bad": 1}',
    );
    const merged =
      changed({ id: 'pyright', settings: { ...settings } }).handshake?.settings?.(noFacts, '') ?? {};
    expect(merged).not.toHaveProperty('bad');
    expect(merged.a).not.toHaveProperty('bad');
    expect({}).not.toHaveProperty('bad');
  });

  it('add a new server before ours', () => {
    const [added, ...others] = merge({ id: 'zls', command: ['zls'], extensions: ['zig', 'h'] });
    expect(added).toEqual({
      id: 'zls',
      extensions: { zig: 'zig', h: 'c' },
      program: {
        sources: [{ kind: 'command', command: ['zls'] }],
        args: [],
        rootArgs: expect.any(Function),
      },
      handshake: {},
      confinement: {},
      files: {},
      projects: {},
      sync: {},
      search: {},
      edits: {},
      diagnostics: {},
      rank: 100,
      ready: { kind: 'unknown' },
      install: 'Install zls outside the workspace, or correct the command of zls in your configuration.',
    });
    expect(others).toEqual([pyright, gopls]);
  });

  it.each<readonly [ConfiguredServer, RegExp]>([
    [
      { id: 'zls' },
      /\/u\/c\.toml cannot be used: servers: lspan knows no server zls\. Give it command and extensions/,
    ],
    [{ id: 'zls', command: ['zls'] }, /command and extensions/],
    [{ id: 'zls', extensions: ['zig'] }, /command and extensions/],
    [{ id: 'pyrihgt', settings: {} }, /Did you mean pyright\?/],
  ])('refuse the new server %j', (server, message) => {
    const config: Config = { ...defaultConfig, userFile: '/u/c.toml', servers: [server] };
    expect(() => mergeDefinitions([pyright], config)).toThrow(message);
  });

  it('leave out disabled servers, new or built in, complete or not', () => {
    expect(merge({ id: 'pyright', enabled: false }, { id: 'unknown', enabled: false })).toEqual([gopls]);
    const config: Config = { ...defaultConfig, disabledServers: ['gopls', 'never-heard-of'] };
    expect(mergeDefinitions([pyright, gopls], config)).toEqual([pyright]);
    expect(merge({ id: 'gopls', enabled: true })).toHaveLength(2);
  });
});

describe('the definition of the -s form', () => {
  it('is made from the command and the extensions', () => {
    const definition = singleDefinition({
      extensions: ['.rs', 'd.ts'],
      command: ['/opt/rust-analyzer.exe', '-v'],
    });
    expect(definition).toMatchObject({
      id: 'rust-analyzer',
      extensions: { rs: 'rust', 'd.ts': 'd.ts' },
      program: {
        sources: [{ kind: 'command', command: ['/opt/rust-analyzer.exe', '-v'] }],
        args: [],
        startsEarly: true,
      },
      ready: { kind: 'unknown' },
      install: expect.stringContaining('outside the workspace'),
    });
    expect(new Set(Object.values(definition.timeouts ?? {}))).toEqual(new Set([limits.pathfinder.request]));
  });

  it('has what is known of its program: when it is ready, and with what it starts', () => {
    const given = { extensions: ['py'], command: ['/opt/pyright', '--stdio'] };
    const { ready, handshake, program } = singleDefinition(given, [gopls, pyright]);
    expect({ ready, handshake }).toEqual({ ready: pyright.ready, handshake: pyright.handshake });
    expect(program.sources).toEqual([{ kind: 'command', command: given.command }]);
  });

  it.each([
    [[], ['x'], /No file extension/],
    [['ts'], [], /command of the server is empty/],
    [['ts'], [''], /command of the server is empty/],
    [['.'], ['x'], /is not a file extension/],
    [['*.ts'], ['x'], /is not a file extension/],
  ])('refuses the extensions %j with the command %j', (extensions, command, message) => {
    expect(() => singleDefinition({ extensions, command })).toThrow(message);
  });
});
