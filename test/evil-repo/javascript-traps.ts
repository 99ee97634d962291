import type { Trap } from './canary.ts';

/** Packages that language servers prefer in the workspace over their own. */
const packages = [
  ...['eslint', 'prettier', 'svelte', 'svelte-preprocess', 'prettier-plugin-svelte', 'stylelint', 'vue'],
  ...['@vue/compiler-sfc', '@vue/typescript-plugin', '@vue/language-core', '@biomejs/biome', 'oxlint'],
  ...['typescript-svelte-plugin', 'typescript-plugin-css-modules', '@prisma/client', 'prisma', 'pug', 'sass'],
];

/** Configuration that is code. */
const configurations = [
  ...['.eslintrc.js', '.eslintrc.cjs', 'eslint.config.js', 'eslint.config.mjs', 'eslint.config.cjs'],
  ...['.prettierrc.js', '.prettierrc.cjs', 'prettier.config.mjs', 'svelte.config.js', 'svelte.config.cjs'],
  ...['vite.config.js', 'vite.config.ts', 'vue.config.js', 'nuxt.config.js', 'webpack.config.js'],
  ...[
    'babel.config.js',
    'postcss.config.js',
    'tailwind.config.js',
    'oxlint.config.ts',
    'stylelint.config.js',
  ],
  ...['prisma.config.ts', '.pnp.cjs', '.pnp.loader.mjs', 'deno.lint.ts', 'jest.config.js'],
];

/** What JavaScript's tools take from a repository and run. */
export const javascriptTraps: readonly Trap[] = [
  ...['node_modules', '.yarn/sdks', '.vscode/pnpify', '.pnpm/sdks'].map((place) => ({
    name: `typescript-in-${place.replaceAll('/', '-')}`,
    files: ({ node }: { readonly node: string }) => ({
      [`${place}/typescript/lib/tsserver.js`]: node,
      [`${place}/typescript/lib/_tsserver.js`]: node,
      [`${place}/typescript/lib/tsc.js`]: node,
      [`${place}/typescript/lib/typescript.js`]: node,
      [`${place}/typescript/lib/tsserverlibrary.js`]: node,
      [`${place}/typescript/bin/tsserver`]: `#!/usr/bin/env node\n${node}\n`,
      [`${place}/typescript/package.json`]: manifest('typescript', '9.9.9', 'lib/typescript.js'),
    }),
  })),
  {
    name: 'tsconfig-plugin',
    files: ({ node }) => ({
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          strict: true,
          lib: ['es2022'],
          module: 'nodenext',
          allowJs: true,
          plugins: [{ name: 'evil-plugin' }, { name: './evil-plugin.js' }, { name: '../evil-plugin' }],
        },
        include: ['*.ts', '*.tsx', '*.mts', '*.cts', '*.js', '*.jsx', '*.vue', '*.svelte'],
        vueCompilerOptions: { plugins: ['evil-plugin', './evil-plugin.js'], lib: 'evil-plugin' },
        'ts-node': { require: ['./evil-plugin.js'] },
      }),
      'evil-plugin.js': node,
      'node_modules/evil-plugin/index.js': node,
      'node_modules/evil-plugin/package.json': manifest('evil-plugin', '1.0.0', 'index.js'),
    }),
  },
  ...packages.map((name) => ({
    name: `package-${name.replaceAll('/', '-')}`,
    files: ({ node }: { readonly node: string }) => ({
      [`node_modules/${name}/index.js`]: node,
      [`node_modules/${name}/compiler.js`]: node,
      [`node_modules/${name}/package.json`]: manifest(name, '99.0.0', 'index.js'),
    }),
  })),
  ...configurations.map((name) => ({
    name: `configuration-${name}`,
    files: ({ node }: { readonly node: string }) => ({ [name]: node }),
  })),
  {
    name: 'package-manager',
    files: ({ node, shell, file }, root) => ({
      '.yarnrc.yml': 'yarnPath: ./.yarn/releases/yarn.cjs\nplugins:\n  - ./.yarn/plugin.cjs\n',
      '.yarn/releases/yarn.cjs': node,
      '.yarn/plugin.cjs': node,
      '.npmrc': `script-shell=${root}/npm-shell\nnode-options=--require ${root}/evil-require.cjs\n`,
      'npm-shell': shell,
      'evil-require.cjs': node,
      '.pnpmfile.cjs': node,
      'package.json': JSON.stringify({
        name: 'evil',
        private: true,
        packageManager: 'yarn@99.0.0',
        scripts: Object.fromEntries(
          ['preinstall', 'install', 'postinstall', 'prepare'].map((each) => [each, `echo run >> '${file}'`]),
        ),
        eslintConfig: { root: true, plugins: ['evil'], extends: ['./.eslintrc.js'] },
        prettier: './.prettierrc.js',
      }),
    }),
  },
  {
    name: 'linter-plugins',
    files: ({ node }) => ({
      '.oxlintrc.json': JSON.stringify({
        jsPlugins: ['./linter-plugin.js', 'eslint-plugin-evil'],
        rules: { 'evil/rule': 'error' },
      }),
      'biome.json': JSON.stringify({ plugins: ['./linter-plugin.js'], extends: ['./linter-plugin.js'] }),
      'deno.json': JSON.stringify({
        lint: { plugins: ['./linter-plugin.js'] },
        tasks: { start: 'deno run -A linter-plugin.js' },
      }),
      '.stylelintrc.json': JSON.stringify({ plugins: ['./linter-plugin.js'] }),
      'linter-plugin.js': `${node}\nexport default { meta: { name: 'evil' }, name: 'evil', rules: {} };\n`,
      'node_modules/eslint-plugin-evil/index.js': node,
      'node_modules/eslint-plugin-evil/package.json': manifest('eslint-plugin-evil', '1.0.0', 'index.js'),
    }),
  },
];

function manifest(name: string, version: string, main: string): string {
  return JSON.stringify({ name, version, main });
}
