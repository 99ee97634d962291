import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairNearest, problemDelta, type Sighting, surelyFixed } from '../../src/core/problem-delta.ts';
import { severities } from '../../src/core/problems.ts';
import { withSeed } from '../with-seed.ts';

/** A complaint about a line of a text, by its index. */
interface Complaint {
  readonly index: number;
  readonly message: string;
  readonly severity: (typeof severities)[number];
}

const line = fc.constantFrom('', 'call();', 'return x;', '}', 'let a = b;', 'foo(bar);');
const text = fc.array(line, { minLength: 1, maxLength: 12 });
const complaint = fc.record({
  index: fc.nat({ max: 11 }),
  message: fc.constantFrom('Unknown name.', 'Wrong type.'),
  severity: fc.constantFrom(...severities),
});
const look = fc.record({ lines: text, complaints: fc.array(complaint, { maxLength: 8 }) });

function see(lines: readonly string[], complaints: readonly Complaint[], path = '/a.ts'): Sighting[] {
  const isText = (one: string) => one !== '';
  return complaints.map(({ index, message, severity }) => {
    const at = index % lines.length;
    const range = { start: { line: at, character: 0 }, end: { line: at, character: 1 } };
    return {
      path,
      problem: { range, severity, message, server: 'fake' },
      line: lines[at] ?? '',
      above: lines.slice(0, at).findLast(isText) ?? '',
      below: lines.slice(at + 1).find(isText) ?? '',
    };
  });
}

const keys = (sightings: readonly Sighting[]) => sightings.map((one) => JSON.stringify(one)).sort();

describe('the difference between two looks at problems', () => {
  it('is none between a look and itself', () => {
    fc.assert(
      fc.property(look, ({ lines, complaints }) => {
        const [first, second] = [see(lines, complaints), see(lines, complaints)];
        expect(problemDelta(first, second)).toEqual({
          introduced: [],
          fixed: [],
          unchanged: complaints.length,
        });
      }),
      withSeed({}),
    );
  });

  it('introduces nothing where lines have moved', () => {
    const moved = (lines: string[], at: number, more: string[]) => [
      ...lines.slice(0, at),
      ...more,
      ...lines.slice(at),
    ];
    fc.assert(
      fc.property(look, fc.nat({ max: 11 }), text, ({ lines, complaints }, place, more) => {
        const at = place % (lines.length + 1);
        const shifted = complaints.map((one) => {
          const index = one.index % lines.length;
          return { ...one, index: index < at ? index : index + more.length };
        });
        const delta = problemDelta(see(lines, complaints), see(moved(lines, at, more), shifted));
        expect(delta).toEqual({ introduced: [], fixed: [], unchanged: complaints.length });
      }),
      withSeed({}),
    );
  });

  it('is the same the other way round, and accounts for every problem', () => {
    fc.assert(
      fc.property(look, look, (one, other) => {
        const before = see(one.lines, one.complaints);
        const after = see(other.lines, other.complaints);
        const [there, back] = [problemDelta(before, after), problemDelta(after, before)];
        expect(keys(there.introduced)).toEqual(keys(back.fixed));
        expect(keys(there.fixed)).toEqual(keys(back.introduced));
        expect(there.unchanged).toBe(back.unchanged);
        expect(there.fixed.length + there.unchanged).toBe(before.length);
        expect(there.introduced.length + there.unchanged).toBe(after.length);
      }),
      withSeed({}),
    );
  });

  it('finds each problem that was added, and only that', () => {
    fc.assert(
      fc.property(look, complaint, ({ lines, complaints }, added) => {
        const before = see(lines, complaints);
        const [extra] = see(lines, [{ ...added, message: 'New.' }]);
        const { introduced, fixed } = problemDelta(before, [
          ...see(lines, complaints),
          ...(extra ? [extra] : []),
        ]);
        expect(introduced).toEqual([extra]);
        expect(fixed).toEqual([]);
      }),
      withSeed({}),
    );
  });

  const unknown = (index: number): Complaint => ({ index, message: 'Unknown name.', severity: 'error' });

  it('knows a problem again whose own line was edited', () => {
    const before = see(['{', 'foo(bar);', '}'], [unknown(1)]);
    const after = see(['{', 'foo(bar, 1);', '}'], [unknown(1)]);
    expect(problemDelta(before, after)).toMatchObject({ introduced: [], fixed: [], unchanged: 1 });
  });

  it('does not take a problem elsewhere for one that was fixed', () => {
    const before = see(['one();', 'foo(bar);', 'two();', 'three();'], [unknown(1)]);
    const after = see(['one();', 'two();', 'baz();', 'three();'], [unknown(2)]);
    expect(problemDelta(before, after)).toMatchObject({
      introduced: [{ line: 'baz();' }],
      fixed: [{ line: 'foo(bar);' }],
    });
  });

  it('counts equal problems, and tells the one as new that is farthest from the others', () => {
    const lines = ['foo();', 'a', 'b', 'c', 'foo();'];
    const before = see(lines, [unknown(4)]);
    const after = see(lines, [unknown(0), unknown(4)]);
    expect(problemDelta(before, after)).toEqual({ introduced: [after[0]], fixed: [], unchanged: 1 });
    expect(problemDelta(after, before)).toEqual({ introduced: [], fixed: [after[0]], unchanged: 1 });
  });

  it('tells the files of problems apart', () => {
    const before = see(['foo();'], [unknown(0)], '/a.ts');
    const after = see(['foo();'], [unknown(0)], '/b.ts');
    expect(problemDelta(before, after)).toMatchObject({ introduced: after, fixed: before, unchanged: 0 });
  });
});

it('pairs of equals lie as near to each other as can be', () => {
  const places = fc.array(fc.nat({ max: 30 }), { maxLength: 5 }).map((all) => [...all].sort((a, b) => a - b));
  const distance = (pairs: readonly (readonly [number, number])[]) =>
    pairs.reduce((sum, [a, b]) => sum + Math.abs(a - b), 0);
  const least = (few: readonly number[], many: readonly number[]): number => {
    const [first, ...rest] = few;
    if (first === undefined) return 0;
    const tails = many.slice(0, many.length - rest.length).map((_, index) => index);
    return Math.min(
      ...tails.map((at) => Math.abs(first - (many[at] ?? 0)) + least(rest, many.slice(at + 1))),
    );
  };
  fc.assert(
    fc.property(places, places, (one, other) => {
      const pairs = pairNearest(one, other, (place) => place);
      const [few, many] = one.length <= other.length ? [one, other] : [other, one];
      expect(pairs).toHaveLength(few.length);
      expect(distance(pairs)).toBe(least(few, many));
    }),
    withSeed({}),
  );
});

it('of two that say the same on one line, the one that is left is known by its words', () => {
  const line = 'const q: number = "s"; const r: number = "s";';
  const at = (text: string, character: number): Sighting => {
    const range = { start: { line: 1, character }, end: { line: 1, character: character + 1 } };
    const problem = { range, severity: 'error', message: 'No.', server: 'fake' } as const;
    return { path: '/w/a.ts', problem, line: text, above: 'a', below: 'b' };
  };
  const before = [at(line, 6), at(line, 29)];
  const after = [at('const q: number = 5; const r: number = "s";', 27)];
  expect(problemDelta(before, after)).toEqual({ introduced: [], fixed: [before[0]], unchanged: 1 });
});

describe('what a change has fixed', () => {
  const found = (path: string, severity: 'error' | 'warning', source: string, server = 'gopls'): Sighting => {
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
    const problem = { range, severity, message: 'Wrong.', source, server };
    return { path, problem, line: 'x', above: '', below: '' };
  };
  const warning = found('/w/a.go', 'warning', 'printf');

  it.each([
    ['an error of another check in its folder', found('/w/b.go', 'error', 'compiler'), []],
    ['an error in another folder', found('/w/sub/b.go', 'error', 'compiler'), [warning]],
    ['an error of the same check', found('/w/a.go', 'error', 'printf'), [warning]],
    ['an error of another server', found('/w/a.go', 'error', 'lint', 'linter'), [warning]],
    ['a warning', found('/w/a.go', 'warning', 'unused'), [warning]],
  ])('is a warning that has gone with %s only if that cannot hide it', (_, introduced, left) => {
    expect(surelyFixed([warning], [introduced])).toEqual(left);
  });

  it('are errors in any case', () => {
    const error = found('/w/a.go', 'error', 'printf');
    expect(surelyFixed([error], [found('/w/a.go', 'error', 'compiler')])).toEqual([error]);
  });
});
