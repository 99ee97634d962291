import type { Bait, ServerTrap } from '../trap.ts';

const manifest = (name: string) => JSON.stringify({ name, version: '9.9.9', main: 'index.js' });
const packageOf = (name: string, { node }: Bait) => ({
  [`node_modules/${name}/package.json`]: manifest(name),
  [`node_modules/${name}/index.js`]: node,
});
const rules = 'export default { meta: { name: "evil" }, name: "evil", rules: {} };\n';
const imports = (name: string) =>
  `import x from "${name}";\nexport function greet(n: number): number {\n  return n;\n}\nexport const hello = greet(x);\n`;

/** What linters of JavaScript, and Deno, read of a repository. */
export const linterTraps: readonly ServerTrap[] = [
  {
    name: 'biome-plugins',
    families: ['biome'],
    files: ({ node }) => ({
      'biome.json': '{ "plugins": ["./evil.grit", "./evil.js"] }',
      'evil.grit': '`greet`',
      'evil.js': node,
    }),
  },
  {
    name: 'biome-extends',
    families: ['biome'],
    files: (bait) => ({
      ...packageOf('evil', bait),
      'biome.json': `{ "extends": ["evil", "evil/index.js", "${bait.url}biome.json"] }`,
    }),
  },
  {
    name: 'biome-version-control',
    families: ['biome'],
    files: ({ shell, root }) => ({
      'biome.json':
        '{ "vcs": { "enabled": true, "clientKind": "git", "useIgnoreFile": true, "defaultBranch": "main" } }',
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/config': `[core]\n\tfsmonitor = ${root}/.git/evil\n`,
      '.git/evil': shell,
    }),
  },
  {
    name: 'biome-of-the-repository',
    families: ['biome'],
    files: (bait) => ({
      ...packageOf('@biomejs/biome', bait),
      'node_modules/.bin/biome': bait.shell,
      'node_modules/@biomejs/cli-linux-arm64/biome': bait.shell,
    }),
  },
  {
    name: 'oxlint-plugins',
    families: ['oxlint'],
    files: (bait) => ({
      ...packageOf('eslint-plugin-evil', bait),
      '.oxlintrc.json':
        '{ "jsPlugins": ["./evil.js", "eslint-plugin-evil"], "rules": { "evil/rule": "error" } }',
      'evil.js': `${bait.node}\n${rules}`,
    }),
  },
  {
    name: 'oxlint-configuration-that-is-a-program',
    families: ['oxlint'],
    files: ({ node }) => ({ 'oxlint.config.ts': `${node}\nexport default {};\n` }),
  },
  {
    name: 'oxlint-extends',
    families: ['oxlint'],
    files: ({ node }) => ({
      '.oxlintrc.json': '{ "extends": ["./more.json"] }',
      'more.json': '{ "jsPlugins": ["./evil.js"] }',
      'evil.js': node,
    }),
  },
  {
    name: 'oxlint-by-types',
    families: ['oxlint'],
    files: (bait) => ({
      ...packageOf('oxlint-tsgolint', bait),
      'node_modules/.bin/tsgolint': bait.shell,
      '.oxlintrc.json':
        '{ "options": { "typeAware": true }, "rules": { "typescript/no-floating-promises": "error" } }',
      'tsconfig.json': '{}',
    }),
  },
  ...[
    'eslint.config.js',
    'eslint.config.mjs',
    'eslint.config.cjs',
    'eslint.config.ts',
    '.eslintrc.js',
    '.eslintrc.cjs',
  ].map((name) => ({
    name: `configuration-${name.replace(/^\./, '')}`,
    families: ['eslint'],
    files: ({ node }: Bait) => ({ 'eslint.config.js': node, [name]: node }),
  })),
  {
    name: 'eslint-of-the-repository',
    families: ['eslint'],
    files: (bait) => packageOf('eslint', bait),
  },
  {
    name: 'eslint-parser-and-plugins',
    families: ['eslint'],
    files: (bait) => ({
      ...packageOf('eslint-plugin-evil', bait),
      'evil.js': bait.node,
      '.eslintrc.json': '{ "root": true, "parser": "./evil.js", "plugins": ["evil"], "processor": "evil/x" }',
      'package.json': '{ "eslintConfig": { "extends": ["./evil.js"] } }',
    }),
  },
  {
    name: 'deno-lint-plugin',
    families: ['deno'],
    files: ({ node }) => ({
      'deno.json': '{ "lint": { "plugins": ["./evil.ts"] } }',
      'evil.ts': `${node}\n${rules}`,
    }),
  },
  {
    name: 'deno-import-map-at-an-address',
    families: ['deno'],
    files: ({ url }) => ({ 'deno.json': `{ "importMap": "${url}map.json" }`, 'a.ts': imports('mapped') }),
  },
  {
    name: 'deno-imports-of-addresses',
    families: ['deno'],
    files: ({ url }) => ({
      'deno.json': JSON.stringify({
        imports: { far: `${url}x.ts`, 'far/': url },
        scopes: { './': { other: `${url}y.ts` } },
      }),
      'a.ts': `import z from "far/z.ts";\nimport y from "other";\n${imports('far')}z + y;\n`,
    }),
  },
  {
    name: 'deno-packages',
    families: ['deno'],
    files: ({ url }) => ({
      '.npmrc': `registry=${url}\n`,
      'deno.json':
        '{ "imports": { "chalk": "npm:chalk@5", "path": "jsr:@std/path" }, "nodeModulesDir": "auto", "vendor": true, "lock": true }',
      'a.ts': `import y from "path";\nimport z from "npm:cha";\n${imports('chalk')}y + z;\n`,
    }),
  },
  {
    name: 'deno-package-json',
    families: ['deno'],
    files: ({ url, command }) => ({
      '.npmrc': `registry=${url}\n`,
      'deno.json': '{ "nodeModulesDir": "auto", "lock": "./deno.lock" }',
      'package.json': JSON.stringify({ dependencies: { lodash: '4' }, scripts: { postinstall: command } }),
      'a.ts': imports('lodash'),
    }),
  },
  {
    name: 'deno-lock-outside',
    families: ['deno'],
    outside: { 'mine.lock': '{ "version": "5" }\n' },
    files: ({ outside }) => ({
      'deno.json': `{ "lock": "${outside}/mine.lock", "imports": { "chalk": "npm:chalk@5" } }`,
      'a.ts': imports('chalk'),
    }),
  },
  {
    name: 'deno-types-at-an-address',
    families: ['deno'],
    files: ({ url }) => ({
      'deno.json': JSON.stringify({
        compilerOptions: { types: [`${url}t.d.ts`], jsx: 'react-jsx', jsxImportSource: `${url}jsx` },
      }),
      'a.ts': `// @deno-types="${url}x.d.ts"\n${imports('./b.js')}`,
      'b.js': `/// <reference types="${url}b.d.ts" />\nexport default 1;\n`,
    }),
  },
  {
    name: 'deno-tasks',
    families: ['deno'],
    files: ({ command, node }) => ({
      'deno.json': JSON.stringify({ tasks: { start: command, default: 'deno run -A evil.ts' } }),
      'evil.ts': node,
    }),
  },
  {
    name: 'deno-remote-workspace',
    families: ['deno'],
    outside: {
      'member/deno.json': '{ "name": "@me/mine", "version": "1.0.0" }\n',
      'member/mod.ts': 'export const mine = 1;\n',
    },
    files: ({ outside, url }) => ({
      'deno.json': JSON.stringify({
        links: [`${outside}/member`],
        patch: [`${outside}/member`],
        lint: { rules: { tags: ['recommended'] } },
      }),
      'a.ts': `${imports(`${url}deep/mod.ts`)}Deno.test("x", () => greet(1));\n`,
    }),
  },
];
