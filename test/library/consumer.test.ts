import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runToEnd } from '../run-to-end.ts';
import { makeProject } from './make-project.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The strictest compiler options, which also check the declarations of lspan. */
const closely = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2022'],
  types: ['node'],
};

it('a program with lspan installed compiles against its declarations', async () => {
  const tsconfig = { compilerOptions: closely, files: ['consumer.ts'] };
  const project = makeProject({
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify(tsconfig),
  });
  cpSync(path.join(import.meta.dirname, 'consumer/consumer.ts'), path.join(project, 'consumer.ts'));
  install(project, 'lspan', root);
  install(project, '@types/node', path.join(root, 'node_modules/@types/node'));
  const { status, written } = await runToEnd(path.join(root, 'scripts/tsc.js'), '-p', project);
  expect([written, status]).toEqual(['', 0]);
});

function install(project: string, name: string, folder: string): void {
  const place = path.join(project, 'node_modules', name);
  mkdirSync(path.dirname(place), { recursive: true });
  symlinkSync(folder, place);
}
