import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { playPage } from './play-page.ts';
import { examples } from './run-example.ts';

const page = path.resolve(examples, '../docs/embedding.md');

it('everything that docs/embedding.md shows of lspan is what it does', async () => {
  const shown = readFileSync(page, 'utf8');
  const present = await playPage(shown);
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(page, present);
  else expect(present).toBe(shown);
});
