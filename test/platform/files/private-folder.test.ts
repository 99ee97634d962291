import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { TemporaryFolder } from '../../../src/platform/files/private-folder.ts';

it('BND-22 removing our own folder removes links in it, but not their targets outside', () => {
  const outside = mkdtempSync(path.join(tmpdir(), 'lspan-outside-'));
  onTestFinished(() => rmSync(outside, { recursive: true }));
  writeFileSync(path.join(outside, 'kept.txt'), 'kept');
  const own = new TemporaryFolder();
  mkdirSync(path.join(own.path, 'deep'));
  symlinkSync(outside, path.join(own.path, 'deep', 'folder'));
  symlinkSync(path.join(outside, 'kept.txt'), path.join(own.path, 'file'));
  const { path: folder } = own;
  own.remove();
  expect(existsSync(folder)).toBe(false);
  expect(readFileSync(path.join(outside, 'kept.txt'), 'utf8')).toBe('kept');
});
