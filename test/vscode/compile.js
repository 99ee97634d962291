// Compiles the extension against the declarations of VS Code itself, instead of the part that the extension declares.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pinned, run } from '../campaigns/pinned.js';
import { versions } from './code-server.js';

const root = path.resolve(import.meta.dirname, '../..');

/** Rejects with the errors of the compiler. */
export async function compileAgainstEditor() {
  const declarations = await pinned('@types/vscode', versions['@types/vscode']);
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-compile-')));
  const file = path.join(folder, 'tsconfig.json');
  const compilerOptions = {
    paths: { vscode: [path.join(declarations, 'index.d.ts')] },
    types: [path.join(root, 'node_modules/@types/node')],
  };
  const files = [path.join(root, 'editors/vscode/src/extension.ts')];
  writeFileSync(
    file,
    JSON.stringify({ extends: path.join(root, 'tsconfig.json'), compilerOptions, files, include: [] }),
  );
  try {
    await run(process.execPath, [path.join(root, 'scripts/tsc.js'), '--noEmit', '-p', file], { cwd: root });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
