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

it('publint finds nothing wrong with what is published', async () => {
  const files = names.map((name) => ({ name: path.join(root, name), data: read(name) }));
  const { messages } = await publint({ pkgDir: root, strict: true, pack: { files } });
  expect(messages).toEqual([]);
});

it('the types are found, and are right, by every way in which modules resolve', async () => {
  // The texts of the schemas and the documents say nothing about types, and there are many.
  const counted = names.filter((name) => /^(package\.json$|dist\/)/.test(name));
  const files = Object.fromEntries(counted.map((name) => [`/node_modules/lspan/${name}`, read(name)]));
  const entries = Object.keys(manifest.exports).filter((name) => !name.endsWith('.json'));
  const checked = await checkPackage(new Package(files, 'lspan', '0.1.0'), { entrypoints: entries });
  if (!checked.types) throw new Error('There are no types.');
  expect(Object.keys(checked.entrypoints)).toEqual(entries);
  expect(checked.problems.filter((problem) => !('resolutionKind' in problem && isOld(problem)))).toEqual([]);
});

/** lspan is a module and nothing else: as `--profile esm-only` has it, ways that know no modules do not count. */
function isOld({ resolutionKind }: { readonly resolutionKind: string }): boolean {
  return resolutionKind === 'node10' || resolutionKind === 'node16-cjs';
}
