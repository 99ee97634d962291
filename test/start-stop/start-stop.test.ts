import path from 'node:path';
import { expect, it } from 'vitest';
import { runToEnd } from '../run-to-end.ts';

const campaign = path.join(import.meta.dirname, '../campaigns/start-stop.js');

it.skipIf(process.platform !== 'linux')(
  'PRC-23 a bridge that was closed has left nothing in its process: descriptor, timer, listener, process, file, memory',
  async () => {
    const { status, written } = await runToEnd(campaign, '12', '1');
    expect(written).toMatch(/^Nothing stays\.$/m);
    expect(status).toBe(0);
  },
);
