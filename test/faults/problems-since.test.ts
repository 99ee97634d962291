import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { expectError, openTestBridge, type TestBridge } from '../test-bridge.ts';

const files = { 'a.txt': 'first\nERROR_a here\nlast\n', 'b.txt': 'WARN_b here\n' };
const ask = (bridge: TestBridge, input: object = { file_path: 'a.txt' }) =>
  bridge.call('get_diagnostics', input);

/** The problems of files since what was told of them before. */
async function since(bridge: TestBridge, input: object, before: object = input) {
  const { data } = await ask(bridge, before);
  return (then: object = {}) => ask(bridge, { ...input, since: data.since, ...then });
}

describe('problems since an earlier answer', () => {
  it('are none where nothing changed, and the token stays the same', async () => {
    const bridge = await openTestBridge({ files });
    const { data } = await ask(bridge);
    const again = await ask(bridge, { file_path: 'a.txt', since: data.since });
    expect(again.data).toMatchObject({
      complete: true,
      total: 0,
      introduced: [],
      fixed: [],
      unchanged: 1,
      since: data.since,
    });
    expect(again.text).toContain('Nothing introduced, nothing fixed, 1 unchanged in a.txt');
  });

  it('are none where only lines have moved', async () => {
    const bridge = await openTestBridge({ files });
    const again = await since(bridge, { file_path: 'a.txt' });
    bridge.write('a.txt', `new\nlines\n\n${files['a.txt']}`);
    expect((await again()).data).toMatchObject({ introduced: [], fixed: [], unchanged: 1 });
  });

  it('are what was introduced and what was fixed, each with its line', async () => {
    const bridge = await openTestBridge({ files });
    const again = await since(bridge, { file_path: 'a.txt' });
    bridge.write('a.txt', 'first\nmended\nlast\nand WARN_new\n');
    const { data, text } = await again();
    expect(data).toMatchObject({
      introduced: [{ code: 'WARN_new', line: 4, text: 'and WARN_new' }],
      fixed: [{ code: 'ERROR_a', line: 2, text: 'ERROR_a here' }],
      unchanged: 0,
      total: 2,
    });
    expect(text).toContain('1 warning introduced, 1 fixed, 0 unchanged in a.txt');
  });

  it('count equal ones', async () => {
    const bridge = await openTestBridge({ files });
    const again = await since(bridge, { file_path: 'a.txt' });
    bridge.write('a.txt', `${files['a.txt']}ERROR_a here\n`);
    expect((await again()).data).toMatchObject({ introduced: [{ line: 4 }], fixed: [], unchanged: 1 });
  });

  it('are filtered by severity on both sides', async () => {
    const bridge = await openTestBridge({ files });
    const again = await since(bridge, { file_path: 'b.txt' });
    bridge.write('b.txt', 'WARN_c here\n');
    expect((await again({ min_severity: 'error' })).data).toMatchObject({
      introduced: [],
      fixed: [],
      unchanged: 0,
    });
    expect((await again()).data).toMatchObject({
      introduced: [{ code: 'WARN_c' }],
      fixed: [{ code: 'WARN_b' }],
    });
  });

  it('of a file that the earlier answer did not cover are not called introduced', async () => {
    const bridge = await openTestBridge({ files });
    const again = await since(bridge, { file_paths: ['a.txt', 'b.txt'] }, { file_path: 'a.txt' });
    const { data, text } = await again();
    expect(data).toMatchObject({ compared: 1, introduced: [], not_compared: ['b.txt'], unchanged: 1 });
    expect(text).toContain('Not compared, because one of the answers may not cover it: b.txt.');
    const alone = await ask(bridge, { file_path: 'b.txt', since: (await ask(bridge)).data.since });
    expect(alone.text).toContain('Nothing could be compared.');
  });

  it('of the workspace count a file that was deleted as mended', async () => {
    const bridge = await openTestBridge({ files });
    await ask(bridge, { file_paths: ['a.txt', 'b.txt'] });
    const again = await since(bridge, {});
    bridge.remove('b.txt');
    expect((await again()).data).toMatchObject({
      introduced: [],
      fixed: [{ file_path: 'b.txt', code: 'WARN_b' }],
      unchanged: 1,
    });
  });

  it('of the workspace count those of a new file where all of it was known before', async () => {
    const diagnosticProvider = { interFileDependencies: true, workspaceDiagnostics: true };
    const lives = [{ capabilities: { diagnosticProvider } }];
    const bridge = await openTestBridge({
      files,
      servers: { fake: { lives, ready: { kind: 'immediate' } } },
    });
    const again = await since(bridge, {});
    bridge.write('c.txt', 'ERROR_c\n');
    const { data } = await again();
    expect(data).toMatchObject({ introduced: [{ file_path: 'c.txt', code: 'ERROR_c' }], unchanged: 2 });
  });

  it('need a token that was given and is still known', async () => {
    const bridge = await openTestBridge({ files });
    expectError(await ask(bridge, { file_path: 'a.txt', since: 'yesterday' }), 'cursor_invalid', /yesterday/);
    expectError(await ask(bridge, { file_path: 'a.txt', since: 'd0123abcd' }), 'cursor_expired', /without/);
  });

  it('are known for as many answers as are kept, the least recently used going first', async () => {
    const bridge = await openTestBridge({ files });
    const tokens: unknown[] = [];
    for (let count = 0; count <= limits.problemSnapshots.kept; count += 1) {
      bridge.write('a.txt', `ERROR_${count}\n`);
      tokens.push((await ask(bridge)).data.since);
      // Used again and again, so that it stays.
      if (count > 0) await ask(bridge, { file_path: 'a.txt', since: tokens[0] });
    }
    const compare = (token: unknown) => ask(bridge, { file_path: 'a.txt', since: token });
    expect((await compare(tokens[0])).isError).toBe(false);
    expectError(await compare(tokens[1]), 'cursor_expired');
    expect((await compare(tokens[2])).isError).toBe(false);
  });
});

describe('more problems than fit', () => {
  const warnings = Array.from({ length: 300 }, (_, index) => `WARN_${index} ${'x'.repeat(50)}`).join('\n');
  const many = { 'a.txt': `${warnings}\nERROR_last\n`, 'b.txt': `ERROR_first\n${warnings}\n` };

  it.each([
    ['a page', {}],
    ['a budget', { max_tokens: 500 }],
  ])('leave out warnings before errors where %s ends, and say which', async (_what, more) => {
    const bridge = await openTestBridge({ files: many });
    const { data, text } = await ask(bridge, { file_paths: ['b.txt', 'a.txt'], ...more });
    expect(data).toMatchObject({ total: 602, counts: { error: 2, warning: 600 } });
    expect(text).toMatch(/^2 errors, 600 warnings in 2 of 2 files\na\.txt\n/);
    expect(text.match(/error: /g)).toHaveLength(2);
    expect(text.indexOf('ERROR_last')).toBeLessThan(text.indexOf('ERROR_first'));
    expect(text).toMatch(/\n… 1-\d+ of 602; next: cursor "[0-9a-f-]+"$/);
  });
});
