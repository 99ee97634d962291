import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { unlessSkipped } from '../../missing-programs.ts';
import { question } from '../../test-bridge.ts';
import { type DaemonWorld, daemonWorld, outputOf } from './daemon-world.ts';

/** Spoils the place of the daemon; returns variables and shell words for the client. */
type Spoil = (
  world: DaemonWorld,
  state: string,
) => { readonly environment?: Record<string, string>; readonly before?: string };

const spoilt: readonly (readonly [string, Spoil, string | RegExp])[] = [
  [
    'cannot be written',
    () => ({ environment: { XDG_STATE_HOME: '/sys' } }),
    /\/sys\/\S+ cannot be made: E\w+/,
  ],
  [
    'is where no folder can be made and nothing says so',
    () => ({ environment: { XDG_STATE_HOME: '/proc' } }),
    /\/proc\/\S+ cannot be made: E\w+/,
  ],
  [
    'has a long path',
    ({ folder }) => ({ environment: { XDG_STATE_HOME: path.join(folder, 'x'.repeat(200)) } }),
    'the path of its socket would be longer than 107 bytes',
  ],
  ['is a file', (_, state) => filled(() => writeFileSync(state, '')), /cannot be made: E\w+/],
  [
    'is a link',
    ({ folder }, state) =>
      filled(() => {
        mkdirSync(path.join(folder, 'elsewhere'), { mode: 0o700 });
        symlinkSync(path.join(folder, 'elsewhere'), state);
      }),
    'is no folder, or a link to one',
  ],
  [
    'has a link in the place of the folder of daemons',
    ({ folder }, state) =>
      filled(() => {
        mkdirSync(path.join(folder, 'elsewhere'), { mode: 0o700 });
        mkdirSync(state, { mode: 0o700 });
        symlinkSync(path.join(folder, 'elsewhere'), path.join(state, 'daemon'));
      }),
    'is no folder, or a link to one',
  ],
  [
    'can be written by others',
    (_, state) =>
      filled(() => {
        mkdirSync(state);
        chmodSync(state, 0o777);
      }),
    /There is no safe place for a daemon: \S+ is not safe, because others may open it: .* Run `chmod 700 \S+`\. lspan works/,
  ],
];

describe('a state folder', () => {
  it.each(spoilt)('DMN-08 that %s makes lspan work in its own process, and say why', expectOwnProcess);

  it.skipIf(process.getuid?.() !== 0)(
    'DMN-08 that belongs to somebody else makes lspan work in its own process, and say why',
    async () => {
      const spoil: Spoil = (_, state) =>
        filled(() => {
          mkdirSync(state, { mode: 0o700 });
          chownSync(state, 12_345, 12_345);
        });
      await expectOwnProcess(
        'belongs to somebody else',
        spoil,
        /There is no safe place for a daemon: \S+ is not safe, because it belongs to another user\. Set XDG_STATE_HOME /,
      );
    },
  );

  it('DMN-08 that cannot be written any more, as on a full disk, makes lspan work in its own process, and say why', async () => {
    const { start, flags, starts } = daemonWorld();
    const full = { before: 'ulimit -f 0' };
    const { out } = await outputOf(start(['call', 'get_server_status', '--daemon', ...flags], full));
    // On a busy machine the client does not wait until the daemon has told why.
    expect(out).toMatch(
      /No daemon is used: it (could not be started: EFBIG.*|was not ready in time\.) lspan works in this process\./,
    );
    expect(starts()).toBe(0);
  });

  const unmountable = canMount() ? '' : 'this user may mount no disk';
  it.skipIf(unmountable !== '')(
    unlessSkipped(
      unmountable,
      'DMN-08 on a disk that is full makes lspan work in its own process, and say why',
    ),
    async () => {
      const world = daemonWorld();
      const state = path.dirname(world.daemons);
      mkdirSync(state, { mode: 0o700 });
      mount(state);
      const room = openSync(path.join(state, 'room'), 'w');
      const fill = () => {
        for (;;) writeSync(room, Buffer.alloc(4_096));
      };
      expect(fill).toThrow('ENOSPC');
      closeSync(room);
      const { out } = await world.call('get_server_status', {});
      expect(out).toMatch(
        /No daemon is used: (.*ENOSPC.*|it was not ready in time\.) lspan works in this process\./,
      );
      expect((await world.call(question.tool, question.input)).code).toBe(0);
      expect(world.starts()).toBe(0);
    },
  );

  const alone = existsSync('/dev/shm') ? '' : 'this system has no /dev/shm';
  it.skipIf(alone !== '')(
    unlessSkipped(alone, 'DMN-08 on another device has a daemon as on any'),
    async () => {
      const world = daemonWorld();
      const state = mkdtempSync('/dev/shm/lsd-');
      onTestFinished(() => rmSync(state, { recursive: true, force: true }));
      const environment = { ...world.environment, XDG_STATE_HOME: state };
      const bridge = await world.open({ environment });
      onTestFinished(async () => {
        await outputOf(world.start(['stop', '--force'], { environment }));
      });
      expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
      expect(world.reasons).toEqual([]);
      expect(readdirSync(path.join(state, 'lspan', 'daemon')).join()).toMatch(/\.sock/);
    },
  );

  it('DMN-08 that is put right has a daemon with the next client', async () => {
    const world = daemonWorld();
    const state = path.dirname(world.daemons);
    writeFileSync(state, '');
    const first = await world.open();
    expect((await first.call(question.tool, question.input)).data).toMatchObject(question.answer);
    expect(world.reasons).toHaveLength(1);
    rmSync(state);
    const second = await world.open();
    expect((await second.call(question.tool, question.input)).data).toMatchObject(question.answer);
    expect(world.reasons).toHaveLength(1);
    expect(world.starts()).toBe(1);
  });
});

async function expectOwnProcess(_: string, spoil: Spoil, reason: string | RegExp): Promise<void> {
  const world = daemonWorld();
  const options = spoil(world, path.dirname(world.daemons));
  const ask = (tool: string, input: object, ...flags: readonly string[]) =>
    outputOf(
      world.start(['call', tool, JSON.stringify(input), '--daemon', ...world.flags, ...flags], options),
    );
  const { out } = await ask('get_server_status', {});
  expect(out).toMatch(reason);
  expect(out).toContain('lspan works in this process.');
  const answer = await ask(question.tool, question.input, '--json');
  expect(JSON.parse(answer.out)).toMatchObject(question.answer);
  expect(world.starts()).toBe(0);
  const elsewhere = path.join(world.folder, 'elsewhere');
  expect(existsSync(elsewhere) ? readdirSync(elsewhere) : []).toEqual([]);
}

/** True where this user may mount a file system. */
function canMount(): boolean {
  const folder = mkdtempSync('/tmp/lsd-mount-');
  const { status } = spawnSync('/usr/bin/mount', ['-t', 'tmpfs', 'none', folder]);
  if (status === 0) spawnSync('/usr/bin/umount', [folder]);
  rmSync(folder, { recursive: true });
  return status === 0;
}

/** Mounts a small disk until the test has ended. */
function mount(folder: string): void {
  const { status } = spawnSync('/usr/bin/mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=700', 'none', folder]);
  expect(status).toBe(0);
  onTestFinished(() => void spawnSync('/usr/bin/umount', ['-l', folder]));
}

function filled(fill: () => void): object {
  fill();
  return {};
}
