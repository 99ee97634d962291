import { installations } from '../typescript.ts';

/** Files that decide which packages Node finds in a repository; trust in code from there is bound to them. */
export const packageFiles: readonly string[] = [
  ...['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', '.pnp.cjs'],
  ...installations,
];
