import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { writeFiles } from '../lspan.js';
import { run as runAny } from '../pinned.js';

/** What is run on every version of Node, by its title: each makes a project of its own beside the consumer. */
export const checks = {
  'lspan --version': async ({ consumer, run }) => {
    const { version } = JSON.parse(
      (await run('-p', ["JSON.stringify(require('lspan/package.json'))"], { cwd: consumer })).printed,
    );
    const { printed } = await run(path.join(consumer, 'node_modules/.bin/lspan'), ['--version']);
    expectText(printed, version);
  },
  'lspan, lspan/lsp, lspan/testing: imports': async ({ consumer, run }) => {
    const { printed, told } = await run(path.join(consumer, 'imports.mjs'), [], { cwd: consumer });
    expectText(printed, 'lspan: ', 'lspan/lsp: ', 'lspan/testing: ');
    if (told !== '') throw new Error(told);
  },
  'the compiled consumer': async (place) => {
    const project = makeProject(place);
    const { printed } = await place.run(path.join(place.consumer, 'built/consumer.js'), [], {
      cwd: project,
    });
    expectText(printed, 'src/price.ts:1:17', 'not_found');
  },
  'examples/host': async (place) => {
    const project = makeProject(place);
    const script = path.join(place.consumer, 'examples/host/host.mjs');
    const { printed } = await place.run(script, [project, 'src/cart.ts'], { cwd: project });
    expectText(printed, 'Problems of an unsaved text: 1', 'The edit was applied.', 'exit code 0');
  },
  'examples/rename': async (place) => {
    const project = makeProject(place);
    const script = path.join(place.consumer, 'examples/rename/rename.mjs');
    const applied = await place.run(script, [project, 'addPrices', 'sum', '--apply'], { cwd: project });
    expectText(applied.printed, '+export const total = sum(1, 2);', 'Done, as edit ');
    expectText((await place.run(script, [project, '--undo'], { cwd: project })).printed, 'Done: undo of ');
  },
  'examples/pre-commit': async (place) => {
    const project = makeProject(place);
    const script = path.join(place.consumer, 'examples/pre-commit/check-staged.mjs');
    await runAny('git', ['init', '--quiet'], { cwd: project });
    await runAny('git', ['add', '.'], { cwd: project });
    writeFiles(project, { 'src/price.ts': 'no longer a module\n' });
    expectText(
      (await place.run(script, [], { cwd: project })).printed,
      'No errors in 2 of 4 ',
      'package.json',
    );
    await runAny('git', ['add', '.'], { cwd: project });
    expectText((await place.run(script, [], { cwd: project, code: 1 })).told, 'src/price.ts:1:1 ');
  },
};

function makeProject({ consumer }) {
  const project = mkdtempSync(path.join(path.dirname(consumer), 'project-'));
  writeFiles(project, {
    'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "nodenext", "types": [] } }\n',
    'package.json': '{}\n',
    'src/price.ts': 'export function addPrices(a: number, b: number): number {\n  return a + b;\n}\n',
    'src/cart.ts': "import { addPrices } from './price.js';\n\nexport const total = addPrices(1, 2);\n",
  });
  return project;
}

function expectText(text, ...parts) {
  const missing = parts.filter((part) => !text.includes(part));
  if (missing.length > 0) throw new Error(`${missing.join(' and ')} is missing in:\n${text}`);
}
