import { expect, it } from 'vitest';
import { openTestBridge } from '../../test-bridge.ts';

const outline = 'textDocument/documentSymbol';

it.each([
  { position: 'at the beginning of a name', character: 10, asks: false },
  { position: 'in a name', character: 12, asks: false },
  { position: 'at the end of a name, where a function without one may begin', character: 15, asks: true },
  { position: 'at a keyword, where one may begin', character: 1, asks: true },
])('the outline is asked for only where a symbol without a name may begin: $position', async (row) => {
  const bridge = await openTestBridge({
    files: { 'a.ts': 'function alpha(\n' },
    servers: { fake: { extensions: ['ts'] } },
  });
  const target = { file_path: 'a.ts', line: 1, character: row.character };
  await bridge.call('get_hover', target);
  expect(bridge.received().some(({ method }) => method === outline)).toBe(row.asks);
});
