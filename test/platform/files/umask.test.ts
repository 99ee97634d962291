import { expect, it, onTestFinished } from 'vitest';
import { creationMask } from '../../../src/platform/files/umask.ts';

it.each([0o022, 0o077, 0o002, 0])('reads the umask %i without changing it', (mask) => {
  const before = process.umask(mask);
  onTestFinished(() => void process.umask(before));
  expect(creationMask()).toBe(mask);
});
