import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openBridge } from '../../../../src/bridge.ts';
import { silent } from '../../../../src/core/log.ts';
import { runEdits } from '../../../../src/frontends/cli/commands/run-edits.ts';
import { runUndo } from '../../../../src/frontends/cli/commands/run-undo.ts';
import { parseCommandLine } from '../../../../src/frontends/cli/parse-command-line.ts';
import { temporaryFolder } from '../../../test-bridge.ts';

/** A project with its state folder, and a function that runs a command there. */
function sandbox() {
  const root = temporaryFolder('lspan-project-');
  mkdirSync(path.join(root, '.git'));
  const file = path.join(root, 'a.txt');
  writeFileSync(file, 'one\n');
  const environment = {
    ...process.env,
    XDG_STATE_HOME: temporaryFolder('lspan-state-'),
    CLAUDE_PROJECT_DIR: '',
  };
  const around = { environment, cwd: root, home: path.dirname(root) };
  const run = async (line: string) => {
    const command = parseCommandLine(line.split(' '));
    let told = '';
    const tell = async (text: string) => {
      told += text;
    };
    if (command.kind === 'undo') return { code: await runUndo(command, around, tell), told };
    if (command.kind === 'edits') return { code: await runEdits(command, around, tell), told };
    return expect.unreachable();
  };
  const change = async (from: string, to: string) => {
    const bridge = await openBridge({ roots: [root], surface: 'lspan', log: silent, environment });
    onTestFinished(() => bridge.close({ hurried: true }));
    const edits = [{ file_path: 'a.txt', old_text: from, new_text: to }];
    const { data } = await bridge.call('apply_workspace_edit', { edits, dry_run: false, check: false });
    const { edit_id }: { edit_id: string } = JSON.parse(JSON.stringify(data.edit));
    return edit_id;
  };
  return { run, change, text: () => readFileSync(file, 'utf8') };
}

it('lists edits, the latest first, and undoes the latest', async () => {
  const { run, change, text } = sandbox();
  expect(await run('edits')).toEqual({ code: 0, told: 'There is no edit to undo here.\n' });
  const first = await change('one', 'two');
  const second = await change('two', 'three');
  const { told } = await run('edits');
  expect(told.split('\n').map((line) => line.split('  ')[0])).toEqual([second, first, '']);
  expect(told).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d {2}edit a\.txt, 1 file/);
  const { edits } = JSON.parse((await run('edits --json')).told);
  expect(edits).toMatchObject([
    { edit_id: second, files: [{ change: 'edit', edits: 1 }] },
    { edit_id: first },
  ]);
  const undone = await run('undo');
  expect(undone).toMatchObject({
    code: 0,
    told: expect.stringMatching(/^Done: undo of edit a\.txt, 1 file/),
  });
  expect(text()).toBe('two\n');
  expect((await run('edits')).told).toContain('(undone)');
});

it('previews an undo, and says why it is refused', async () => {
  const { run, change, text } = sandbox();
  const first = await change('one', 'two');
  const shown = await run(`undo ${first} --dry-run`);
  expect(shown).toMatchObject({ code: 0, told: expect.stringContaining('-two\n+one') });
  expect(text()).toBe('two\n');
  await change('two', 'three');
  const refused = await run(`undo ${first}`);
  expect(refused.code).toBe(1);
  expect(text()).toBe('three\n');
  const unknown = await run('undo e-nothing --json');
  expect(unknown.code).toBe(1);
  expect(JSON.parse(unknown.told)).toMatchObject({ is_error: true, error: { code: 'not_found' } });
});

it('accepts only one edit', () => {
  expect(() => parseCommandLine(['undo', 'e-1', 'e-2'])).toThrow('one edit at a time');
  expect(() => parseCommandLine(['edits', 'e-1'])).toThrow('Unexpected argument');
});
