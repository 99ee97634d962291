// Builds the extension of VS Code into editors/vscode/dist, with the licences of what is bundled into it.
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleExtension, catalogueModule, frozen, root } from './bundle.js';
import { licences } from './licences.js';

const extension = path.join(root, 'editors/vscode');
const dist = path.join(extension, 'dist');

await rm(dist, { recursive: true, force: true });
const replaced = { [catalogueModule]: await frozen(catalogueModule, 'catalogue') };
const chunks = await bundleExtension({ extension: path.join(extension, 'src/extension.ts') }, dist, {
  replaced,
});
await writeFile(path.join(dist, 'package.json'), '{ "type": "commonjs" }\n');
await writeFile(path.join(dist, 'THIRD-PARTY-LICENSES.txt'), await licences(chunks));
