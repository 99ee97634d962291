import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openRealActions, titled } from '../backends/lsp/questions/asking-actions.ts';

const files = {
  'tsconfig.json': '{ "compilerOptions": { "lib": ["es2022"], "strict": true, "module": "esnext" } }\n',
  'a.ts': 'export function f() {\n  return missing();\n}\nexport const end = 1;\n',
};

it('EDT-35 what typescript-language-server would move to a new file is known without the file being made', async () => {
  const world = await openRealActions(['typescript-language-server'], { files });
  const range = { start: { line: 0, character: 17 }, end: { line: 0, character: 17 } };
  const { answer } = await world.offered('a.ts', { range, only: ['refactor.move'] });
  const before = readdirSync(world.root);
  const { steps } = await world.backend.propose(titled(answer, 'Move to a new file'), world.call);
  expect(steps.map(({ kind }) => kind)).toEqual(['edit', 'create', 'edit']);
  expect(readdirSync(world.root)).toEqual(before);
  // It counts the break after a line as one more column.
  expect(await world.propose('a.ts', "Add missing function declaration 'missing'")).toMatchObject({
    steps: [{ edits: [{ range: { start: { line: 4, character: 0 } } }] }],
  });
});
