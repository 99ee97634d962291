import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { question } from '../../test-bridge.ts';
import { daemonWorld, startMcp } from './daemon-world.ts';

const definition = 'textDocument/definition';
const hover = 'textDocument/hover';

describe('a client that is killed in the middle of a call', () => {
  it('DMN-04 has its call cancelled, and the call of another client goes on', async () => {
    // The other one's question is answered only after the first one's was cancelled.
    const world = daemonWorld({
      rules: [
        { on: { method: definition, nth: 1 }, do: [{ never: true }] },
        { on: { method: hover, nth: 1 }, do: [{ waitFor: '$/cancelRequest' }, { reply: 'auto' }] },
      ],
    });
    const other = await world.open();
    const { child, call } = await startMcp(world);
    const lost = call(question.tool, question.input).catch(() => 'lost');
    await expect.poll(() => world.heard()).toContain(definition);
    const answer = other.call('get_hover', { file_path: 'a.txt', line: 1, character: 11 });
    await expect.poll(() => world.heard()).toContain(hover);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect((await answer).isError).toBe(false);
    expect(await lost).toBe('lost');
    expect(world.heard()).toContain('$/cancelRequest');
    await expect.poll(async () => (await world.status())[0]?.clients).toMatchObject([{ calls: 0 }]);
    expect(world.starts()).toBe(1);
    expect((await other.call(question.tool, question.input)).data).toMatchObject(question.answer);
  });

  it('DMN-04 leaves a server that others use, and no call of its own', async () => {
    const world = daemonWorld();
    await world.warm();
    const { child, call } = await startMcp(world);
    await call(question.tool, question.input);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const other = await world.open();
    expect((await other.call(question.tool, question.input)).data).toMatchObject(question.answer);
    expect(world.servers()).toHaveLength(1);
    const [status] = await world.status();
    expect(status?.clients).toHaveLength(1);
    expect(status?.lastCalls.length).toBeLessThanOrEqual(limits.daemon.lastCalls);
  });
});
