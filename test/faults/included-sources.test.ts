import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestBridge, type TestBridge } from '../test-bridge.ts';

vi.mock('../../src/servers/index.ts', () => import('./definitions.ts'));

const files = {
  'a.txt': '#include "head.txt"\ncode ERROR_a\n',
  'b.txt': '#include "head.txt"\ncode ERROR_b\n',
  'head.txt': 'text\n',
};

let bridge: TestBridge;
let seen = 0;
beforeEach(async () => {
  bridge = await openTestBridge({ files, servers: { including: { lives: [{ diagnostics: 'push' }] } } });
  for (const file of ['a.txt', 'b.txt']) await problemsOf(file);
});

async function problemsOf(file_path: string): Promise<readonly unknown[]> {
  const { data } = await bridge.call('get_diagnostics', { file_path });
  expect(data).toMatchObject({ complete: true, files: [{ state: 'fresh' }] });
  seen = messages().length;
  return Array.isArray(data.diagnostics) ? data.diagnostics.map(({ code }) => code) : [];
}

/** What the server was told about documents, as `didOpen a.txt`. */
function messages(): readonly string[] {
  return bridge.received('including').flatMap(({ method = '', params }) => {
    const name = /"uri":"[^"]*?(\w+\.txt)"/.exec(JSON.stringify(params ?? {}))?.[1];
    return /^textDocument\/did(?:Open|Close|Change)$/.test(method) ? [`${method.slice(13)} ${name}`] : [];
  });
}

const told = (before: number) => messages().slice(before);

describe('a server that reads only open documents', () => {
  it('is sent a source that nobody includes as a change, and keeps the others', async () => {
    bridge.write('a.txt', '#include "head.txt"\ncode WARN_a\n');
    const before = seen;
    expect(await problemsOf('a.txt')).toEqual(['WARN_a']);
    expect(told(before)).toEqual(['didChange a.txt']);
  });

  it('is sent a source anew whose beginning has changed', async () => {
    bridge.write('a.txt', '#include "other.txt"\ncode WARN_a\n');
    const before = seen;
    expect(await problemsOf('a.txt')).toEqual(['WARN_a']);
    expect(told(before)).toEqual(['didClose a.txt', 'didOpen a.txt']);
  });

  it.each([
    ['includes', '#include "a.txt"\ncode\n'],
    ['includes by a macro', '#define PART \\\n  "parts/a.txt"\n#include PART\n'],
  ])('is sent everything anew after the change of a source that another one %s', async (_title, text) => {
    bridge.write('head.txt', text);
    await problemsOf('b.txt');
    bridge.write('a.txt', '#include "head.txt"\ncode WARN_a\n');
    const before = seen;
    expect(await problemsOf('b.txt')).toEqual(['ERROR_b']);
    expect(told(before)).toContain('didClose b.txt');
    expect(told(before)).toContain('didOpen b.txt');
  });

  it('is sent everything anew after the change of a header', async () => {
    bridge.write('head.txt', 'other text\n');
    const before = seen;
    expect(await problemsOf('b.txt')).toEqual(['ERROR_b']);
    expect(told(before)).toEqual(
      expect.arrayContaining(['didClose a.txt', 'didClose b.txt', 'didOpen b.txt']),
    );
  });

  it('keeps everything when a text names a source without including it', async () => {
    bridge.write('head.txt', 'See "a.txt".\n');
    await problemsOf('a.txt');
    bridge.write('a.txt', '#include "head.txt"\ncode WARN_a\n');
    const before = seen;
    expect(await problemsOf('a.txt')).toEqual(['WARN_a']);
    expect(told(before)).toEqual(['didChange a.txt']);
  });
});
