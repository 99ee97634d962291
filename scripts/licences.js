// The licences of what is bundled.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The licence of every package that has code in the bundles. */
export async function licences(chunks) {
  const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules ?? {}));
  const folders = new Set(modules.flatMap(packageFolder));
  const texts = await Promise.all([...folders].sort().map(licence));
  return `lspan contains code of these packages.\n\n${texts.join('\n')}`;
}

function packageFolder(module) {
  const found = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(module);
  return found ? [found[0]] : [];
}

async function licence(folder) {
  const { name, version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file)).sort();
  if (files.length === 0 && license === 'Unlicense')
    return `${'-'.repeat(78)}\n${name} ${version} (${license})\n\nReleased into the public domain: https://unlicense.org\n`;
  if (files.length === 0) throw new Error(`${name} has no licence text in ${folder}.`);
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  return `${'-'.repeat(78)}\n${name} ${version} (${license})\n\n${texts.map((text) => text.trim()).join('\n\n')}\n`;
}
