import { realpathSync, renameSync } from 'node:fs';
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
