import { expect, it } from 'vitest';
import { seatbeltProfile } from '../../../src/platform/sandbox/seatbelt.ts';

it('the profile for macOS, which no test runs, has the rules in the order in which the last one decides', () => {
  const profile = seatbeltProfile({
    home: '/Users/a.b',
    reads: ['/Users/a.b/work "x"', '/Users/a.b', '/'],
    writes: ['/Users/a.b/.cache/lspan/confined/one'],
    hides: ['/Users/a.b/.local/state/lspan'],
    scratch: '/tmp/lspan-1',
  });
  const lines = profile.split('\n');
  expect(lines.slice(0, 3)).toEqual(['(version 1)', '(allow default)', '(deny network*)']);
  const at = (start: string, part: string) =>
    lines.findIndex((line) => line.startsWith(start) && line.includes(part));
  const order = [
    at('(deny file-write*)', ''),
    at('(allow file-write*', '(subpath "/Users/a.b/.cache/lspan/confined/one") (subpath "/tmp/lspan-1")'),
    at('(deny file-read-data', String.raw`(regex #"^/Users/a\.b/\.")`),
    at('(allow file-read-data', String.raw`(subpath "/Users/a.b/work \"x\"")`),
    at('(deny file-read-data', '(subpath "/Users/a.b/.ssh")'),
  ];
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(order).not.toContain(-1);
  expect(lines.at(-1)).toContain('(subpath "/Users/a.b/.local/state/lspan")');
  expect(profile).not.toContain('(subpath "/Users/a.b")');
  expect(profile).not.toContain('(subpath "/")');
});
