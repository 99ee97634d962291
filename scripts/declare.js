// Writes the declarations of the library, each entry as one file that needs no other.
import { spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './bundle.js';
import { flatten } from './flatten-declarations.js';

const dist = path.join(root, 'dist');
const tree = path.join(dist, 'types');

/** Declares the entries, which are names of modules in src/, as dist/NAME.d.mts. */
export async function declareLibrary(names) {
  compile();
  for (const name of names)
    await writeFile(path.join(dist, `${name}.d.mts`), flatten(path.join(tree, `${name}.d.ts`)));
  await rm(tree, { recursive: true });
}

function compile() {
  const args = [path.join(root, 'scripts/tsc.js'), '-p', path.join(root, 'scripts/tsconfig.library.json')];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error('The declarations of the library could not be made.');
}
