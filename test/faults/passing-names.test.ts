import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectInOrder, openTestBridge, type TestBridge } from '../test-bridge.ts';

const digits = '0123456789abcdef01234567';
const count = 150;
const files = Object.fromEntries(
  Array.from({ length: count }, (_, index) => [`${index % 10}/${index}.txt`, 'word\n']),
);

const open = (more: Readonly<Record<string, string>> = {}) =>
  openTestBridge({
    files: { 'a.txt': 'function alpha\nalpha beta\n', 'b.txt': 'alpha is used\nfunction beta\n', ...more },
    servers: { fake: { lives: [{ watch: ['**/*', '**/.*'] }] } },
  });

function told(bridge: TestBridge): string {
  const watched = bridge
    .received()
    .filter(({ method }) => method?.startsWith('workspace/did') || method?.startsWith('textDocument/did'));
  return JSON.stringify(watched);
}

describe('what stands in the tree only while an edit is written', () => {
  it('is told to no server, whatever it asked to be told of, and is in no list', async () => {
    const bridge = await open();
    await expectInOrder(bridge);
    bridge.write(`.lspan-${digits}`, 'function passing\n');
    bridge.write(`x/.lspan-${digits}/inside.txt`, 'function passing\n');
    bridge.write(`x/.lspan-${digits}0`, 'of somebody else\n');
    await expectInOrder(bridge);
    bridge.remove(`x/.lspan-${digits}`);
    await expectInOrder(bridge);
    expect(told(bridge)).toContain(`x/.lspan-${digits}0`);
    expect(told(bridge)).not.toMatch(new RegExp(`\\.lspan-${digits}["/]`));
  });

  it('is told to no server while an edit is under way and questions are asked', async () => {
    const bridge = await open(files);
    await expectInOrder(bridge);
    const edits = Object.keys(files).map((file_path) => ({ file_path, old_text: 'word', new_text: 'WORD' }));
    let isOver = false;
    const applying = bridge
      .call('apply_workspace_edit', { edits, dry_run: false, check: false })
      .finally(() => {
        isOver = true;
      });
    let seen = 0;
    while (!isOver) {
      const passing = readdirSync(bridge.root, { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.includes('.lspan-'),
      );
      seen += passing.length;
      await expectInOrder(bridge);
    }
    expect((await applying).isError).toBe(false);
    await expectInOrder(bridge);
    // Or the questions came too late to show anything.
    expect(seen).toBeGreaterThan(0);
    expect(told(bridge)).toContain('7/147.txt');
    expect(told(bridge)).not.toContain('.lspan-');
  });
});
