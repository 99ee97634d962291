import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedCache, SharedQuota } from '../../../src/core/runtime/bounded-cache.ts';
import { withSeed } from '../../with-seed.ts';

const roomy = () => new SharedQuota(1_000);

describe('what is kept', () => {
  it('is found under its name, which the latest of that name has', () => {
    const kept = new BoundedCache<number>({ quota: roomy(), count: 2 });
    kept.set('a', 1, 10);
    kept.set('a', 2, 20);
    expect(kept.get('a')).toBe(2);
    expect(kept).toMatchObject({ size: 1, bytes: 20 });
  });

  it.each([
    [2, true],
    [3, false],
  ])('is so many things, the least recently used going first: %i of 2', (count, isThere) => {
    const kept = new BoundedCache<number>({ quota: roomy(), count: 2 });
    for (let number = 1; number <= count; number += 1) kept.set(`${number}`, number, 1);
    expect(kept.get('1') === 1).toBe(isThere);
  });

  it.each([
    [100, true],
    [101, false],
  ])('is forgotten when nobody has used it for longer than so: %i of 100', (time, isThere) => {
    let now = 0;
    const kept = new BoundedCache<number>({ quota: roomy(), count: 2, unused: 100, now: () => now });
    kept.set('a', 1, 1);
    now += time;
    expect(kept.get('a') === 1).toBe(isThere);
    now += 101;
    kept.set('b', 2, 1);
    expect(kept.size).toBe(1);
  });

  it('counts as used when it is got, not when it is peeked at', () => {
    const evicted: string[] = [];
    const kept = new BoundedCache<number>({
      count: 2,
      onEvict: (value, key) => evicted.push(`${key}${value}`),
    });
    for (const [value, key] of ['a', 'b', 'c', 'd'].entries()) {
      kept.set(key, value);
      kept.get('a');
      kept.peek('b');
    }
    expect([evicted, [...kept]]).toEqual([
      ['b1', 'c2'],
      [
        ['d', 3],
        ['a', 0],
      ],
    ]);
  });

  it('may be deleted or used while all is gone through', () => {
    const kept = new BoundedCache<number>();
    for (const [value, key] of ['a', 'b', 'c', 'd'].entries()) kept.set(key, value);
    const seen: string[] = [];
    for (const [key, value] of kept) {
      seen.push(key);
      if (value % 2 === 0) kept.delete(key);
      else if (seen.length < 4) kept.get(key);
    }
    expect([seen, kept.keys]).toEqual([
      ['a', 'b', 'c', 'd', 'b'],
      ['d', 'b'],
    ]);
  });

  it('is nothing once who it was for has gone', () => {
    const room = roomy();
    const kept = new BoundedCache<number>({ quota: room, count: 2 });
    kept.set('a', 1, 10);
    kept.close();
    kept.set('b', 1, 10);
    expect([kept.get('a'), kept.get('b'), room.bytes]).toEqual([undefined, undefined, 0]);
  });
});

describe('a room', () => {
  it('is the whole for one who is alone, and the latest stays though it is larger', () => {
    const room = new SharedQuota(100);
    const kept = new BoundedCache<number>({ quota: room, count: 9 });
    kept.set('a', 1, 50);
    kept.set('b', 2, 50);
    expect(room.bytes).toBe(100);
    kept.set('c', 3, 1);
    expect([kept.get('a'), room.bytes]).toEqual([undefined, 51]);
    kept.set('d', 4, 200);
    expect([kept.size, room.bytes]).toEqual([1, 200]);
  });

  it('is shared: who keeps most gives way first, and nobody below an equal share', () => {
    const room = new SharedQuota(100);
    const [one, other] = [0, 1].map(() => new BoundedCache<number>({ quota: room, count: 99 }));
    for (let number = 0; number < 9; number += 1) one?.set(`${number}`, number, 10);
    for (let number = 0; number < 5; number += 1) other?.set(`${number}`, number, 10);
    expect([one?.bytes, other?.bytes]).toEqual([50, 50]);
    for (let number = 0; number < 90; number += 1) one?.set(`more ${number}`, number, 10);
    other?.set('huge', 0, 500);
    expect([one?.bytes, other?.bytes]).toEqual([50, 500]);
    one?.set('then', 1, 10);
    expect([one?.bytes, other?.bytes]).toEqual([60, 0]);
  });

  it('of forty is bounded, whatever they keep, and who keeps no more than a fortieth loses nothing', () => {
    const most = 4_000;
    const largest = 1_500;
    const keeping = fc.array(fc.tuple(fc.nat(39), fc.nat(20), fc.integer({ min: 0, max: largest })), {
      minLength: 100,
      maxLength: 300,
    });
    const check = (steps: readonly (readonly [number, number, number])[]) => {
      const room = new SharedQuota(most);
      const all = Array.from({ length: 40 }, () => new BoundedCache<number>({ quota: room, count: 10 }));
      const modest = new BoundedCache<number>({ quota: room, count: 10 });
      modest.set('a', 1, most / 82);
      modest.set('b', 2, most / 82);
      for (const [who, name, bytes] of steps) {
        all[who]?.set(`${name}`, 0, bytes);
        expect(room.bytes).toBeLessThanOrEqual(most + largest);
        expect(all[who]?.get(`${name}`)).toBe(0);
      }
      expect([modest.get('a'), modest.get('b')]).toEqual([1, 2]);
      expect(room.bytes).toBe([...all, modest].reduce((sum, { bytes }) => sum + bytes, 0));
    };
    fc.assert(fc.property(keeping, check), withSeed({ numRuns: 50 }));
  });
});
