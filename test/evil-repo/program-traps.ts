import { servers } from '../../src/servers/index.ts';
import type { Canary, Trap } from './canary.ts';

/** Folders of the repository that stand in PATH before all others. */
export const programFolders = ['bin', 'node_modules/.bin', 'tools/bin'] as const;

/** Programs that a language server, a tool of it or lspan itself could look for by name. */
const programs = new Set([
  ...servers.flatMap(({ program }) =>
    program.sources.flatMap((source) => ('name' in source ? [source.name] : [])),
  ),
  ...['typescript-language-server', 'tsserver', 'tsc', 'biome', 'oxlint', 'eslint', 'prettier', 'vtsls'],
  ...['pyright-langserver', 'basedpyright-langserver', 'pylsp', 'ruff', 'jedi-language-server', 'mypy'],
  ...['clangd', 'ccls', 'clang', 'clang++', 'gcc', 'g++', 'cc', 'c++', 'ld', 'cmake', 'make', 'pkg-config'],
  ...[
    'gopls',
    'go',
    'gopackagesdriver',
    'gofmt',
    'staticcheck',
    'rust-analyzer',
    'cargo',
    'rustc',
    'rustfmt',
  ],
  ...['git', 'npm', 'npx', 'node', 'yarn', 'pnpm', 'deno', 'bun', 'corepack', 'lspan'],
  ...['python', 'python3', 'pip', 'conda', 'pyenv', 'poetry', 'env', 'sh', 'bash', 'ps', 'uname', 'which'],
  ...['java', 'javac', 'mvn', 'gradle', 'php', 'composer', 'ruby', 'gem', 'bundle', 'shellcheck', 'shfmt'],
  ...['fortls', 'gfortran', 'strace', 'sed', 'cat', 'tr', 'wc', 'ls', 'readlink', 'dirname', 'basename'],
]);

/** Programs of the repository itself. */
export const programTraps: readonly Trap[] = programFolders.map((folder) => ({
  name: `programs-in-${folder.replaceAll('/', '-')}`,
  files: ({ shell }: Canary) => Object.fromEntries([...programs].map((name) => [`${folder}/${name}`, shell])),
}));

/** The same in the root of the repository, which is the folder that servers are started in. */
export const currentFolderTraps: readonly Trap[] = [
  {
    name: 'programs-in-the-current-folder',
    files: ({ shell }: Canary) =>
      Object.fromEntries(
        ['git', 'npm', 'node', 'python3', 'cargo', 'rustc', 'gcc', 'clang', 'sh'].flatMap((name) => [
          [name, shell],
          [`${name}.cmd`, '@echo off\r\n'],
        ]),
      ),
  },
];
