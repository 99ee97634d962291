// Makes the VSIX of the extension by the packager of VS Code, which is installed at an exact version outside of the tree.
//   npm run package:vscode [-- FOLDER]   puts it into FOLDER, by default the current one
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { pinned, pinnedNode, run } from '../test/campaigns/pinned.js';
import { root } from './bundle.js';

const most = 1024 * 1024;
const extension = path.join(root, 'editors/vscode');
const { name, version } = JSON.parse(readFileSync(path.join(extension, 'package.json'), 'utf8'));
const destination = path.resolve(process.argv[2] ?? '.', `${name}-${version}.vsix`);
const licence = path.join(extension, 'LICENSE');

mkdirSync(path.dirname(destination), { recursive: true });
const packager = path.join(await pinned('@vscode/vsce', '3.9.2'), 'vsce');
copyFileSync(path.join(root, 'LICENSE'), licence);
try {
  const words = [
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
    '--out',
    destination,
  ];
  const { printed } = await run(await pinnedNode('24.21.0'), [packager, ...words], { cwd: extension });
  console.log(printed.trim());
} finally {
  rmSync(licence, { force: true });
}
const { size } = statSync(destination);
if (size > most) throw new Error(`The VSIX has ${size} bytes, which is more than ${most}.`);
console.log(`${destination}: ${size} bytes`);
