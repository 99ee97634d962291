import type { Bait, ServerTrap } from '../trap.ts';

const families = ['any'] as const;

/** Folders in which one tool or another keeps what it makes. */
const made = [
  ...['node_modules', '.cache', 'build', 'out', 'dist', 'target', 'vendor', 'typings', 'tmp', '.tmp'],
  ...['.ccls-cache', '.clangd', '__pycache__', '.ropeproject', '.mypy_cache', '.ruff_cache', '.basedpyright'],
  ...['.svelte-kit', '.deno', '.yarn', '.pnpm-store', '.parcel-cache', '.sass-cache', '.intelephense'],
];

/** Programs that a server could look for beside itself. */
const programs = [
  ...[
    'node',
    'npm',
    'npx',
    'git',
    'sh',
    'bash',
    'env',
    'python',
    'python3',
    'cc',
    'gcc',
    'clang',
    'go',
    'cargo',
  ],
  ...[
    'rustc',
    'rustfmt',
    'php',
    'composer',
    'shellcheck',
    'shfmt',
    'gfortran',
    'pkg-config',
    'deno',
    'prettier',
  ],
  ...[
    'ruff',
    'black',
    'mypy',
    'gofmt',
    'gopackagesdriver',
    'which',
    'uname',
    'man',
    'tsc',
    'eslint',
    'lspan',
  ],
];

const everywhere = (folder: string, { shell }: Bait) =>
  Object.fromEntries(programs.map((name) => [`${folder}${name}`, shell]));

/** What every server may meet, whatever it is about. */
export const trapsAnywhere: readonly ServerTrap[] = [
  {
    name: 'git-monitor',
    families,
    files: ({ root, shell }) => ({
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/refs/heads/.keep': '',
      '.git/objects/info/packs': '',
      '.git/config': `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = ${root}/.git/evil\n\tsshCommand = ${root}/.git/evil\n`,
      '.git/evil': shell,
    }),
  },
  {
    name: 'git-filter-and-hooks',
    families,
    files: ({ root, shell }) => ({
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/refs/heads/.keep': '',
      '.git/objects/info/packs': '',
      '.git/config': `[core]\n\trepositoryformatversion = 0\n\thooksPath = ${root}/hooks\n[filter "evil"]\n\tclean = ${root}/evil\n\tprocess = ${root}/evil\n`,
      '.gitattributes': '* filter=evil diff=evil\n',
      'hooks/post-index-change': shell,
      'hooks/post-checkout': shell,
      evil: shell,
    }),
  },
  {
    name: 'shell-environment',
    families,
    files: ({ command, node, root }) => ({
      '.envrc': `${command}\n`,
      '.env': `BASH_ENV=${root}/.bashrc\nNODE_OPTIONS=--require ${root}/evil.cjs\nLD_PRELOAD=${root}/evil.so\n`,
      '.profile': `${command}\n`,
      'evil.cjs': node,
    }),
  },
  {
    name: 'package-manager-settings',
    families,
    files: ({ root, node, shell, command, url }) => ({
      '.npmrc': `registry=${url}\nscript-shell=${root}/npm-shell\nnode-options=--require ${root}/evil.cjs\n`,
      'npm-shell': shell,
      'evil.cjs': node,
      'package.json': JSON.stringify({
        name: 'trap',
        dependencies: { lodash: '4' },
        scripts: Object.fromEntries(
          ['preinstall', 'install', 'postinstall', 'prepare'].map((name) => [name, command]),
        ),
      }),
    }),
  },
  {
    name: 'yarn-release',
    families,
    files: ({ node }) => ({
      '.yarnrc.yml': 'yarnPath: ./.yarn/releases/yarn.cjs\nplugins:\n  - ./.yarn/plugin.cjs\n',
      '.yarnrc': 'yarn-path ".yarn/releases/yarn.cjs"\n',
      '.yarn/releases/yarn.cjs': node,
      '.yarn/plugin.cjs': node,
      '.pnp.cjs': node,
      '.pnp.loader.mjs': node,
      '.pnpmfile.cjs': node,
      'package.json': '{ "name": "trap", "packageManager": "yarn@4.0.0" }',
    }),
  },
  {
    name: 'editor-settings',
    families,
    files: ({ root, shell, command, url }) => ({
      evil: shell,
      '.vscode/settings.json': JSON.stringify({
        'typescript.tsdk': './node_modules/typescript/lib',
        'python.defaultInterpreterPath': `${root}/evil`,
        'python.pythonPath': `${root}/evil`,
        'clangd.path': `${root}/evil`,
        'clangd.arguments': [`--query-driver=${root}/evil`],
        'go.alternateTools': { gopls: `${root}/evil`, go: `${root}/evil` },
        'rust-analyzer.server.path': `${root}/evil`,
        'rust-analyzer.check.overrideCommand': [`${root}/evil`],
        'eslint.runtime': `${root}/evil`,
        'biome.lsp.bin': `${root}/evil`,
        'oxc.path.server': `${root}/evil`,
        'deno.path': `${root}/evil`,
        'php.validate.executablePath': `${root}/evil`,
        'bashIde.shellcheckPath': `${root}/evil`,
        'json.schemas': [{ fileMatch: ['*'], url: `${url}schema.json` }],
        'yaml.schemas': { [`${url}schema.json`]: '*' },
      }),
      '.vscode/tasks.json': JSON.stringify({
        tasks: [{ label: 'x', type: 'shell', command, runOptions: { runOn: 'folderOpen' } }],
      }),
      '.zed/settings.json': JSON.stringify({ lsp: { evil: { binary: { path: `${root}/evil` } } } }),
      '.helix/languages.toml': `[language-server.evil]\ncommand = "${root}/evil"\n`,
      '.editorconfig': 'root = true\n[*]\nindent_style = tab\nend_of_line = crlf\nshell_variant = bash\n',
    }),
  },
  {
    name: 'own-configuration',
    families,
    files: ({ root, shell, ending }) => {
      const table = `[[servers]]\nid = "evil"\ncommand = ["${root}/evil"]\nextensions = ["${ending}"]\nstart = "early"\n`;
      return {
        evil: shell,
        'lspan.toml': `trust = true\nconfine = "never"\n${table}`,
        '.lspan/config.toml': `confine = "never"\n${table}`,
        'lspan.json': JSON.stringify({ trusted: true, interpreter: `${root}/evil` }),
      };
    },
  },
  {
    name: 'programs-in-the-root',
    families,
    files: (bait) => everywhere('', bait),
    environment: () => ({ PATH: `.::${systemPath}` }),
  },
  {
    name: 'programs-in-search-path',
    families,
    files: (bait) => ({ ...everywhere('bin/', bait), ...everywhere('node_modules/.bin/', bait) }),
    environment: ({ root }) => ({ PATH: `${root}/bin:${root}/node_modules/.bin:${systemPath}` }),
  },
  {
    name: 'version-managers',
    families,
    files: ({ root, shell }) => ({
      '.tool-versions': `python path:${root}/v\nnodejs path:${root}/v\ngolang path:${root}/v\nrust path:${root}/v\n`,
      '.python-version': `${root}/v\n`,
      '.nvmrc': `${root}/v\n`,
      '.node-version': `${root}/v\n`,
      'mise.toml': `[env]\n_.source = "${root}/v/bin/env"\n[tools]\nnode = "path:${root}/v"\n`,
      ...Object.fromEntries(
        ['python', 'python3', 'node', 'go', 'env'].map((name) => [`v/bin/${name}`, shell]),
      ),
    }),
  },
  {
    name: 'links-of-folders-that-tools-make',
    families,
    outside: { 'folder/mine.txt': 'mine\n' },
    links: ({ outside }) => Object.fromEntries(made.map((name) => [name, `${outside}/folder`])),
  },
  {
    name: 'link-to-sources-of-the-user',
    families,
    outside: { 'folder/mine.txt': 'mine\n' },
    links: ({ outside, ending }) => ({
      linked: `${outside}/folder`,
      [`mine.${ending}`]: `${outside}/folder/mine.txt`,
    }),
  },
  { name: 'pipe', families, pipes: ['pipe'], links: ({ ending }) => ({ [`pipe.${ending}`]: 'pipe' }) },
];

/** Where programs are found that are no trap. */
export const systemPath = '/usr/local/bin:/usr/bin:/bin';
