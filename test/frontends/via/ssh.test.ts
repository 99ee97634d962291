import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { question } from '../../test-bridge.ts';
import { end, isRunning, startMcp } from '../daemon/daemon-world.ts';
import { localSsh, overSsh, withoutSsh } from './local-ssh.ts';
import { viaWorld } from './via-world.ts';

const shownAnswer = '1:10 function alpha';
const renaming = { symbol_name: 'alpha', file_path: 'a.txt', new_name: 'gamma', dry_run: false };

/** A project behind a real ssh, whose lspan has the state folder of the test. */
async function sshWorld() {
  const world = viaWorld();
  const { HOME = '', XDG_STATE_HOME = '' } = world.environment;
  const ssh = await localSsh({ XDG_STATE_HOME, XDG_CACHE_HOME: HOME });
  const flags = ['--via', ssh.command.join(' '), '--via-program', world.program.join(' ')];
  return { world, ssh, flags };
}

describe.skipIf(withoutSsh !== '')(overSsh('lspan through a real ssh'), () => {
  it('VIA-01 answers and edits where the code is, and leaves nothing there', async () => {
    const { world, ssh, flags } = await sshWorld();
    const { child, call } = await startMcp(world, flags);
    expect((await call(question.tool, question.input)).content[0]?.text).toContain(shownAnswer);
    const { content } = await call('rename_symbol', renaming);
    expect(content[0]?.text).toContain('Done: rename alpha to gamma');
    expect(readFileSync(path.join(world.root, 'b.txt'), 'utf8')).toContain('gamma is used');
    const servers = world.servers();
    expect(servers).toHaveLength(1);
    child.stdin?.end();
    await once(child, 'exit');
    for (const pid of servers) await expect.poll(() => isRunning(pid)).toBe(false);
    await expect.poll(() => ssh.connections()).toEqual([]);
  });

  it('VIA-04 is reached again by the next call after the connection was cut there', async () => {
    const { world, ssh, flags } = await sshWorld();
    const { child, call } = await startMcp(world, flags);
    await call(question.tool, question.input);
    const [connection = 0] = ssh.connections();
    const [server = 0] = world.servers();
    end(connection);
    expect((await call(question.tool, question.input)).content[0]?.text).toContain(shownAnswer);
    await expect.poll(() => isRunning(server)).toBe(false);
    // Cut while it edits: the journal there knows what became of it.
    const lost = call('rename_symbol', renaming);
    for (const pid of ssh.connections()) end(pid);
    const [{ text = '' } = {}] = (await lost).content;
    const now = readFileSync(path.join(world.root, 'a.txt'), 'utf8');
    const isDone = /had changed the files|Done: rename/.test(text);
    expect(text).toMatch(
      /had changed the files|Done: rename|taken back|before rename_symbol changed anything/,
    );
    expect(now.includes('gamma')).toBe(isDone);
    child.kill('SIGKILL');
    await expect.poll(() => ssh.connections()).toEqual([]);
    for (const pid of world.servers()) await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('VIA-03 says what to run where lspan is not there', async () => {
    const { world, ssh } = await sshWorld();
    const opening = world.openVia({ via: ssh.command, program: ['no-lspan-here'] });
    await expect(opening).rejects.toMatchObject({
      code: 'not_installed',
      message: expect.stringMatching(/no-lspan-here is not at the far end of ssh .*exit code 127/),
      nextStep: expect.stringContaining("sh -c 'cat >lspan.cjs' <lspan.cjs"),
    });
  });
});
