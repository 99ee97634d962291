import { describe, expect, it } from 'vitest';
import { openTestBridge } from '../../test-bridge.ts';

const outline = 'textDocument/documentSymbol';

/** The uses of `alpha`, with what encloses each, and how often the server was asked for an outline. */
async function ask(extension: string, text: string) {
  const bridge = await openTestBridge({
    files: { [`a.${extension}`]: 'function alpha\n', [`b.${extension}`]: text },
    servers: { fake: { lives: [{}], extensions: [extension], ready: { kind: 'immediate' } } },
  });
  const place = { file_path: `a.${extension}`, line: 1, character: 10 };
  const { data } = await bridge.call('find_references', place);
  const found = (data.references as readonly { file_path: string; in?: string }[]).map((one) => one.in);
  return { found, outlines: bridge.received().filter(({ method }) => method === outline).length };
}

describe('what encloses a use', () => {
  it('is read from the text where that shows it: no outline is asked for', async () => {
    const { found, outlines } = await ask('ts', 'function beta\n  alpha\nalpha\n');
    expect(found).toEqual([undefined, 'beta', undefined]);
    expect(outlines).toBe(0);
  });

  it('is asked for in languages whose text does not show it', async () => {
    const { outlines } = await ask('txt', 'function beta\nalpha\n');
    expect(outlines).toBeGreaterThan(0);
  });
});
