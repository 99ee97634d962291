import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedCache, SharedQuota } from '../../../src/core/runtime/bounded-cache.ts';
import { withSeed } from '../../with-seed.ts';

const roomy = () => new SharedQuota(1_000);

describe('what is kept', () => {
  it('is found under its name, which the latest of that name has', () => {
    const kept = new BoundedCache<number>({ room: roomy(), most: 2 });
    kept.keep('a', 1, 10);
    kept.keep('a', 2, 20);
    expect(kept.find('a')).toBe(2);
    expect(kept).toMatchObject({ size: 1, bytes: 20 });
  });

  it.each([
    [2, true],
    [3, false],
  ])('is so many things, the least recently used going first: %i of 2', (count, isThere) => {
    const kept = new BoundedCache<number>({ room: roomy(), most: 2 });
    for (let number = 1; number <= count; number += 1) kept.keep(`${number}`, number, 1);
    expect(kept.find('1') === 1).toBe(isThere);
  });

  it.each([
    [100, true],
    [101, false],
  ])('is forgotten when nobody has used it for longer than so: %i of 100', (time, isThere) => {
    let now = 0;
    const kept = new BoundedCache<number>({ room: roomy(), most: 2, unused: 100, now: () => now });
    kept.keep('a', 1, 1);
    now += time;
    expect(kept.find('a') === 1).toBe(isThere);
    now += 101;
    kept.keep('b', 2, 1);
    expect(kept.size).toBe(1);
  });

  it('is nothing once who it was for has gone', () => {
    const room = roomy();
    const kept = new BoundedCache<number>({ room, most: 2 });
    kept.keep('a', 1, 10);
    kept.close();
    kept.keep('b', 1, 10);
    expect([kept.find('a'), kept.find('b'), room.bytes]).toEqual([undefined, undefined, 0]);
  });
});

describe('a room', () => {
  it('is the whole for one who is alone, and the latest stays though it is larger', () => {
    const room = new SharedQuota(100);
    const kept = new BoundedCache<number>({ room, most: 9 });
    kept.keep('a', 1, 50);
    kept.keep('b', 2, 50);
    expect(room.bytes).toBe(100);
    kept.keep('c', 3, 1);
    expect([kept.find('a'), room.bytes]).toEqual([undefined, 51]);
    kept.keep('d', 4, 200);
    expect([kept.size, room.bytes]).toEqual([1, 200]);
  });

  it('is shared: who keeps most gives way first, and nobody below an equal share', () => {
    const room = new SharedQuota(100);
    const [one, other] = [0, 1].map(() => new BoundedCache<number>({ room, most: 99 }));
    for (let number = 0; number < 9; number += 1) one?.keep(`${number}`, number, 10);
    for (let number = 0; number < 5; number += 1) other?.keep(`${number}`, number, 10);
    expect([one?.bytes, other?.bytes]).toEqual([50, 50]);
    for (let number = 0; number < 90; number += 1) one?.keep(`more ${number}`, number, 10);
    other?.keep('huge', 0, 500);
    expect([one?.bytes, other?.bytes]).toEqual([50, 500]);
    one?.keep('then', 1, 10);
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
      const all = Array.from({ length: 40 }, () => new BoundedCache<number>({ room, most: 10 }));
      const modest = new BoundedCache<number>({ room, most: 10 });
      modest.keep('a', 1, most / 82);
      modest.keep('b', 2, most / 82);
      for (const [who, name, bytes] of steps) {
        all[who]?.keep(`${name}`, 0, bytes);
        expect(room.bytes).toBeLessThanOrEqual(most + largest);
        expect(all[who]?.find(`${name}`)).toBe(0);
      }
      expect([modest.find('a'), modest.find('b')]).toEqual([1, 2]);
      expect(room.bytes).toBe([...all, modest].reduce((sum, { bytes }) => sum + bytes, 0));
    };
    fc.assert(fc.property(keeping, check), withSeed({ numRuns: 50 }));
  });
});
