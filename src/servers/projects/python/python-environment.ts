import { join } from 'node:path';
import type { ProjectFacts } from '../../definition.ts';

/** Returns the site-packages of `.venv`, `venv` and the active environment, in order; runs no interpreter. */
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

/**
 * Returns the interpreter that is asked for its folders: one in PATH. Without the setting, basedpyright runs
 * `.venv/bin/python` of the repository; a program that does not exist is not replaced by another.
 */
export function interpreter({ programInPath, temporary }: ProjectFacts): string {
  return programInPath('python3') ?? programInPath('python') ?? join(temporary(), 'python3');
}

/** Globs of files that change when packages are installed into the project's environment. */
export const environmentFiles = [
  '.venv/pyvenv.cfg',
  'venv/pyvenv.cfg',
  '.venv/lib/*/site-packages/*',
  'venv/lib/*/site-packages/*',
] as const;
