import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { checkPackage, Package } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const manifest: { readonly files: readonly string[]; readonly exports: Readonly<Record<string, unknown>> } =
  JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const names = ['package.json', ...manifest.files.flatMap(filesIn)];

function filesIn(name: string): string[] {
  const place = path.join(root, name);
  if (!statSync(place).isDirectory()) return [name];
  return readdirSync(place).flatMap((one) => filesIn(`${name}/${one}`));
}

const read = (name: string) => new Uint8Array(readFileSync(path.join(root, name)));

it('publint finds no fault in the package', async () => {
  const files = names.map((name) => ({ name: path.join(root, name), data: read(name) }));
  const { messages } = await publint({ pkgDir: root, strict: true, pack: { files } });
  expect(messages).toEqual([]);
});

it('the types resolve correctly in every mode of module resolution', async () => {
  // Schemas and documents are left out: they are many, and do not matter for types.
  const counted = names.filter((name) => /^(package\.json$|dist\/)/.test(name));
  const files = Object.fromEntries(counted.map((name) => [`/node_modules/lspan/${name}`, read(name)]));
  const entries = Object.keys(manifest.exports).filter((name) => !name.endsWith('.json'));
  const checked = await checkPackage(new Package(files, 'lspan', '0.1.0'), { entrypoints: entries });
  if (!checked.types) throw new Error('There are no types.');
  expect(Object.keys(checked.entrypoints)).toEqual(entries);
  expect(checked.problems.filter((problem) => !('resolutionKind' in problem && isOld(problem)))).toEqual([]);
});

/** lspan is ESM only, so resolution modes without ESM are ignored, like `--profile esm-only`. */
function isOld({ resolutionKind }: { readonly resolutionKind: string }): boolean {
  return resolutionKind === 'node10' || resolutionKind === 'node16-cjs';
}
