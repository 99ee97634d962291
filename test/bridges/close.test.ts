import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ask, expectError, openTestBridge } from '../test-bridge.ts';

const names = Array.from({ length: 40 }, (_, index) => `f${index}.txt`);
const files = Object.fromEntries(
  names.map((name, index) => [name, index === 0 ? 'function alpha\n' : 'alpha\n']),
);

describe('PRC-23 a bridge that is closed', () => {
  it.each([0, 20, 80, 320])(
    'during an edit, %i turns after it was asked for, has ended that first: all files are changed, or none',
    async (turns) => {
      const bridge = await openTestBridge({ files });
      const changed = () =>
        names.filter((name) => readFileSync(path.join(bridge.root, name), 'utf8').includes('omega')).length;
      const rename = { file_path: 'f0.txt', line: 1, character: 10, new_name: 'omega' };
      const planned = await bridge.call('rename_symbol', rename);
      const [, plan_id] = /plan_id "([^"]+)"/.exec(planned.text) ?? [];
      const order: string[] = [];
      const applied = bridge
        .call('apply_workspace_edit', { plan_id, dry_run: false })
        .finally(() => order.push('answered'));
      for (let turn = 0; turn < turns; turn += 1) await nextTurn();
      await bridge.close().finally(() => order.push('closed'));
      const { isError, text } = await applied;
      expect(order).toEqual(['answered', 'closed']);
      expect(`${changed()} ${isError ? text : 'done'}`).toMatch(
        /^(0 cancelled: lspan is stopping\.|40 done)/,
      );
    },
  );

  it('has ended the calls under way, starts no server for what they ask next, and answers nothing any more', async () => {
    const never = [{ on: { method: 'textDocument/hover' }, do: [{ never: true }] }] as const;
    const servers = { fake: { lives: [{ rules: never }] }, other: { extensions: ['md'] } };
    const bridge = await openTestBridge({ servers, files: { ...files, 'c.md': 'alpha\n' } });
    const hover = (file: string) => ({ tool: 'get_hover', args: { file_path: file, line: 1, character: 1 } });
    const operations = ['f1.txt', 'c.md'].map((file) => ({ id: file, ...hover(file) }));
    const asked = bridge.call('batch_execute', { operations, parallel: false });
    await bridge.sent('textDocument/hover');
    await bridge.close();
    expect((await asked).text).toContain('cancelled');
    expect(bridge.pids('other')).toEqual([]);
    expectError(await ask(bridge), 'cancelled', 'lspan is stopping');
    expect(bridge.pids()).toHaveLength(1);
  });

  it('has ended what was asked beside tools, too, which its calls in progress are counted with', async () => {
    const never = [{ on: { method: 'initialize' }, do: [{ never: true }] }] as const;
    const bridge = await openTestBridge({ servers: { fake: { lives: [{ rules: never }] } }, files });
    const order: string[] = [];
    const checked = bridge.hostApi?.check('f1.txt', undefined).finally(() => order.push('checked'));
    const read = bridge.resources?.problemsOf('f1.txt').finally(() => order.push('read'));
    void bridge.calls.idle().then(() => order.push('idle'));
    await bridge.sent('initialize');
    expect(order).toEqual([]);
    await Promise.all([
      expect(checked).rejects.toMatchObject({ code: 'cancelled', message: 'lspan is stopping.' }),
      expect(read).resolves.toMatchObject({ data: { error: { code: 'cancelled' } } }),
      bridge.close({ hurried: true }),
    ]);
    expect(order.at(-1)).toBe('idle');
  });

  it('may be closed again, also while it is', async () => {
    const bridge = await openTestBridge();
    await ask(bridge);
    await Promise.all([bridge.close(), bridge.close({ hurried: true })]);
    await bridge.close();
  });
});
