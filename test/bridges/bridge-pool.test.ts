import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Bridge } from '../../src/bridge.ts';
import { BridgePool, type PooledSettings } from '../../src/bridge-pool.ts';
import type { BridgeSettings } from '../../src/bridge-settings.ts';
import { defaultConfig } from '../../src/config/default-config.ts';
import { limits } from '../../src/core/limits.ts';
import { silent } from '../../src/core/log.ts';
import { CallsInProgress } from '../../src/core/runtime/calls-in-progress.ts';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-pool-')));
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

describe('the bridges of a daemon', () => {
  it('are shared by equal settings, and by those that differ only in what says where a user sits', async () => {
    const { pool, opened } = aPool();
    await asked(pool, { PATH: '/usr/bin', TMPDIR: '/tmp/a', XDG_SESSION_ID: '1', SOME_TOKEN: 'x' });
    await asked(pool, { PATH: '/usr/bin', TMPDIR: '/tmp/b', XDG_SESSION_ID: '2' });
    expect(opened).toHaveLength(1);
  });

  it('are not shared by other variables that servers get', async () => {
    const { pool, opened } = aPool();
    await asked(pool, { PATH: '/usr/bin', VIRTUAL_ENV: '/opt/one' });
    await asked(pool, { PATH: '/usr/bin', VIRTUAL_ENV: '/opt/two' });
    await asked(pool, { PATH: '/usr/sbin', VIRTUAL_ENV: '/opt/two' });
    expect(opened).toHaveLength(3);
  });

  it('close after a time without a call, and are opened again by the next one', async () => {
    const { pool, opened, closed } = aPool();
    const bridge = pool.bridgeFor(settings({}));
    await bridge.use(async () => {});
    await vi.advanceTimersByTimeAsync(limits.daemon.idle);
    expect(closed()).toBe(1);
    await bridge.use(async () => {});
    expect(opened).toHaveLength(2);
  });

  it('stay open while they are called, also if several calls ended at once before', async () => {
    const { pool, opened, closed } = aPool();
    const bridge = pool.bridgeFor(settings({}));
    await bridge.use(async () => {});
    await Promise.all(Array.from({ length: 5 }, () => bridge.use(async () => {})));
    for (let times = 0; times < 4; times += 1) {
      await vi.advanceTimersByTimeAsync(limits.daemon.idle / 2);
      await bridge.use(async () => {});
    }
    expect(closed()).toBe(0);
    expect(opened).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(limits.daemon.idle);
    expect(closed()).toBe(1);
  });

  it('stay open while somebody listens to them, however long', async () => {
    const { pool, closed } = aPool();
    const unfollow = await pool.bridgeFor(settings({})).follow(() => {});
    await vi.advanceTimersByTimeAsync(10 * limits.daemon.idle);
    expect(closed()).toBe(0);
    expect(pool.entries).toMatchObject([{ calls: 0 }]);
    unfollow();
    await vi.advanceTimersByTimeAsync(limits.daemon.idle);
    expect(closed()).toBe(1);
  });

  it('are opened again with the configuration of then, and shared only by those who have that one', async () => {
    const { pool, opened } = aPool();
    const configFile = path.join(folder, 'c.json');
    const configure = (confine: string) => writeFileSync(configFile, JSON.stringify({ confine }));
    const client = () => pool.bridgeFor({ ...settings({}), configFile });
    configure('never');
    const first = client();
    await first.use(async () => {});
    configure('always');
    await first.use(async () => {});
    expect(opened).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(limits.daemon.idle);
    await first.use(async () => {});
    await client().use(async () => {});
    expect(opened).toHaveLength(2);
    configure('never');
    await client().use(async () => {});
    await first.use(async () => {});
    expect(opened).toHaveLength(3);
  });

  it('are opened again by the next call if the first could not be', async () => {
    const { pool, opened, failNext } = aPool();
    const bridge = pool.bridgeFor(settings({}));
    failNext();
    await expect(bridge.use(async () => {})).rejects.toThrow('not now');
    await bridge.use(async () => {});
    expect(opened).toHaveLength(2);
  });
});

function settings(environment: Record<string, string>): PooledSettings {
  return { roots: [folder], environment: { HOME: folder, ...environment } };
}

async function asked(pool: BridgePool, environment: Record<string, string>): Promise<void> {
  await pool.bridgeFor(settings(environment)).use(async () => {});
}

function aPool() {
  const opened: BridgeSettings[] = [];
  let closed = 0;
  let fails = false;
  const open = async (given: BridgeSettings): Promise<Bridge> => {
    opened.push(given);
    if (fails) {
      fails = false;
      throw new Error('not now');
    }
    return {
      config: defaultConfig,
      calls: new CallsInProgress(),
      call: () => Promise.reject(new Error('not called')),
      close: async () => {
        closed += 1;
      },
    };
  };
  const pool = new BridgePool({ log: silent }, open);
  return {
    pool,
    opened,
    closed: () => closed,
    failNext: () => {
      fails = true;
    },
  };
}
