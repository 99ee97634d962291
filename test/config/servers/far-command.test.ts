import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../../../src/config/default-config.ts';
import { serverSchema } from '../../../src/config/schema/server-schema.ts';
import { farCommand } from '../../../src/config/servers/far-command.ts';
import { mergeDefinitions } from '../../../src/config/servers/merge-definition.ts';
import { readServer } from '../../../src/config/servers/read-server.ts';
import { servers } from '../../../src/servers/index.ts';

const keys = {
  id: 'pyright',
  via: ['docker', 'exec', '-i', 'dev'],
  command: ['pyright-langserver', '--stdio'],
};

describe('a server with via', () => {
  it('VIA-10 is started by it, without what is true of this machine only, and not confined', () => {
    const server = readServer(serverSchema.parse({ ...keys, paths: { '/p': '/workspace' } }));
    const [changed] = mergeDefinitions(
      servers.filter(({ id }) => id === 'pyright'),
      { ...defaultConfig, servers: [server] },
    );
    expect(changed?.program.sources).toEqual([
      { kind: 'command', command: farCommand(keys.via, keys.command, false) },
    ]);
    expect(changed).toMatchObject({
      far: { paths: [{ near: '/p', far: '/workspace' }], isShared: true },
      confinement: { confine: 'never' },
    });
    expect(changed?.program.rootEnv).toBeUndefined();
    expect(changed?.handshake?.settings).toBeUndefined();
  });

  it.each([
    [{ id: 'x', via: ['ssh', 'host'] }, 'needs `command`'],
    [{ id: 'x', command: ['x'], paths: { '/a': '/b' } }, 'go with `via`'],
    [{ ...keys, paths: { '/a': '/x', '/b': '/x' } }, 'two folders here for one there'],
    [{ ...keys, paths: { a: '/x' } }, 'absolute path'],
    [{ ...keys, paths: { '/a': 'x' } }, 'is not an absolute path'],
    [{ ...keys, paths: { '/a': '/x/../y' } }, 'is not an absolute path'],
    [{ ...keys, via: ['./docker'] }, 'is a relative path'],
  ])('VIA-10 %o is refused', (wrong, why) => {
    expect(JSON.stringify(serverSchema.safeParse(wrong).error?.issues)).toContain(why);
  });

  it('VIA-15 gets its words unchanged through ssh, whose far end is a shell, and its exit code comes back', () => {
    const command = ['printf', '%s|', "it's", '$HOME', 'a  b', '*'];
    const [, ...words] = farCommand(['ssh'], command, false);
    // What ssh does: it joins the words, and a shell takes them apart.
    const { stdout } = spawnSync('/bin/sh', ['-c', words.join(' ')], { encoding: 'utf8', input: '' });
    expect(stdout).toBe("it's|$HOME|a  b|*|");
    const [file = '', ...args] = farCommand(['env'], ['sh', '-c', 'cat; exit 7'], false);
    const ran = spawnSync(file, args, { encoding: 'utf8', input: 'all of it' });
    expect(ran).toMatchObject({ status: 7, stdout: 'all of it' });
  });
});
