import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { nearestNames } from '../../core/wording/nearest-name.ts';

/**
 * Returns the files that a path which leads nowhere may mean, the likeliest first: one whose end is the same, as for paths
 * of another machine; else some of the same name, perhaps without its extension, or of a similar one.
 * @param folder The folder in which the file was looked for; those beside it come first.
 */
export function nearFiles(files: Iterable<string>, given: string, folder: string): readonly string[] {
  const wanted = partsOf(given);
  const byName = new Map<string, string[]>();
  for (const file of files) {
    const own = path.basename(file);
    const namesakes = byName.get(own);
    if (namesakes) namesakes.push(file);
    else byName.set(own, [file]);
  }
  const same = sameEnd(byName, wanted);
  // Of a package that is not installed, no other file is meant.
  if (same.length > 0 || wanted.includes('node_modules')) return same;
  const name = wanted.at(-1) ?? '';
  const names = [...byName.keys()].sort();
  const exact = byName.get(name) ?? [];
  // An import may be without the extension.
  const whole = names.filter((own) => path.parse(own).name === name).flatMap((own) => byName.get(own) ?? []);
  const similar = nearestNames(name, names, limits.path.nearNames).flatMap((own) => byName.get(own) ?? []);
  const likely = exact.length > 0 ? exact : whole;
  const isPlaced = wanted.length > 1;
  const beside = similar.filter((file) => isPlaced && path.dirname(file) === folder);
  const all = likely.length > 0 ? [...beside, ...likely.sort()] : [...beside, ...similar];
  const modules = all.length === 0 && wanted.length === 1 ? sameEnd(byName, name.split('.')) : [];
  return [...new Set([...all, ...modules])].slice(0, limits.path.nearNames);
}

/** Returns the only file whose last two parts or more are as given, if there is one: `C:\work\shop\src\cart.ts`. */
export function fileOfEnd(files: Iterable<string>, given: string): string | undefined {
  const wanted = partsOf(given);
  const name = wanted.at(-1) ?? '';
  const named = [...files].filter((file) => path.basename(file) === name);
  const [only, ...others] = sameEnd(new Map([[name, named]]), wanted);
  return others.length === 0 ? only : undefined;
}

/** Returns the parts of a path as other systems, quotes, compilers and modules of Python may write it. */
function partsOf(given: string): readonly string[] {
  const plain = given.replace(/^[\s"'`@]+|[\s"'`]+$/g, '').replace(/(:\d+)+$/, '');
  const parts = plain.split(/[\\/]+/).filter((part) => part !== '' && part !== '.');
  const [module = ''] = parts;
  const isModule = parts.length === 1 && /^\w+(\.\w+){2,}$/.test(module);
  return isModule ? module.split('.') : parts;
}

/** Returns the files with the longest end that is as given, of two parts at least; those with the same extension first. */
function sameEnd(
  byName: ReadonlyMap<string, readonly string[]>,
  wanted: readonly string[],
): readonly string[] {
  const name = wanted.at(-1) ?? '';
  const stems = new Set([name, path.parse(name).name]);
  const exact = longestEnd(byName.get(name) ?? [], wanted);
  if (exact.length > 0) return exact;
  const names = [...byName.keys()].filter((own) => stems.has(path.parse(own).name)).sort();
  return longestEnd(
    names.flatMap((own) => byName.get(own) ?? []),
    wanted,
  );
}

function longestEnd(files: readonly string[], wanted: readonly string[]): readonly string[] {
  const shares = files.map((file) => {
    const parts = file.split(path.sep);
    const last = parts.length - 2;
    let shared = 1;
    while (shared < wanted.length && parts[last - shared + 1] === wanted.at(-1 - shared)) shared += 1;
    return { file, shared };
  });
  const most = shares.reduce((longest, { shared }) => Math.max(longest, shared), 2);
  const best = shares.filter(({ shared }) => shared === most).map(({ file }) => file);
  return best.sort().slice(0, limits.path.nearNames);
}
