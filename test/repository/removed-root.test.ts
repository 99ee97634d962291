import { spawnSync } from 'node:child_process';
import { realpathSync, renameSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openBuilt } from '../evil-repo/built-lspan.ts';
import { temporaryFolder } from '../workspace/sandbox.ts';

it('BND-21 a folder that the client takes away from its roots is outside from the next call on', async () => {
  const [first, second] = ['first', 'second'].map((name) =>
    realpathSync(temporaryFolder({ 'a.ts': `export const ${name} = 1;\n` })),
  );
  if (first === undefined || second === undefined) throw new Error('two folders were made');
  let roots = [first, second];
  const lspan = await openBuilt({
    root: temporaryFolder(),
    clientRoots: () => roots,
    servers: ['typescript'],
    deadline: 60,
  });
  onTestFinished(() => lspan.close());
  const look = (folder: string) => lspan.call('get_document_symbols', { file_path: `${folder}/a.ts` });
  expect((await look(first)).text).toContain('first');
  expect((await look(second)).text).toContain('second');
  roots = [second];
  await lspan.changeRoots();
  expect((await look(first)).data).toMatchObject({ error: { code: 'outside_workspace' } });
  expect((await look(second)).text).toContain('second');
});

it('a workspace that is moved away while lspan runs is reported as gone, and works again when it is back', async () => {
  const root = realpathSync(temporaryFolder({ 'a.ts': 'export const first = 1;\n' }));
  const elsewhere = `${realpathSync(temporaryFolder())}/moved`;
  const lspan = await openBuilt({ root, servers: ['typescript'], deadline: 60 });
  onTestFinished(() => lspan.close());
  const place = { file_path: 'a.ts', symbol_name: 'first' };
  expect(await lspan.call('find_references', place)).toMatchObject({ isError: false });
  renameSync(root, elsewhere);
  const questions = {
    find_references: place,
    get_document_symbols: { file_path: 'a.ts' },
    get_diagnostics: { file_path: 'a.ts' },
    get_server_status: {},
  };
  for (const [tool, input] of Object.entries(questions))
    expect((await lspan.call(tool, input)).data).toMatchObject({ error: { code: 'workspace_gone' } });
  renameSync(elsewhere, root);
  expect(await lspan.call('find_references', place)).toMatchObject({ isError: false });
});

it('a whole disk is refused as a workspace, and is survived where the user insists', {
  timeout: 180_000,
}, async () => {
  const bin = path.resolve(import.meta.dirname, '../../dist/bin.js');
  const words = [bin, 'call', 'get_server_status', '-w', '/'];
  const refused = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('--wide-workspace') });
  const answered = spawnSync(process.execPath, [...words, '--wide-workspace'], { encoding: 'utf8' });
  expect(answered).toMatchObject({ status: 0, stdout: expect.stringContaining('typescript') });
});
