import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ask, expectError, openTestBridge, question, temporaryFolder } from '../../test-bridge.ts';

const edits = [{ file_path: 'a.txt', old_text: 'function', new_text: 'func' }];

/** A state folder with the record of an edit that nobody can read. */
function brokenState(): string {
  const state = temporaryFolder('lspan-state-');
  const folder = path.join(state, 'lspan', 'edits');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(folder, 'e-broken.prepared'), 'not what lspan writes');
  return state;
}

it('EDT-31 an interrupted edit that cannot be ended is reported and refuses every edit, but no question', async () => {
  const bridge = await openTestBridge({ environment: { XDG_STATE_HOME: brokenState() } });
  expect((await ask(bridge)).data).toMatchObject({ complete: true, ...question.answer });
  const { data, text } = await bridge.call('get_server_status', {});
  expect(data).toMatchObject({ notices: [expect.stringContaining('e-broken.prepared')] });
  expect(text).toContain('! The journal of an unfinished edit cannot be read');
  const preview = await bridge.call('apply_workspace_edit', { edits });
  expect(preview.isError).toBe(false);
  expectError(await bridge.call('apply_workspace_edit', { edits, dry_run: false }), 'refused', /is repaired/);
});

it('EDT-31 a read-only lspan does not touch an interrupted edit', async () => {
  const state = brokenState();
  const bridge = await openTestBridge({ environment: { XDG_STATE_HOME: state }, config: { readOnly: true } });
  expect((await bridge.call('get_server_status', {})).data).toMatchObject({ notices: [] });
  expect(readdirSync(path.join(state, 'lspan', 'edits'))).toEqual(['e-broken.prepared']);
});

it('nothing is applied if the state of lspan is inside the workspace, which could forge it', async () => {
  const bridge = await openTestBridge({ environment: { XDG_STATE_HOME: '<root>/state' } });
  expect((await bridge.call('get_server_status', {})).data).toMatchObject({
    notices: [expect.any(String), expect.stringContaining('state folder of lspan')],
  });
  expectError(
    await bridge.call('apply_workspace_edit', { edits, dry_run: false }),
    'refused',
    /XDG_STATE_HOME/,
  );
});
