import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../test-bridge.ts';

const library = path.resolve(import.meta.dirname, '../../dist/index.mjs');

it('lspan in another program changes nothing of its process, nor does what that has set change lspan', () => {
  const { LSPAN_FAKE_SERVER: fake = '' } = process.env;
  const args = [path.join(import.meta.dirname, 'guest.js'), library, temporaryFolder('lspan-guest-'), fake];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    changed: { imported: [], used: [] },
    text: expect.stringContaining('2 references in 1 file'),
    // Not in the language that the program chose for messages of zod.
    wrong: '`file_path` must be a text, not 7.',
    written: [],
  });
});
