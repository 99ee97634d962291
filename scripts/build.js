// Builds dist/: the executable, the library with its declarations, and the licences of what is bundled into them.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleExecutable, bundleLibrary, catalogueModule, evaluate, frozen, root } from './bundle.js';
import { declareLibrary } from './declare.js';
import { installable } from './installable.js';
import { licences } from './licences.js';

const dist = path.join(root, 'dist');
const source = (name) => path.join(root, 'src', name);
/** The entries of the library, which package.json names as its exports. */
const entries = ['index', 'lsp', 'testing'].filter((name) => existsSync(source(`${name}.ts`)));

await rm(dist, { recursive: true, force: true });
const replaced = { [catalogueModule]: await frozen(catalogueModule, 'catalogue') };
const chunks = await bundleExecutable(source('bin.ts'), dist, {
  start: [source('frontends/cli/commands/run-mcp.ts'), source('frontends/mcp/stdio/serve-stdio.ts')],
  replaced,
});
await chmod(path.join(dist, 'bin.js'), 0o755);
await writeFile(path.join(dist, 'package.json'), '{ "type": "commonjs" }\n');
chunks.push(
  ...(await bundleLibrary(
    entries.map((name) => source(`${name}.ts`)),
    dist,
    { replaced },
  )),
);
await bundleExecutable(source('testing/fake-server/bin.js'), path.join(dist, 'fake-server'));
await declareLibrary(entries);
const { npmPackages } = await evaluate(source('servers/npm-packages.ts'));
const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8'));
await writeFile(path.join(dist, 'installable.json'), `${JSON.stringify(installable(lock, npmPackages))}\n`);
await writeFile(path.join(dist, 'THIRD-PARTY-LICENSES.txt'), await licences(chunks));

await writeFile(path.join(dist, 'build-id'), `${await buildId()}\n`);

/** A hash of the executable: a daemon serves clients of its own build only. */
async function buildId() {
  const hash = createHash('sha256');
  const files = await readdir(dist, { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.js')).sort())
    hash.update(`${file}\0`).update(await readFile(path.join(dist, file)));
  return hash.digest('hex').slice(0, 16);
}
