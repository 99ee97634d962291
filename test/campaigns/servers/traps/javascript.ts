import type { Bait, ServerTrap } from '../trap.ts';

const families = ['typescript'] as const;
const typed =
  'export function greet(name: string): string {\n  return name;\n}\n\nexport const hello = greet("you");\n';
const imports = (name: string) => `import x from "${name}";\n${typed}export const y = x;\n`;
const manifest = (name: string, more: object = {}) =>
  JSON.stringify({ name, version: '9.9.9', main: 'index.js', ...more });
const packageOf = (name: string, { node }: Bait) => ({
  [`node_modules/${name}/package.json`]: manifest(name),
  [`node_modules/${name}/index.js`]: node,
  [`node_modules/${name}/compiler.js`]: node,
});

/** A script of the same content as the project's, since types are only fetched for scripts. */
const script =
  'import x from "lodash";\nimport $ from "jquery";\nexport function greet(n) { return x($(n)); }\n';

/** What TypeScript's language servers, and those of components built on them, read of a repository. */
export const javascriptTraps: readonly ServerTrap[] = [
  ...['node_modules', '.yarn/sdks', '.vscode/pnpify', 'node_modules/.pnpm/node_modules'].map((place) => ({
    name: `typescript-in-${place.replaceAll('/', '-').replaceAll('.', '')}`,
    families,
    files: ({ node }: Bait) => ({
      [`${place}/typescript/package.json`]: manifest('typescript', { main: 'lib/typescript.js' }),
      ...Object.fromEntries(
        ['tsserver.js', '_tsserver.js', 'typescript.js', 'tsc.js', 'tsserverlibrary.js'].map((name) => [
          `${place}/typescript/lib/${name}`,
          node,
        ]),
      ),
    }),
  })),
  {
    name: 'tsconfig-plugins',
    families,
    files: (bait) => ({
      ...packageOf('evil-plugin', bait),
      'evil.js': bait.node,
      'tsconfig.json':
        '{ "compilerOptions": { "allowJs": true, "plugins": [{ "name": "evil-plugin" }, { "name": "./evil.js" }, { "name": "../evil" }] } }',
    }),
  },
  {
    name: 'tsconfig-extends-a-package',
    families,
    files: (bait) => ({
      ...packageOf('evil-config', bait),
      'node_modules/evil-config/tsconfig.json':
        '{ "compilerOptions": { "plugins": [{ "name": "evil-config" }] } }',
      'tsconfig.json': '{ "extends": "evil-config/tsconfig.json" }',
    }),
  },
  {
    name: 'tsconfig-output',
    families,
    files: ({ outside }) => ({
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          ...{
            composite: true,
            incremental: true,
            declaration: true,
            sourceMap: true,
            traceResolution: true,
          },
          ...{
            outDir: outside,
            declarationDir: outside,
            tsBuildInfoFile: `${outside}/info`,
            generateTrace: outside,
          },
          ...{ generateCpuProfile: `${outside}/profile`, rootDir: '.' },
        },
        compileOnSave: true,
      }),
    }),
  },
  {
    name: 'tsconfig-names-folders-of-the-user',
    families,
    outside: {
      'folder/mine.ts': 'export const mine = 1;\n',
      'folder/tsconfig.json': '{ "compilerOptions": { "composite": true } }',
    },
    files: ({ outside }) => ({
      'tsconfig.json': JSON.stringify({
        compilerOptions: { typeRoots: [`${outside}/folder`], paths: { mine: [`${outside}/folder/mine.ts`] } },
        references: [{ path: `${outside}/folder` }],
        include: ['.', `${outside}/folder`],
      }),
    }),
  },
  {
    name: 'type-acquisition',
    families,
    asked: 'a.js',
    files: () => ({
      'a.js': script,
      'tsconfig.json':
        '{ "compilerOptions": { "allowJs": true }, "typeAcquisition": { "enable": true, "include": ["jquery"] } }',
    }),
  },
  {
    name: 'type-acquisition-in-jsconfig',
    families,
    asked: 'a.js',
    files: () => ({
      'a.js': script,
      'jsconfig.json': '{ "typeAcquisition": { "enable": true, "include": ["jquery"] } }',
    }),
  },
  {
    name: 'type-acquisition-by-package',
    families,
    asked: 'a.js',
    files: () => ({
      'a.js': script,
      'package.json': '{ "dependencies": { "lodash": "4", "jquery": "3" } }',
      'bower.json': '{ "dependencies": { "jquery": "3" } }',
      'node_modules/express/package.json': '{ "name": "express", "version": "1.0.0" }',
    }),
  },
  {
    name: 'import-of-an-address',
    families,
    files: ({ url }) => ({ 'a.ts': `/// <reference types="${url}types.d.ts" />\n${imports(`${url}x.ts`)}` }),
  },
  {
    name: 'source-map-at-an-address',
    families,
    files: ({ url }) => ({
      'a.ts': imports('evil'),
      'node_modules/evil/package.json': manifest('evil', { types: 'index.d.ts' }),
      'node_modules/evil/index.d.ts': `declare const x: number;\nexport default x;\n//# sourceMappingURL=${url}index.d.ts.map\n`,
    }),
  },
  {
    name: 'source-map-outside',
    families,
    outside: { 'mine.map': '{ "version": 3, "sources": ["mine.txt"], "mappings": "AAAA" }' },
    files: ({ outside }) => ({
      'a.ts': imports('evil'),
      'node_modules/evil/package.json': manifest('evil', { types: 'index.d.ts' }),
      'node_modules/evil/index.d.ts': `declare const x: number;\nexport default x;\n//# sourceMappingURL=${outside}/mine.map\n`,
    }),
  },
  {
    name: 'jsx-runtime-of-the-repository',
    families,
    files: (bait) => ({
      ...packageOf('evil-jsx', bait),
      'tsconfig.json': '{ "compilerOptions": { "jsx": "react-jsx", "jsxImportSource": "evil-jsx" } }',
    }),
  },
  {
    name: 'vue-compiler-plugins',
    families: ['vue', 'svelte', 'typescript'],
    files: (bait) => ({
      ...packageOf('evil-plugin', bait),
      ...packageOf('@vue/language-plugin-pug', bait),
      'tsconfig.json':
        '{ "vueCompilerOptions": { "plugins": ["evil-plugin", "./node_modules/evil-plugin", "@vue/language-plugin-pug"], "lib": "evil-plugin" } }',
    }),
  },
  ...[
    'svelte',
    'svelte-preprocess',
    'prettier',
    'prettier-plugin-svelte',
    'vue',
    '@vue/compiler-sfc',
    '@vue/typescript-plugin',
    'sass',
    'pug',
    'postcss',
  ].map((name) => ({
    name: `package-${name.replaceAll(/[@/]+/g, '-').replace(/^-/, '')}`,
    families: ['components'],
    files: (bait: Bait) => packageOf(name, bait),
  })),
  ...[
    'svelte.config.js',
    'svelte.config.cjs',
    'vite.config.ts',
    'vue.config.js',
    'nuxt.config.ts',
    'prettier.config.js',
    '.prettierrc.cjs',
    'postcss.config.js',
    'tailwind.config.js',
    'babel.config.js',
  ].map((name) => ({
    name: `configuration-${name.replace(/^\./, '')}`,
    families: ['components'],
    files: ({ node }: Bait) => ({ [name]: node }),
  })),
  {
    name: 'prettier-plugins',
    families: ['components', 'yaml', 'style', 'html', 'json'],
    files: (bait) => ({
      ...packageOf('prettier', bait),
      ...packageOf('prettier-plugin-evil', bait),
      'evil.cjs': bait.node,
      '.prettierrc': '{ "plugins": ["./evil.cjs", "prettier-plugin-evil"] }',
    }),
  },
];
