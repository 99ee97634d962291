import { join } from 'node:path';
import type { ProjectFacts } from '../definition.ts';

/**
 * The site-packages folders of the project's virtual environment, as data: no interpreter of it is ever run.
 * `.venv` and `venv` in the root come first, then the environment that the user has activated.
 */
export function sitePackages({ root, environment, exists, list }: ProjectFacts): string[] {
  const active = environment.VIRTUAL_ENV;
  const folders = [join(root, '.venv'), join(root, 'venv'), ...(active ? [active] : [])];
  const found = folders.flatMap((folder) => [
    join(folder, 'Lib', 'site-packages'),
    ...list(join(folder, 'lib'))
      .filter((name) => name.startsWith('python'))
      .map((name) => join(folder, 'lib', name, 'site-packages')),
  ]);
  return [...new Set(found)].filter(exists);
}

/** What changes when packages are installed into the project's environment. */
export const environmentFiles = [
  '.venv/pyvenv.cfg',
  'venv/pyvenv.cfg',
  '.venv/lib/*/site-packages/*',
  'venv/lib/*/site-packages/*',
] as const;
