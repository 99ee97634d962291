import path from 'node:path';
import { moduleEndings, type Surroundings } from './leads-to.ts';
import { relativeMentions } from './path-mentions.ts';
import { pythonImports } from './python-imports.ts';

/**
 * The files of the workspace that a text imports, as far as its spelling tells, in the order in which they are named.
 * What only a compiler knows, as where else headers are looked for, is left out.
 */
export function importedFiles(text: string, around: Surroundings): readonly string[] {
  const folder = path.dirname(around.from);
  const found = (/\.pyi?$/.test(around.from) ? ofPython : ofPaths)(text, folder, around);
  return [...new Set(found.filter((file) => file !== undefined && file !== around.from))];
}

function ofPaths(text: string, folder: string, { from, isFile }: Surroundings): string[] {
  const written = relativeMentions(from, text).map((mention) => mention.path);
  const included = [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"/gm)].map(
    ([, given = '']) => given,
  );
  return [...written, ...included].flatMap((given) => {
    const reached = path.join(folder, given);
    return candidates(reached).filter(isFile).slice(0, 1);
  });
}

/** `./cart` and `./cart.js` may mean `cart.ts`. */
function candidates(reached: string): readonly string[] {
  const [, stem, kind = ''] = /^(.*)\.([cm]?)jsx?$/.exec(reached) ?? [];
  const written =
    stem === undefined ? [] : [`${stem}.${kind}ts`, `${stem}.${kind}tsx`, `${stem}.d.${kind}ts`];
  return [...written, reached, ...moduleEndings.map((ending) => `${reached}${ending}`)];
}

function ofPython(text: string, folder: string, { roots, isFile }: Surroundings): string[] {
  return pythonImports(text).flatMap(({ path: module }) => {
    const dots = /^\.*/.exec(module)?.[0].length ?? 0;
    const parts = module.slice(dots).split('.').filter(Boolean);
    const above = path.join(folder, ...Array.from({ length: Math.max(0, dots - 1) }, () => '..'));
    const bases = dots > 0 ? [above] : [folder, ...roots];
    const reached = bases.map((base) => path.join(base, ...parts));
    const named = reached.flatMap((one) => [`${one}.py`, `${one}.pyi`, path.join(one, '__init__.py')]);
    return named.filter(isFile).slice(0, 1);
  });
}
