import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { outcomeIn } from '../../../src/frontends/daemon/client/remote-resources.ts';
import { daemonPlace } from '../../../src/frontends/daemon/place.ts';
import { buildOf } from '../../../src/platform/files/identity-files.ts';
import { question } from '../../test-bridge.ts';
import { attach, daemonWorld, isRunning, logOf } from './daemon-world.ts';
import { copyBuild, startOtherBuild } from './other-build.ts';

it('the logs of earlier builds are removed, but for the latest', async () => {
  const { daemons, place, warm } = daemonWorld();
  const { name } = place();
  const old = Array.from({ length: 10 }, (_, age) => ({ name: `${age}`.repeat(16), age }));
  for (const { name: of, age } of old)
    for (const file of [`${of}.log`, `${of}.log.1`]) {
      writeFileSync(path.join(daemons, file), 'x');
      utimesSync(path.join(daemons, file), 1_000 - age, 1_000 - age);
    }
  await warm();
  const logs = () => readdirSync(daemons).filter((file) => file.includes('.log'));
  const kept = old.slice(0, limits.daemon.logs).flatMap(({ name: of }) => [`${of}.log`, `${of}.log.1`]);
  await expect.poll(() => logs().sort()).toEqual([...kept, `${name}.log`].sort());
});

describe('the daemon of another build', () => {
  it('DMN-20 stays if its program was not replaced', async () => {
    const world = daemonWorld();
    const other = await startOtherBuild(world);
    const bridge = await world.open();
    await bridge.call(question.tool, question.input);
    const pids = (await world.status()).map(({ pid }) => pid);
    expect(pids).toHaveLength(2);
    expect(pids).toContain(other);
    expect(isRunning(other)).toBe(true);
  });

  it.each(['replaced', 'removed'])(
    'DMN-20 leaves when a new one starts, if its program was %s',
    async (how) => {
      const world = daemonWorld();
      const build = copyBuild(world);
      const other = await startOtherBuild(world, build);
      if (how === 'replaced') build.replace('newer');
      else rmSync(path.dirname(build.script), { recursive: true });
      const bridge = await world.open();
      expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
      await expect.poll(() => isRunning(other)).toBe(false);
      expect(await world.status()).toHaveLength(1);
      expect(logOf(world.daemons).join('\n')).toContain('"ending":"replaced"');
    },
  );

  it('DMN-20 finishes its calls before it leaves', async () => {
    const definition = 'textDocument/definition';
    const world = daemonWorld({
      rules: [{ on: { method: definition }, do: [{ waitFor: 'textDocument/hover' }, { reply: 'auto' }] }],
    });
    const build = copyBuild(world);
    const other = await startOtherBuild(world, build);
    const old = await attach(world, daemonPlace(world.environment, buildOf(build.script)));
    const answer = old.request('call', { id: '1', tool: question.tool, args: question.input });
    await expect.poll(() => world.heard()).toContain(definition);
    build.replace('newer');
    await world.open();
    await expect.poll(() => logOf(world.daemons).join('\n')).toContain('"ending":"replaced"');
    expect(isRunning(other)).toBe(true);
    const args = { file_path: 'a.txt', line: 1, character: 11 };
    expect(outcomeIn(await old.request('call', { id: '2', tool: 'get_hover', args }))).toMatchObject({
      isError: false,
    });
    expect(outcomeIn(await answer)).toMatchObject({ data: question.answer });
    await expect.poll(() => isRunning(other)).toBe(false);
  });
});
