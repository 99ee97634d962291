import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { withSeed } from '../../with-seed.ts';

const campaign = path.resolve(import.meta.dirname, '../../campaigns/http-fuzz.js');

it('TRN-13, TRN-31, TRN-32 survives malformed requests, and every answer is one that is declared', async () => {
  const { seed } = withSeed({});
  const words = [campaign, '--requests', '500', '--loris', '0', '--seed', String(seed)];
  const { stdout } = await promisify(execFile)(process.execPath, words).catch(({ stdout }) => ({ stdout }));
  expect(stdout).toMatch(/no fault in 500 requests\n$/);
});
