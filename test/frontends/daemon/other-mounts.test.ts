import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { folderIdentity } from '../../../src/platform/files/file-facts.ts';
import { unlessSkipped } from '../../missing-programs.ts';
import { question } from '../../test-bridge.ts';
import { attach, bin, type DaemonWorld, daemonWorld } from './daemon-world.ts';

const alone = ['--mount', '--propagation', 'private', '/bin/sh', '-c'];

const unshared = spawnSync('/usr/bin/unshare', [...alone, 'mount -t tmpfs none /mnt']);

/** Why no client can be started that sees other files; empty if one can. */
const missing = unshared.status === 0 ? '' : 'this user may not mount in a namespace of its own';

describe('a client that sees other files than the daemon, as in a container', () => {
  it.skipIf(missing !== '')(
    unlessSkipped(missing, 'DMN-24 is answered about its own, in its own process'),
    async () => {
      const world = daemonWorld();
      const bridge = await world.open();
      expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
      const shown = elsewhere(
        world,
        'mount -t tmpfs none "$0"; printf "other\\nfunction alpha\\n" > "$0/a.txt"',
      );
      expect(shown).toContain('2:10 function alpha');
      expect(shown).toContain('why="it sees another folder at');
      expect((await world.status())[0]?.lastCalls).toHaveLength(1);
    },
  );

  it.skipIf(missing !== '')(
    unlessSkipped(missing, 'DMN-24 shares the daemon if the folder of its workspace is the same'),
    async () => {
      const world = daemonWorld();
      await world.warm();
      const shown = elsewhere(world, 'mount --bind "$0" "$0"; mount -t tmpfs none /mnt');
      expect(shown).toContain('1:10 function alpha');
      expect((await world.status())[0]?.lastCalls).toHaveLength(1);
    },
  );

  it('DMN-24 is refused for each folder that is another one', async () => {
    const world = daemonWorld();
    await world.warm();
    const { root, folder } = world;
    const ids = [root, folder].map(folderIdentity);
    const refusal = (folders: unknown) =>
      attach(world, world.place(), { roots: [root, folder], folders }).then(
        (channel) => channel.close(),
        ({ message }: Error) => message,
      );
    expect(await refusal(ids)).toBeUndefined();
    expect(await refusal([ids[0], ids[0]])).toBe(`it sees another folder at "${folder}".`);
    expect(await refusal(ids.slice(0, 1))).toBe(`it sees another folder at "${folder}".`);
    expect(await refusal('x')).toBe('The settings cannot be read.');
  });
});

/** Asks from a namespace of its own, where something was done to the folder of the workspace. */
function elsewhere({ root, environment, flags }: DaemonWorld, change: string): string {
  const input = JSON.stringify({ symbol_name: 'alpha', file_path: 'a.txt' });
  const asked = [process.execPath, bin, 'call', 'find_definition', input, '--daemon', ...flags];
  const { stdout, stderr } = spawnSync(
    '/usr/bin/unshare',
    [...alone, `${change}; exec "$@"`, root, ...asked],
    { encoding: 'utf8', env: environment },
  );
  return stdout + stderr;
}
