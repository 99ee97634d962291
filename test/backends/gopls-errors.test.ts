import { expect, test } from 'vitest';
import { gopls } from '../../src/servers/gopls.ts';

const { ready } = gopls;
const reworded = (error: string) =>
  typeof ready === 'object' && ready.kind === 'progress' ? ready.reworded?.(error) : undefined;
const newer =
  'A go.mod or go.work says "go 1.23.0", but this Go reads only the form "go 1.23". Use Go 1.21 or later.';

test.each([
  [
    "parsing go.work: /cache/gopls/go-work/go.work:1: invalid go version '1.23.0': must match format 1.23",
    newer,
  ],
  ["/shop/go.mod:3: invalid go version '1.23.0': must match format 1.23", newer],
  [
    'module /shop listed in go.work file requires go >= 1.25, but go.work lists go 1.24; see /cache/gopls/go-work/go.work:2',
    'module /shop listed in go.work file requires go >= 1.25, but go.work lists go 1.24; see the modules joined',
  ],
  [
    'stat /shop/absent/go.mod: no such file or directory',
    'stat /shop/absent/go.mod: no such file or directory',
  ],
])('gopls says %s in words of the files of the user', (error, expected) => {
  expect(reworded(error)).toBe(expected);
});
