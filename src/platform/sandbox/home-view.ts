import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';

/** What stands in a home folder, from one look at it. */
export interface HomeView {
  /**
   * The names that are visible by themselves: a leading dot is where programs keep their credentials, and so do the
   * folders of packaged applications.
   */
  readonly open: readonly Dirent[];
  /** Those of `toolPaths` that may exist. */
  readonly tools: readonly string[];
  /** Those of `secretPaths` that may exist. */
  readonly secrets: readonly string[];
}

/** Looks at a home folder: few of the many paths in the lists exist in one, and a look at each would delay a start. */
export function viewHome(home: string): HomeView {
  const listed = resultOrError(() => readdirSync(home, { withFileTypes: true }));
  if (listed instanceof LspanError) return { open: [], tools: [], secrets: [] };
  const names = new Set(listed.map(({ name }) => name));
  const present = (all: readonly string[]) =>
    all.filter((name) => names.has(name.split('/', 1)[0] ?? name)).map((name) => path.join(home, name));
  return {
    open: listed.filter(({ name }) => !name.startsWith('.') && !applicationData.has(name)),
    tools: present([...toolchains, ...toolSettings]),
    secrets: present(secrets),
  };
}

/** Folders without a dot in which applications, browsers among them, keep private data. */
const applicationData: ReadonlySet<string> = new Set(['snap', 'Library', 'AppData']);

/** Returns the paths behind a dot that are visible all the same: toolchains, and settings of formatters and linters. */
export function toolPaths(home: string): readonly string[] {
  return [...toolchains, ...toolSettings].map((name) => path.join(home, name));
}

const toolchains: readonly string[] = [
  ...[
    '.cargo',
    '.rustup',
    '.nvm',
    '.volta',
    '.fnm',
    '.nodenv',
    '.npm-global',
    '.npm-packages',
    '.bun',
    '.deno',
  ],
  ...[
    '.yarn',
    '.pnpm-store',
    '.pyenv',
    '.virtualenvs',
    '.conda',
    '.rye',
    '.asdf',
    '.jenv',
    '.sdkman',
    '.konan',
  ],
  ...[
    '.rbenv',
    '.rvm',
    '.gem',
    '.bundle/cache',
    '.opam',
    '.ghcup',
    '.stack',
    '.cabal',
    '.elan',
    '.julia',
    '.juliaup',
  ],
  ...[
    '.goenv',
    '.go',
    '.dotnet',
    '.nuget/packages',
    '.pub-cache',
    '.mix',
    '.hex',
    '.kiex',
    '.swiftly',
    '.zvm',
  ],
  ...[
    '.m2/repository',
    '.gradle/caches',
    '.gradle/wrapper',
    '.gradle/jdks',
    '.linuxbrew',
    '.nix-profile',
    '.luarocks',
  ],
  ...['.local/bin', '.local/lib', '.local/pipx', '.local/share/pipx', '.local/share/uv', '.local/share/mise'],
  ...[
    '.local/share/fnm',
    '.local/share/pnpm',
    '.local/share/rtx',
    '.local/share/nvim/mason',
    '.local/share/virtualenvs',
  ],
  ...['.terraform.d/plugins', '.vscode/extensions', '.vscode-server/extensions'],
  // Packages that projects use without holding them: servers answer wrongly where they cannot read them.
  ...['.cache/pypoetry/virtualenvs', '.local/share/hatch/env', '.local/share/pdm/venvs', '.pixi/envs'],
  ...['.cache/bazel', '.cache/zig', '.cache/deno', '.cache/coursier', '.cache/shards', '.conan2/p'],
  ...['.ivy2/cache', '.ivy2/local', '.sbt/boot', '.nimble/pkgs', '.nimble/pkgs2', '.choosenim/toolchains'],
  ...[
    '.composer/vendor',
    '.config/composer/vendor',
    '.local/state/cabal',
    '.espressif',
    '.arduino15/packages',
  ],
  ...['.platformio/packages', '.platformio/platforms'],
];

const toolSettings: readonly string[] = [
  ...[
    '.editorconfig',
    '.clang-format',
    '.clang-tidy',
    '.clangd',
    '.prettierrc',
    '.prettierrc.json',
    '.prettierrc.yaml',
  ],
  ...[
    '.eslintrc',
    '.eslintrc.json',
    '.stylelintrc',
    '.flake8',
    '.pylintrc',
    '.pycodestyle',
    '.isort.cfg',
    '.style.yapf',
  ],
  ...[
    '.rustfmt.toml',
    'rustfmt.toml',
    '.rubocop.yml',
    '.shellcheckrc',
    '.luacheckrc',
    '.stylua.toml',
    '.markdownlint.json',
  ],
  ...[
    '.config/clangd',
    '.config/pycodestyle',
    '.config/flake8',
    '.config/pylintrc',
    '.config/ruff',
    '.config/rustfmt',
  ],
  ...[
    '.config/yamllint',
    '.config/shellcheckrc',
    '.config/marksman',
    '.config/zls.json',
    '.config/git/ignore',
  ],
];

/** Returns the paths that are never visible, even if a toolchain or a wanted folder contains them. */
export function secretPaths(home: string): readonly string[] {
  return secrets.map((name) => path.join(home, name));
}

const secrets: readonly string[] = [
  ...[
    '.ssh',
    '.aws',
    '.azure',
    '.gnupg',
    '.kube',
    '.docker',
    '.password-store',
    '.netrc',
    '.git-credentials',
  ],
  ...[
    '.gitconfig',
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.pypirc',
    '.pgpass',
    '.my.cnf',
    '.vault-token',
    '.mozilla',
  ],
  ...[
    '.thunderbird',
    '.config/gh',
    '.config/gcloud',
    '.config/git/credentials',
    '.config/op',
    '.config/google-chrome',
  ],
  ...[
    '.config/chromium',
    '.config/BraveSoftware',
    '.config/rclone',
    '.config/configstore',
    '.local/share/keyrings',
  ],
  ...['.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials', '.pub-cache/credentials.json'],
  ...[
    '.m2/settings.xml',
    '.m2/settings-security.xml',
    '.gradle/gradle.properties',
    '.hex/hex.config',
    '.cabal/config',
  ],
  ...['.local/share/uv/credentials', '.terraform.d/credentials.tfrc.json', '.bundle/config'],
];
