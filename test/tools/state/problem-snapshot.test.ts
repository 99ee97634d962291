import { expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { ProblemSnapshots } from '../../../src/tools/state/problem-snapshot.ts';

const empty = { covered: [], whole: false, sightings: [] };
/** A snapshot of just so many bytes. */
const sized = (bytes: number, mark = 'x') => {
  const frame = JSON.stringify({ ...empty, covered: [''] }).length;
  return { ...empty, covered: [mark.repeat(bytes - frame)] };
};
const { kept, bytes } = limits.problemSnapshots;

it('a snapshot has the same token as long as its content is the same', async () => {
  const snapshots = new ProblemSnapshots();
  const token = await snapshots.keep({ ...empty, covered: ['/a'] });
  expect(await snapshots.keep({ ...empty, covered: ['/a'] })).toBe(token);
  expect(await snapshots.keep({ ...empty, covered: ['/b'] })).not.toBe(await snapshots.keep(empty));
});

it('a snapshot of the most bytes is kept, and a larger one gets no token', async () => {
  const snapshots = new ProblemSnapshots();
  expect(snapshots.find((await snapshots.keep(sized(bytes))) ?? '')).toEqual(sized(bytes));
  expect(await snapshots.keep(sized(bytes + 1))).toBeUndefined();
});

it('older snapshots are dropped if there is no room for their bytes', async () => {
  const snapshots = new ProblemSnapshots();
  const [first, second, third] = await Promise.all(
    ['a', 'b', 'c'].map((mark) => snapshots.keep(sized(bytes / 2, mark))),
  );
  expect(() => snapshots.find(first ?? '')).toThrow(/expired/);
  expect([snapshots.find(second ?? ''), snapshots.find(third ?? '')]).toHaveLength(2);
});

it('the number of snapshots is bounded, and the least recently used goes first', async () => {
  const snapshots = new ProblemSnapshots();
  const tokens: string[] = [];
  for (let index = 0; index < kept; index += 1)
    tokens.push((await snapshots.keep({ ...empty, covered: [`/${index}`] })) ?? '');
  snapshots.find(tokens[0] ?? '');
  await snapshots.keep({ ...empty, covered: ['/one more'] });
  expect(snapshots.find(tokens[0] ?? '').covered).toEqual(['/0']);
  expect(() => snapshots.find(tokens[1] ?? '')).toThrow();
});
