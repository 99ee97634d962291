import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Confinement } from '../../../../src/backends/lsp/process/confinement.ts';
import type { Config } from '../../../../src/config/config.ts';
import { silent } from '../../../../src/core/log.ts';
import { untrusted } from '../../../../src/core/trust.ts';
import { treeUse } from '../../../../src/platform/processes/process-facts.ts';
import type { Sandbox } from '../../../../src/platform/sandbox/sandbox.ts';
import type { ConfineMode, ServerDefinition } from '../../../../src/servers/definition.ts';
import { inSandbox, unconfinable } from '../../../confined.ts';
import {
  ask,
  expectError,
  expectInOrder,
  openTestBridge,
  type TestBridge,
  type TestServer,
  temporaryFolder,
} from '../../../test-bridge.ts';
import { witness } from './witness.ts';

describe.skipIf(unconfinable !== '')(inSandbox('a confined server'), () => {
  it('answers, and the status says that it is confined', async () => {
    const bridge = await open({});
    await expectInOrder(bridge);
    expect(await statusOf(bridge)).toMatchObject({ confined: true, state: 'running' });
  });

  it('CNF-07 is told of no process of ours, which it would not find', async () => {
    const bridge = await open({});
    await expectInOrder(bridge);
    const { params } = bridge.received().find(({ method }) => method === 'initialize') ?? {};
    expect(params).toMatchObject({ processId: null });
  });

  it('CNF-01 writes neither into the workspace nor to the home, but to its own cache', async () => {
    const home = temporaryFolder('lspan-home-');
    write(path.join(home, '.ssh/id'), 'secret');
    const before = [
      'echo x > proof 2>/dev/null && echo root >> "$XDG_CACHE_HOME/said"',
      'cat ~/.ssh/id >> "$XDG_CACHE_HOME/said" 2>/dev/null',
      'echo x > ~/proof; echo x > "$TMPDIR/proof"; echo here >> "$XDG_CACHE_HOME/said"',
    ].join('\n');
    const bridge = await open({ before }, { HOME: home, XDG_CACHE_HOME: path.join(home, '.cache') });
    await expectInOrder(bridge);
    expect(existsSync(path.join(bridge.root, 'proof'))).toBe(false);
    expect(readdirSync(home).sort()).toEqual(['.cache', '.ssh']);
    const said = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('/said'),
    );
    expect(said.map((name) => readFileSync(path.join(home, name), 'utf8'))).toEqual(['here\n']);
    expect(said[0]).toMatch(/\/confined\/fake\//);
  });

  it('CNF-08 sees a change on the disk at the next question', async () => {
    const bridge = await open({});
    await expectInOrder(bridge);
    bridge.write('a.txt', '\nfunction alpha\n');
    expect((await ask(bridge)).data).toMatchObject({ definitions: [{ file_path: 'a.txt', line: 2 }] });
  });

  it('CNF-06 leaves no daemon when it is stopped', async () => {
    const { hold, allGone } = witness();
    const bridge = await open({ before: `${hold}\nsetsid sleep 1000 &` }, {}, hold);
    await expectInOrder(bridge);
    await bridge.close();
    await allGone;
  });

  it('CNF-09 is measured with its children, although they have other numbers inside', async () => {
    const bridge = await open({ before: 'sleep 1000 &' });
    await expectInOrder(bridge);
    const { pid } = await statusOf(bridge);
    const [inner] = bridge.pids();
    expect(inner).not.toBe(pid);
    const use = (await treeUse([pid])).get(pid);
    expect(use?.memory).toBeGreaterThan(20 * 1024 ** 2);
    expect(use?.processorTime).toBeGreaterThan(0);
  });

  it('CNF-09 is stopped when it uses too much memory', async () => {
    const greedy = [
      { on: { method: 'textDocument/definition' }, do: [{ allocate: { megabytes: 350 } }, { never: true }] },
    ] as const;
    const bridge = await open({ lives: [{ rules: greedy }, {}], memory: 200 * 1024 ** 2 });
    expectError(await ask(bridge), 'memory_limit');
    await expectInOrder(bridge);
  });

  it('CNF-11 that ends at its start like a sandbox that does not work is not let out of it', async () => {
    const notes = temporaryFolder('lspan-notes-');
    const before = `readlink /proc/self/ns/pid >> ${notes}/spaces; echo "bwrap: no permissions" >&2; exit 1`;
    const bridge = await open({ before, writableFolders: [notes] });
    expectError(await ask(bridge), 'server_crashed', 'bwrap: no permissions');
    expect((await bridge.call('get_server_status', {})).text).not.toContain('unconfined');
    const spaces = readFileSync(path.join(notes, 'spaces'), 'utf8').trim().split('\n');
    expect(spaces.length).toBeGreaterThan(0);
    expect(spaces).not.toContain(readlinkSync('/proc/self/ns/pid'));
  });

  it('CNF-10 that crashes is described by the signal that ended it', async () => {
    const crash = [{ on: { method: 'textDocument/definition' }, do: [{ signalSelf: 'SIGSEGV' }] }] as const;
    const bridge = await open({ lives: [{ rules: crash }, {}] });
    await ask(bridge);
    expect(await statusOf(bridge)).toMatchObject({ last_exit: { how: 'signal SIGSEGV' } });
  });
});

describe('the choice of a sandbox', () => {
  const sandbox: Sandbox = {
    ownProcessNumbers: true,
    signalsAsCodes: true,
    confine: (command) => command,
    fault: async () => undefined,
  };
  const trusted = { granted: true, reason: '' };
  const make = (mode: ConfineMode, own?: ConfineMode, found: Sandbox | string = sandbox) => {
    const definition = definitionWith(own);
    const confinement = new Confinement({
      mode,
      definitions: [definition],
      roots: [],
      environment: {},
      log: silent,
      sandbox: found,
    });
    return { confinement, of: (trust = untrusted) => confinement.sandboxFor(definition, trust) };
  };

  it('CNF-11 is "untrusted": depends on trust, and on nothing else', () => {
    const { of } = make('untrusted');
    expect(of(untrusted)).toBe(sandbox);
    expect(of(trusted)).toBeUndefined();
  });

  it.each([
    ['always', undefined, true, true],
    ['never', undefined, false, false],
    ['never', 'always', true, true],
    ['always', 'never', false, false],
    ['always', 'untrusted', true, false],
  ] as const)('is "%s" for all and %s for a server', (mode, own, isUntrustedConfined, isTrustedConfined) => {
    const { of } = make(mode, own);
    expect(of(untrusted) !== undefined).toBe(isUntrustedConfined);
    expect(of(trusted) !== undefined).toBe(isTrustedConfined);
  });

  it('says in one line that it is impossible, unless nobody wants it', () => {
    const { confinement, of } = make('untrusted', undefined, 'bubblewrap is not installed');
    expect(of()).toBeUndefined();
    expect(confinement.notice).toBe(
      'Language servers run unconfined, with all rights of the user: bubblewrap is not installed.',
    );
    expect(make('never', undefined, 'bubblewrap is not installed').confinement.notice).toBeUndefined();
  });

  it('is tried once, after a start in it failed, and given up if it works nowhere', async () => {
    let tried = 0;
    const fault = async () => {
      tried += 1;
      return 'this system does not allow it (no)';
    };
    const { confinement, of } = make('untrusted', undefined, { ...sandbox, fault });
    expect(confinement.notice).toBeUndefined();
    expect(of()).toBeDefined();
    expect(await Promise.all([confinement.isImpossible(), confinement.isImpossible()])).toEqual([true, true]);
    expect(of()).toBeUndefined();
    expect(tried).toBe(1);
    expect(confinement.notice).toContain('this system does not allow it (no)');
  });

  it('is not given up if a server has started in it, whatever fails later', async () => {
    const full = { ...sandbox, fault: async () => 'it is full' };
    const { confinement, of } = make('untrusted', undefined, full);
    confinement.prove();
    expect(await confinement.isImpossible()).toBe(false);
    expect(of()).toBe(full);
    expect(confinement.notice).toBeUndefined();
  });
});

it('CNF-11 a server without a sandbox works as before, and the status says so', async () => {
  const folder = temporaryFolder('lspan-path-');
  const environment = { PATH: folder };
  const bridge = await openTestBridge({ config: { confine: 'untrusted' }, environment });
  await expectInOrder(bridge);
  const { text } = await bridge.call('get_server_status', {});
  expect(text).toContain(
    '\n! Language servers run unconfined, with all rights of the user: bubblewrap is not installed.\n',
  );
  expect(text).not.toContain(', confined');
});

it('CNF-11 a server whose sandbox the system forbids starts without it, and the status says so', async () => {
  const folder = temporaryFolder('lspan-path-');
  const script = '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n';
  writeFileSync(path.join(folder, 'bwrap'), script, { mode: 0o700 });
  const config: Partial<Config> = { confine: 'untrusted' };
  const bridge = await openTestBridge({ config, environment: { PATH: folder } });
  await expectInOrder(bridge);
  const { text, data } = await bridge.call('get_server_status', {});
  expect(text).toContain(
    'run unconfined, with all rights of the user: this system does not allow it (bwrap: No permissions',
  );
  expect(data).toMatchObject({ servers: [{ id: 'fake', restarts: 0 }] });
  expect(data).not.toMatchObject({ servers: [{ confined: true }] });
  expect(data).not.toMatchObject({ servers: [{ last_exit: {} }] });
  expect(bridge.pids()).toHaveLength(1);
});

async function open(server: TestServer, environment = {}, hold = ''): Promise<TestBridge> {
  const pipe = /'(.*)\/pipe'/.exec(hold)?.[1];
  const config: Partial<Config> = { confine: 'always' };
  const more = pipe === undefined ? {} : { libraryFolders: [pipe] };
  return openTestBridge({ servers: { fake: { ...server, ...more } }, config, environment });
}

async function statusOf(bridge: TestBridge): Promise<{ readonly pid: number }> {
  const { data } = await bridge.call('get_server_status', { server: 'fake' });
  const { servers }: { servers: { pid: number }[] } = JSON.parse(JSON.stringify(data));
  const [only] = servers;
  if (!only) throw new Error('no server');
  return only;
}

function definitionWith(confine: ConfineMode | undefined): ServerDefinition {
  return {
    id: 'one',
    extensions: { one: 'one' },
    program: { sources: [], args: [] },
    ready: { kind: 'immediate' },
    install: 'Install it.',
    ...(confine === undefined ? {} : { confinement: { confine } }),
  };
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
