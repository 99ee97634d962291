import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { servers } from '../../../src/servers/index.ts';

/** Versions by the name of a package, of npm or of Debian. */
export type Versions = Readonly<Record<string, string>>;

/** What the last whole run of the campaign saw. */
export const seenSchema = z.object({
  combinations: z.int(),
  npm: z.record(z.string(), z.string()),
  debian: z.record(z.string(), z.string()),
});

/** Packages in which a server's own program is not the only one that reads a repository. */
const others = ['typescript-5', '@vue/typescript-plugin', 'svelte', 'vue', 'eslint'];

/** The packages of Debian with servers, and with tools that servers run. */
const debianPackages = [
  ...['ccls', 'clangd-19', 'fortran-language-server', 'golang-go', 'gopls', 'python3-jedi', 'python3-pylsp'],
  ...['cargo-web', 'rust-web-analyzer', 'rustc-web'],
];

/** Returns the versions that the lock file pins of the servers that npm has. */
export function pinnedVersions(root: string): Versions {
  const text = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  const { packages } = lock.parse(JSON.parse(text));
  const sources = servers.flatMap(({ program }) => program.sources);
  const named = sources.flatMap((source) => (source.kind === 'package' ? [source.via ?? source.name] : []));
  const names = [...new Set([...named, ...others])].sort();
  return Object.fromEntries(
    names.flatMap((name) => {
      const version = packages[`node_modules/${name}`]?.version;
      return version === undefined ? [] : [[name, version]];
    }),
  );
}

const lock = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) });

/** Returns the versions of the servers that Debian has installed here. */
export function debianVersions(): Versions {
  const words = ['--show', '--showformat=${Package} ${Version} ${db:Status-Status}\n', ...debianPackages];
  // It fails if it does not know one of them, and tells of the others all the same.
  const lines = execFileSync('/bin/sh', ['-c', 'dpkg-query "$@" 2>/dev/null || true', 'sh', ...words], {
    encoding: 'utf8',
  }).split('\n');
  const rows = lines.map((line) => line.split(' ')).filter(([, , status]) => status === 'installed');
  return Object.fromEntries(rows.map(([name = '', version = '']) => [name, version]));
}
