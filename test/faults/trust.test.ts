import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { removeTrust, trustFileIn } from '../../src/config/trust/trust-file.ts';
import { writeTrustOf } from '../../src/config/trust/write-trust.ts';
import { silent } from '../../src/core/log.ts';
import { offerTrust } from '../../src/offline.ts';
import { catalogue } from '../../src/surfaces/catalogue.ts';
import { expectError, openTestBridge, type TestBridge, temporaryFolder } from '../test-bridge.ts';

vi.mock('../../src/servers/index.ts', () => import('./trusting-definitions.ts'));

const files = {
  'a.txt': 'function alpha\n',
  'b.src': 'function beta\n',
  'rules.cfg': 'strict',
  'build.cfg': 'run me',
  'deep/plugin.js': 'first',
  'node_modules/.lock.json': '{}',
};

/** A project with two servers that want trust, in a state folder of its own. */
async function openProject(more: Readonly<Record<string, string>> = {}) {
  const state = temporaryFolder('lspan-state-');
  const environment = { XDG_STATE_HOME: state };
  const bridge = await openTestBridge({
    files: { ...files, ...more },
    servers: { plain: {}, linter: {}, builder: { extensions: ['src'] } },
    environment,
  });
  const trust = () => writeTrustOf(offerTrust({ root: bridge.root, environment, log: silent }), environment);
  const file = trustFileIn(path.join(state, 'lspan'));
  return { bridge, trust, revoke: () => removeTrust(file, bridge.root), environment };
}

const problems = (bridge: TestBridge) => bridge.call('get_diagnostics', { file_path: 'a.txt' });
const uses = (bridge: TestBridge) =>
  bridge.call('find_references', { file_path: 'b.src', line: 1, character: 10 });

/** The doubts about trust in an answer. */
function doubts(outcome: { readonly data: Readonly<Record<string, unknown>> }): string[] {
  const all: unknown[] = Array.isArray(outcome.data.doubts) ? outcome.data.doubts : [];
  return all.map((doubt) => JSON.stringify(doubt)).filter((doubt) => doubt.includes('not_trusted'));
}

const options = (bridge: TestBridge) =>
  bridge
    .received('builder')
    .filter(({ method }) => method === 'initialize')
    .map(({ params }) => JSON.stringify(params).match(/"runsScripts":(true|false)/)?.[1]);

describe('without trust', () => {
  it('SUP-01 a server that would run the repository’s code is not started, and the answer says so', async () => {
    const { bridge } = await openProject();
    const outcome = await problems(bridge);
    expect(doubts(outcome)).toEqual([
      expect.stringContaining(
        'linter is not run: it runs code of this repository. The user can allow it: `lspan trust DIR`.',
      ),
    ]);
    expect(outcome.text).toContain('`lspan trust DIR`');
    expect(bridge.pids('linter')).toEqual([]);
    expect(bridge.pids('plain')).toHaveLength(1);
  });

  it('SUP-01 a server that can leave things out does, and its answers say so', async () => {
    const { bridge } = await openProject();
    expect(doubts(await uses(bridge))).toEqual([
      expect.stringContaining('builder leaves the scripts out. The user can allow it: `lspan trust DIR`.'),
    ]);
    expect(options(bridge)).toEqual(['false']);
  });

  it('a search of the workspace tells what is left out, but no server whose files another one serves', async () => {
    const { bridge } = await openProject();
    const found = await bridge.call('search_workspace_symbols', { query: 'function' });
    expect(found.text).not.toContain('linter is not run');
    expect(found.text).toContain('builder leaves the scripts out');
  });

  it('the status shows the server as not trusted, with the reason and the next step', async () => {
    const { bridge } = await openProject();
    const { data, text } = await bridge.call('get_server_status', {});
    expect(data.servers).toContainEqual(expect.objectContaining({ id: 'linter', state: 'not_trusted' }));
    expect(text).toMatch(/linter .*: not trusted\n(.*\n)*.*`lspan trust DIR`/);
  });
});

describe('with trust', () => {
  it('that is given while lspan runs, the next call uses it', async () => {
    const { bridge, trust } = await openProject();
    await problems(bridge);
    await uses(bridge);
    trust();
    expect(doubts(await problems(bridge))).toEqual([]);
    expect(doubts(await uses(bridge))).toEqual([]);
    expect(bridge.pids('linter')).toHaveLength(1);
    expect(options(bridge)).toEqual(['false', 'true']);
    const { data } = await bridge.call('get_server_status', {});
    expect(data.servers).toContainEqual(expect.objectContaining({ id: 'linter', state: 'ready' }));
  });

  it('RES-08 that is given while lspan runs, what the server said without it is not told again', async () => {
    const { bridge, trust } = await openProject();
    const ask = () => bridge.call('get_hover', { file_path: 'b.src', line: 1, character: 10 });
    await ask();
    await ask();
    trust();
    expect((await ask()).data).toMatchObject({ complete: true });
    expect(options(bridge)).toEqual(['false', 'true']);
  });

  it('that is revoked while lspan runs, the next call does without', async () => {
    const { bridge, trust, revoke } = await openProject();
    trust();
    await problems(bridge);
    await uses(bridge);
    revoke();
    expect(doubts(await problems(bridge))).toHaveLength(1);
    expect(doubts(await uses(bridge))).toHaveLength(1);
    expect(options(bridge)).toEqual(['true', 'false']);
  });

  it('a change to any other file ends nothing', async () => {
    const { bridge, trust } = await openProject();
    trust();
    await problems(bridge);
    bridge.write('a.txt', 'function gamma\n');
    bridge.write('deep/other.js', 'new');
    expect(doubts(await problems(bridge))).toEqual([]);
    expect(bridge.pids('linter')).toHaveLength(1);
  });
});

describe('SUP-03 trust ends when what was trusted is no longer what is there', () => {
  const changes: readonly (readonly [string, (bridge: TestBridge) => void, string])[] = [
    ['one byte changes', (bridge) => bridge.write('rules.cfg', 'strich'), '\\"rules.cfg\\" has changed'],
    ['a file comes', (bridge) => bridge.write('new/plugin.js', ''), '\\"new/plugin.js\\" is new'],
    [
      'an ignored file changes',
      (bridge) => bridge.write('node_modules/.lock.json', '[]'),
      '.lock.json\\" has changed',
    ],
    [
      'a file becomes a link out of the folder',
      (bridge) => {
        bridge.remove('rules.cfg');
        symlinkSync('/etc/hostname', path.join(bridge.root, 'rules.cfg'));
      },
      '\\"rules.cfg\\" is a link that leads out of the folder',
    ],
  ];

  it.each(changes)('%s while lspan runs', async (_title, change, told) => {
    const { bridge, trust } = await openProject();
    trust();
    expect(doubts(await problems(bridge))).toEqual([]);
    change(bridge);
    const [doubt] = doubts(await problems(bridge));
    expect(doubt).toContain(told);
    expect(doubt).toContain('since it was trusted: see `lspan trust DIR`.');
    const { data, text } = await bridge.call('get_server_status', {});
    expect(data.servers).toContainEqual(expect.objectContaining({ id: 'linter', state: 'not_trusted' }));
    expect(text).toContain('Review that before trusting it again.');
  });

  it('a file in a folder that the repository ignores is bound all the same', async () => {
    const { bridge, trust } = await openProject({ '.gitignore': 'hidden/\n', 'hidden/plugin.js': 'one' });
    trust();
    expect(doubts(await problems(bridge))).toEqual([]);
    bridge.write('hidden/plugin.js', 'two');
    expect(doubts(await problems(bridge))[0]).toContain('\\"hidden/plugin.js\\" has changed');
  });

  it('the server is stopped before the next question, and the other keeps its trust', async () => {
    const { bridge, trust } = await openProject();
    trust();
    await problems(bridge);
    await uses(bridge);
    bridge.write('rules.cfg', 'other');
    await problems(bridge);
    await bridge.logged.nth(
      ({ event, fields }) => event === 'server_withdrawn' && fields.server === 'linter',
    );
    expect(doubts(await uses(bridge))).toEqual([]);
    expect(options(bridge)).toEqual(['true']);
  });

  it('a server that was run in full is run with less, and its answers say what changed', async () => {
    const { bridge, trust } = await openProject();
    trust();
    await uses(bridge);
    bridge.write('build.cfg', 'run me!');
    const [doubt] = doubts(await uses(bridge));
    expect(doubt).toContain(
      'builder leaves the scripts out. \\"build.cfg\\" has changed since it was trusted',
    );
    expect(options(bridge)).toEqual(['true', 'false']);
  });

  it('a question that only such a server could answer is an error that says what changed', async () => {
    const environment = { XDG_STATE_HOME: temporaryFolder('lspan-state-') };
    const bridge = await openTestBridge({ files, servers: { linter: {} }, environment });
    writeTrustOf(offerTrust({ root: bridge.root, environment, log: silent }), environment);
    bridge.write('rules.cfg', 'other');
    const found = await bridge.call('search_workspace_symbols', { query: 'alpha' });
    expectError(found, 'refused', /"rules\.cfg" has changed/, /lspan trust/);
  });

  it('the same content again is what was trusted', async () => {
    const { bridge, trust } = await openProject();
    trust();
    bridge.write('rules.cfg', 'other');
    expect(doubts(await problems(bridge))).toHaveLength(1);
    bridge.write('rules.cfg', files['rules.cfg']);
    expect(doubts(await problems(bridge))).toEqual([]);
  });

  it('a server that was not needed when the folder was trusted is not trusted', async () => {
    const { bridge, trust } = await openProject();
    bridge.remove('b.src');
    trust();
    bridge.write('b.src', files['b.src']);
    expect(doubts(await uses(bridge))[0]).toContain('builder was not needed when it was trusted');
  });
});

describe('SUP-04 trust is the user’s alone', () => {
  it('no tool of any surface grants it', () => {
    const names = catalogue.flatMap(({ tools }) => tools.map(({ name }) => name));
    expect(names.filter((name) => /trust/.test(name))).toEqual([]);
  });

  it('a trust file in the repository is not looked at', async () => {
    const { bridge, trust, environment } = await openProject();
    trust();
    const written = readFileSync(path.join(environment.XDG_STATE_HOME, 'lspan/trust.json'), 'utf8');
    const other = await openProject({
      'lspan/trust.json': written,
      '.lspan/trust.json': written,
      '.local/state/lspan/trust.json': written,
      'lspan.toml': 'trust = true\ntrusted = true\n',
    });
    expect(doubts(await problems(other.bridge))).toHaveLength(1);
    expect(bridge.root).not.toBe(other.bridge.root);
  });

  it.each(['<root>', '<root>/not/yet'])(
    'a state folder in the workspace (%s) is ignored with a warning',
    async (place) => {
      const bridge = await openTestBridge({
        files,
        servers: { plain: {}, linter: {} },
        environment: { XDG_STATE_HOME: place },
      });
      const folder = path.join(place.replace('<root>', bridge.root), 'lspan');
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const record = { root: bridge.root, when: '', servers: [{ id: 'linter', files: [] }] };
      writeFileSync(path.join(folder, 'trust.json'), JSON.stringify({ version: 1, roots: [record] }), {
        mode: 0o600,
      });
      expect(doubts(await problems(bridge))[0]).toContain('The trust file is ignored: see');
      const { text } = await bridge.call('get_server_status', {});
      expect(text).toContain(`! Nothing is trusted, because ${folder} is in the workspace`);
      expect(bridge.logged.all.map(({ event }) => event)).toContain('trust_ignored');
    },
  );

  it('nor can a link lead the state folder into the workspace', async () => {
    const outside = temporaryFolder('lspan-outside-');
    const { bridge } = await openProject();
    symlinkSync(bridge.root, path.join(outside, 'link'));
    const environment = { XDG_STATE_HOME: path.join(outside, 'link') };
    const offer = offerTrust({ root: bridge.root, environment, log: silent });
    expect(() => writeTrustOf(offer, environment)).toThrow('inside the folder to trust');
  });
});
