import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { outcomeIn } from '../../../src/frontends/daemon/client/remote-resources.ts';
import { lackedPrograms, unlessSkipped } from '../../missing-programs.ts';
import { question } from '../../test-bridge.ts';
import { attach, bin, daemonWorld, isRunning, logOf, startMcp } from './daemon-world.ts';
import { startOtherBuild } from './other-build.ts';

describe('lspan status', () => {
  it('DMN-17 shows the daemon, its clients, workspaces, servers and last calls, as text and as data', async () => {
    const world = daemonWorld();
    await world.warm();
    const { call, child } = await startMcp(world);
    await call(question.tool, question.input);
    await call('get_hover', { file_path: 'no-such.txt', line: 1, character: 1 });
    const [status] = await world.status();
    expect(status).toMatchObject({
      executable: expect.stringMatching(/dist\/bin\.js$/),
      isLeaving: false,
      clients: [{ pid: child.pid, command: 'mcp', roots: [world.root], readOnly: false, calls: 0 }],
      workspaces: [{ roots: [world.root], calls: 0, servers: [{ id: 'fake', state: 'running' }] }],
      lastCalls: [
        { tool: 'get_hover', error: 'not_found', client: { pid: child.pid, command: 'mcp' } },
        { tool: question.tool, doubts: [] },
      ],
    });
    const { code, out } = await world.run('status');
    expect(code).toBe(0);
    expect(out.replaceAll(/\d\d:\d\d:\d\d/g, '<time>').replaceAll(/\d+ (s|ms|MB|min)\b/g, '<n> $1')).toBe(
      [
        `lspan ${status?.version}, process ${status?.pid}, up <n> s, <n> MB`,
        'Language servers: 1, <n> MB of at most <n> MB',
        '',
        'Clients: 1',
        `  mcp (process ${child.pid}) in ${world.root}`,
        'Workspaces: 1',
        `  ${world.root}: last used <n> s ago`,
        '    fake: running, <n> MB, up <n> s',
        'Last calls: 2',
        `  <time> get_hover <n> ms, not_found (mcp ${child.pid}, ${world.root})`,
        `  <time> ${question.tool} <n> ms, complete (mcp ${child.pid}, ${world.root})`,
        '',
      ].join('\n'),
    );
  });

  it('DMN-17 says that no daemon is running, and makes no folder', async () => {
    const world = daemonWorld();
    const none = /^No daemon is running\. One starts with .*--daemon/;
    expect(await world.run('status')).toMatchObject({ code: 0, out: expect.stringMatching(none) });
    expect((await world.run('status', '--json')).out).toBe('{"daemons":[]}\n');
    expect(await world.run('stop')).toMatchObject({ code: 0, out: 'No daemon is running.\n' });
    expect(await world.run('stop', '--force')).toMatchObject({ code: 0, out: 'No daemon is running.\n' });
    expect(readdirSync(path.dirname(path.dirname(world.daemons)))).toEqual([]);
  });

  it('DMN-17 shows a call in progress, and is not kept by it', async () => {
    const rules = [{ on: { method: 'textDocument/definition' }, do: [{ never: true as const }] }];
    const world = daemonWorld({ rules });
    const bridge = await world.open();
    const answer = bridge.call(question.tool, question.input);
    await expect.poll(() => world.heard()).toContain('textDocument/definition');
    expect((await world.run('status')).out).toContain(': 1 call in progress');
    expect((await world.status())[0]).toMatchObject({ clients: [{ calls: 1 }], workspaces: [{ calls: 1 }] });
    await bridge.close({ hurried: true });
    expect((await answer).data).toMatchObject({ error: { code: 'cancelled' } });
  });

  it('DMN-17 does not take what a dead daemon left for a daemon', async () => {
    const world = daemonWorld();
    await world.open();
    const pid = await world.pid();
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect(readdirSync(world.daemons).length).toBeGreaterThan(3);
    expect((await world.run('status')).out).toMatch(/^No daemon is running/);
    expect(await world.run('stop', '--force')).toMatchObject({ code: 0, out: 'No daemon is running.\n' });
  });

  const lacked = lackedPrograms('script');
  it.skipIf(lacked !== '')(
    unlessSkipped(lacked, 'DMN-17 draws the view anew on a terminal, until it is interrupted'),
    async () => {
      const world = daemonWorld();
      await world.warm();
      const command = [process.execPath, bin, 'status', '--watch'].join(' ');
      const watching = spawn('/usr/bin/script', ['-qec', command, '/dev/null'], {
        env: { ...world.environment, SHELL: '/bin/sh' },
        stdio: 'pipe',
      });
      onTestFinished(() => void watching.kill('SIGKILL'));
      let shown = '';
      watching.stdout.on('data', (chunk) => {
        shown += String(chunk);
      });
      const views = () => shown.split('\u001b[H\u001b[2J').slice(1);
      await expect.poll(() => views().length).toBeGreaterThan(0);
      const { call } = await startMcp(world);
      await call(question.tool, question.input);
      await expect
        .poll(() => views().at(-1))
        .toMatch(/Clients: 1\r\n {2}mcp .*\r\n(?:.*\r\n)*Last calls: 1\r\n/);
      expect(views()[0]).toMatch(/^lspan .*, process \d+, up .*\r\n/);
      const ended = once(watching, 'close');
      watching.stdin.write('\u0003');
      expect((await ended)[0]).toBe(130);
    },
  );

  it('DMN-17 writes one view after the other where there is no terminal', async () => {
    const world = daemonWorld();
    const watching = world.start(['status', '--watch']);
    let shown = '';
    watching.stdout?.on('data', (chunk) => {
      shown += String(chunk);
    });
    await expect.poll(() => shown).toBe('No daemon is running.\n'.repeat(2));
    const ended = once(watching, 'close');
    watching.kill('SIGTERM');
    expect((await ended)[0]).toBe(143);
  });
});

describe('lspan stop', () => {
  it.each([
    ['DMN-18 ends the daemon and its servers, and leaves none of its files but the log', []],
    ['DMN-18 by force ends the daemon and its servers', ['--force']],
  ])('%s; the next call starts another one', async (_, flags) => {
    const world = daemonWorld();
    const bridge = await world.open();
    await bridge.call(question.tool, question.input);
    const pid = await world.pid();
    const said = `${flags.length > 0 ? 'Ended' : 'Stopped'} the daemon (process ${pid}).\n`;
    expect(await world.run('stop', ...flags)).toMatchObject({ code: 0, out: said });
    await expect.poll(() => [pid, ...world.servers()].filter(isRunning)).toEqual([]);
    const left = readdirSync(world.daemons).map((name) => path.extname(name));
    if (flags.length === 0) expect(left).toEqual(['.log']);
    expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
    expect(world.starts()).toBe(2);
  });

  it('DMN-18 lets a call in progress end first', async () => {
    const rules = [
      {
        on: { method: 'textDocument/definition' },
        do: [{ waitFor: 'textDocument/hover' }, { reply: 'auto' as const }],
      },
    ];
    const world = daemonWorld({ rules });
    await world.warm();
    const client = await attach(world);
    const answer = client.request('call', { id: '1', tool: question.tool, args: question.input });
    await expect.poll(() => world.heard()).toContain('textDocument/definition');
    const stopped = world.run('stop');
    await expect.poll(() => logOf(world.daemons).join('\n')).toContain('"ending":"stopped"');
    const args = { file_path: 'a.txt', line: 1, character: 11 };
    expect(outcomeIn(await client.request('call', { id: '2', tool: 'get_hover', args }))).toMatchObject({
      isError: false,
    });
    expect(outcomeIn(await answer)).toMatchObject({ data: question.answer });
    expect((await stopped).code).toBe(0);
  });

  it('DMN-18 ends the daemons of all builds', async () => {
    const world = daemonWorld();
    await world.open();
    const other = await startOtherBuild(world);
    expect(await world.status()).toHaveLength(2);
    const { code, out } = await world.run('stop');
    expect([code, out.split('\n').filter((line) => line.startsWith('Stopped')).length]).toEqual([0, 2]);
    await expect.poll(() => isRunning(other)).toBe(false);
  });
});

describe('the choice of a daemon', () => {
  it('DMN-19 cannot be both', async () => {
    const world = daemonWorld();
    const { code, err } = await world.run(
      'call',
      'get_server_status',
      '--daemon',
      '--no-daemon',
      ...world.flags,
    );
    expect(code).toBe(2);
    expect(err).toMatch(/--daemon.*--no-daemon/);
    expect(world.starts()).toBe(0);
  });

  it('DMN-19 is the user’s: by default none, by the file, and a flag overrides the file', async () => {
    const world = daemonWorld();
    const ask = (...flags: readonly string[]) =>
      world.run('call', 'get_server_status', ...flags, ...world.flags);
    await ask();
    expect(world.starts()).toBe(0);
    const config = JSON.parse(readFileSync(world.config, 'utf8'));
    writeFileSync(world.config, JSON.stringify({ ...config, daemon: true }));
    await ask('--no-daemon');
    expect(world.starts()).toBe(0);
    await ask();
    await expect.poll(() => world.starts()).toBe(1);
    const { out } = await world.run('config', ...world.flags);
    expect(out).toMatch(/daemon\W+true.*c\.json/);
  });

  it('DMN-19 is not a repository’s', async () => {
    const world = daemonWorld();
    writeFileSync(path.join(world.root, '.lspan.toml'), 'daemon = true\n');
    await world.run('call', 'get_server_status', ...world.flags);
    expect(world.starts()).toBe(0);
  });
});
