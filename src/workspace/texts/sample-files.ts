import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { statsOf } from '../gate/signature.ts';

/** Returns a few files that are good to try something with, the best first: the user's own code, of a small size. */
export function samplesOf(files: readonly string[], root: string): readonly string[] {
  const own = files.filter((file) => !unusual.test(path.relative(root, file).replaceAll(path.sep, '/')));
  return spread(own.length > 0 ? own : files)
    .map((file) => ({ file, size: statsOf(file)?.size ?? 0 }))
    .sort((a, b) => distance(a.size) - distance(b.size))
    .slice(0, limits.doctor.samples)
    .map(({ file }) => file);
}

/** Tests, examples and what programs have made may be wrong on purpose, or have nothing of their own. */
const unusual =
  /(^|\/)(tests?|__tests__|spec|fixtures?|examples?|vendor|third_party|dist|build|out|generated|gen|\..*)\/|(\.|_|^|\/)(test|spec|min|config|setup|generated)\.|\.d\.[cm]?ts$|(^|\/)(test_|conftest|__init__)[^/]*$|-lock\.|lock\.json$/i;

/** Returns files of every part of a long list. */
function spread(files: readonly string[]): readonly string[] {
  const step = Math.ceil(files.length / limits.doctor.considered);
  return step <= 1 ? files : files.filter((_, index) => index % step === 0);
}

/** How far a size is from one that is good: a file of a few lines has hardly a symbol, and a large one takes long. */
function distance(size: number): number {
  const { least, most } = limits.doctor.sample;
  if (size < least) return least - size + most;
  return size > most ? size : Math.abs(size - Math.sqrt(least * most)) / most;
}
