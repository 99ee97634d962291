import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeProject, runExample } from './run-example.ts';

const script = 'rename/rename.mjs';

const files = {
  'src/price.ts': 'export function addPrices(a: number, b: number): number {\n  return a + b;\n}\n',
  'src/cart.ts': "import { addPrices } from './price.js';\n\nexport const total = addPrices(1, 2);\n",
};

describe('examples/rename', () => {
  it('shows a rename across files, carries out what it showed, and takes it back', async () => {
    const project = makeProject(files);
    const read = () => Object.keys(files).map((file) => readFileSync(path.join(project, file), 'utf8'));
    const before = read();

    const shown = await runExample(script, [project, 'addPrices', 'sum'], project);
    expect(shown).toMatchObject({ code: 0, told: '' });
    expect(shown.printed).toContain('2 files');
    expect(shown.printed).toContain('+export const total = sum(1, 2);');
    expect(shown.printed).toContain('add --apply');
    expect(read()).toEqual(before);

    const applied = await runExample(script, [project, 'addPrices', 'sum', '--apply'], project);
    expect(applied).toMatchObject({ code: 0, told: '' });
    expect(read()).toEqual(before.map((text) => text.replaceAll('addPrices', 'sum')));

    const [, editId = ''] = /--undo (\S+)/.exec(applied.printed) ?? [];
    const undone = await runExample(script, [project, '--undo', editId], project);
    expect(undone).toMatchObject({ code: 0, told: '' });
    expect(undone.printed).toContain('src/cart.ts');
    expect(read()).toEqual(before);
  });

  it('lists the symbols that a name may mean, and takes the id of one', async () => {
    const project = makeProject({ ...files, 'src/other.ts': 'export function addPrices() {}\n' });
    const ran = await runExample(script, [project, 'addPrices', 'sum', '--apply'], project);
    expect(ran).toMatchObject({ code: 1, printed: '' });
    const id = 'src/other.ts:1:17#addPrices';
    expect(ran.told.split('\n')).toContain(`  ${id}  export function addPrices() {}`);
    const chosen = await runExample(script, [project, id, 'sum', '--apply'], project);
    expect(chosen).toMatchObject({ code: 0, told: '' });
    expect(readFileSync(path.join(project, 'src/other.ts'), 'utf8')).toBe('export function sum() {}\n');
  });

  it.each([[[]], [['.', 'a']], [['.', 'a', 'b', '--force']]])('shows its usage for %j', async (args) => {
    const ran = await runExample(script, args, makeProject({}));
    expect(ran).toMatchObject({ code: 2, printed: '' });
    expect(ran.told).toContain('Usage: ');
  });

  it('names a folder that is missing, and makes nothing of it', async () => {
    const project = makeProject({});
    const missing = path.join(project, 'missing');
    const ran = await runExample(script, [missing, 'a', 'b'], project);
    expect(ran).toMatchObject({ code: 1, printed: '' });
    expect(ran.told).toContain('missing');
    expect(statSync(missing, { throwIfNoEntry: false })).toBeUndefined();
  });
});
