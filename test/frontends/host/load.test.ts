import path from 'node:path';
import { expect, it } from 'vitest';
import { runToEnd } from '../../run-to-end.ts';

const campaign = path.resolve(import.meta.dirname, '../../campaigns/host-load.js');

it('under load on both channels with the same ids, each request is answered once, on its channel, about the right text', async () => {
  const { LSPAN_SEED: seed = String(Date.now() % 1_000_000) } = process.env;
  const { status, written } = await runToEnd(campaign, '40', seed);
  expect(written).toMatch(/^Each was answered once, and right\.$/m);
  expect(status).toBe(0);
});
