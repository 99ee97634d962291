import { describe, expect, it } from 'vitest';
import { Channel } from '../../../src/frontends/daemon/channel.ts';
import { obtainDaemon } from '../../../src/frontends/daemon/client/obtain-daemon.ts';
import { question } from '../../test-bridge.ts';
import { bin, daemonWorld, patience } from './daemon-world.ts';

describe('the first call', () => {
  it('DMN-01 of fifty at once starts one daemon, which all of them use', async () => {
    const { environment, starts, pid } = daemonWorld();
    const search = { script: bin, environment, time: patience };
    const all = await Promise.all(Array.from({ length: 50 }, () => obtainDaemon(search)));
    const found = all.flatMap((one) => ('channel' in one ? [one.channel] : []));
    for (const channel of found) channel.close();
    expect(all.filter((one) => 'unavailable' in one)).toEqual([]);
    expect(found.every((one) => one instanceof Channel)).toBe(true);
    expect(starts()).toBe(1);
    expect(await pid()).toBeGreaterThan(0);
  });

  it('DMN-01 of eight processes at once starts one daemon, and each is answered', async () => {
    const { call, starts, status } = daemonWorld();
    const ran = await Promise.all(
      Array.from({ length: 8 }, () => call(question.tool, question.input, '--json')),
    );
    for (const { code, out } of ran) {
      expect(JSON.parse(out)).toMatchObject({ ...question.answer, is_error: false });
      expect(code).toBe(0);
    }
    expect(starts()).toBe(1);
    expect(await status()).toHaveLength(1);
  });
});
