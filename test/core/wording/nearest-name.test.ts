import { expect, it } from 'vitest';
import { nearestName } from '../../../src/core/wording/nearest-name.ts';

const known = ['command', 'extensions', 'env', 'enabled', 'max_tokens'];

it.each([
  ['comand', 'command'],
  ['commnad', 'command'],
  ['COMMAND', 'command'],
  ['extension', 'extensions'],
  ['maxTokens', 'max_tokens'],
  ['evn', 'env'],
  ['x', undefined],
  ['', undefined],
  ['something', undefined],
  ['command'.repeat(100), undefined],
])('the name nearest to %j is %j', (given, expected) => {
  expect(nearestName(given, known)).toBe(expected);
});
