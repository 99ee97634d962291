import { realpathSync } from 'node:fs';
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
