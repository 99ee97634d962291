import type { ServerTrap } from '../trap.ts';

const schema = (url: string) =>
  JSON.stringify({
    type: 'object',
    properties: { greet: { $ref: `${url}part.json` } },
    allOf: [{ $ref: `${url}all.json#/x` }],
  });

/** What servers of data, pages, styles and images read of a repository. */
export const documentTraps: readonly ServerTrap[] = [
  {
    name: 'json-schema-at-an-address',
    families: ['json'],
    files: ({ url }) => ({ 'a.json': `{ "$schema": "${url}schema.json",\n  "greet": 1 }\n` }),
  },
  {
    name: 'json-schema-with-part-at-an-address',
    families: ['json'],
    files: ({ url }) => ({
      'a.json': '{ "$schema": "./schema.json",\n  "greet": 1 }\n',
      'schema.json': schema(url),
    }),
  },
  {
    name: 'json-schema-of-the-user',
    families: ['json'],
    outside: { 'mine.json': '{}' },
    files: ({ outside }) => ({ 'a.json': `{ "$schema": "file://${outside}/mine.json",\n  "greet": 1 }\n` }),
  },
  {
    name: 'json-schema-that-is-a-pipe',
    families: ['json'],
    pipes: ['schema.json'],
    files: () => ({ 'a.json': '{ "$schema": "./schema.json",\n  "greet": 1 }\n' }),
  },
  {
    name: 'json-schema-of-other-schemes',
    families: ['json'],
    files: ({ url }) => ({
      'a.json': `{ "$schema": "vscode://schemas/greet",\n  "greet": 1 }\n`,
      'b.json': `{ "$schema": "${url.replace('http', 'https')}x", "greet": 1 }\n`,
    }),
  },
  {
    name: 'json-of-packages',
    families: ['json'],
    asked: 'package.json',
    files: ({ url, command }) => ({
      'package.json': `{ "name": "greet", "dependencies": { "lodash": "4" },\n  "scripts": { "postinstall": ${JSON.stringify(command)} }, "repository": "${url}" }\n`,
      '.npmrc': `registry=${url}\n`,
    }),
  },
  {
    name: 'json-of-a-typescript-project',
    families: ['json'],
    asked: 'tsconfig.json',
    files: ({ url }) => ({
      'tsconfig.json': `{ "$schema": "${url}tsconfig", // greet\n  "extends": "${url}base.json" }\n`,
    }),
  },
  {
    name: 'json-of-lint-rules',
    families: ['json'],
    asked: '.eslintrc.json',
    files: ({ node }) => ({
      '.eslintrc.json': '{ "extends": ["./evil.js"], // greet\n  "parser": "./evil.js" }\n',
      'evil.js': node,
    }),
  },

  {
    name: 'yaml-schema-in-a-comment',
    families: ['yaml'],
    files: ({ url }) => ({
      'a.yaml': `# yaml-language-server: $schema=${url}schema.json\ngreet: 1\nhello: 2\n`,
    }),
  },
  {
    name: 'yaml-schema-in-a-key',
    families: ['yaml'],
    files: ({ url }) => ({ 'a.yaml': `$schema: ${url}schema.json\ngreet: 1\nhello: 2\n` }),
  },
  {
    name: 'yaml-schema-with-part-at-an-address',
    families: ['yaml'],
    files: ({ url }) => ({
      'a.yaml': '# yaml-language-server: $schema=./schema.json\ngreet: 1\n',
      'schema.json': schema(url),
    }),
  },
  {
    name: 'yaml-schema-of-the-user',
    families: ['yaml'],
    outside: { 'mine.json': '{}' },
    files: ({ outside }) => ({
      'a.yaml': `# yaml-language-server: $schema=${outside}/mine.json\ngreet: 1\n`,
    }),
  },
  {
    name: 'yaml-schema-that-is-a-pipe',
    families: ['yaml'],
    pipes: ['schema.json'],
    files: () => ({ 'a.yaml': '# yaml-language-server: $schema=./schema.json\ngreet: 1\n' }),
  },
  {
    name: 'yaml-schema-that-is-a-program',
    families: ['yaml'],
    files: ({ node }) => ({
      'a.yaml': '# yaml-language-server: $schema=./schema.js\ngreet: 1\n',
      'schema.js': node,
    }),
  },
  {
    name: 'yaml-of-a-cluster',
    families: ['yaml'],
    asked: 'deployment.yaml',
    files: () => ({
      'deployment.yaml': 'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata:\n  name: greet\n',
    }),
  },
  {
    name: 'yaml-of-workflows',
    families: ['yaml'],
    asked: '.github/workflows/a.yml',
    files: ({ command }) => ({
      '.github/workflows/a.yml': `name: greet\non: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: ${JSON.stringify(command)}\n`,
      'docker-compose.yml': 'services: {}\n',
    }),
  },
  {
    name: 'yaml-includes',
    families: ['yaml'],
    files: ({ outside, url }) => ({
      'a.yaml': `greet: !include ${outside}/mine.yaml\nhello: !include ${url}x.yaml\nrun: !!python/object/apply:os.system ["true"]\n`,
    }),
    outside: { 'mine.yaml': 'mine: 1\n' },
  },

  {
    name: 'css-imports-of-addresses',
    families: ['style'],
    files: ({ url, asked }) => ({
      [asked]: `@import url("${url}x.css");\n@import "${url}y";\n@use "${url}z";\n.greet { background: url(${url}i.png); }\n.hello { color: red; }\n`,
    }),
  },
  {
    name: 'css-imports-of-the-user',
    families: ['style'],
    outside: { 'mine.css': '.mine {}\n', '_mine.scss': '$mine: 1;\n' },
    files: ({ outside, asked }) => ({
      [asked]: `@import "${outside}/mine";\n@use "${outside}/mine" as m;\n.greet { color: red; }\n`,
    }),
  },
  {
    name: 'css-of-packages',
    families: ['style'],
    files: ({ asked, node }) => ({
      [asked]: '@use "pkg:evil";\n@import "~evil";\n.greet { color: red; }\n',
      'node_modules/evil/package.json':
        '{ "name": "evil", "sass": "evil.js", "style": "evil.js", "main": "evil.js" }',
      'node_modules/evil/evil.js': node,
    }),
  },
  {
    name: 'css-custom-data',
    families: ['style', 'html'],
    files: ({ url, node }) => ({
      '.vscode/css_custom_data.json': '{ "version": 1.1 }',
      '.vscode/settings.json': JSON.stringify({
        'css.customData': [`${url}data.json`, './evil.js'],
        'html.customData': [`${url}data.json`],
        'scss.importAliases': { '@': url },
      }),
      'evil.js': node,
    }),
  },
  ...[
    '.stylelintrc.js',
    'stylelint.config.cjs',
    '.sassrc.js',
    'postcss.config.cjs',
    'tailwind.config.cjs',
  ].map((name) => ({
    name: `configuration-${name.replace(/^\./, '')}`,
    families: ['style'],
    files: ({ node }: { readonly node: string }) => ({ [name]: node }),
  })),

  {
    name: 'html-addresses',
    families: ['html'],
    files: ({ url }) => ({
      'a.html': `<base href="${url}">\n<script src="${url}x.js"></script>\n<link rel="stylesheet" href="${url}x.css">\n<p id="greet">x</p>\n<iframe src="${url}f"></iframe><img src="${url}i.png">\n`,
    }),
  },
  {
    name: 'html-scripts',
    families: ['html'],
    files: ({ url, node }) => ({
      'a.html': `<script type="module">\nimport x from "${url}x.js";\nimport "./evil.js";\nfunction greet(n) { return n + x; }\ngreet(1);\n</script>\n`,
      'evil.js': node,
    }),
  },
  {
    name: 'html-import-map',
    families: ['html'],
    files: ({ url }) => ({
      'a.html': `<script type="importmap">{ "imports": { "far": "${url}x.js" } }</script>\n<script type="module">\nimport x from "far";\nfunction greet() { return x; }\n</script>\n`,
    }),
  },
  {
    name: 'html-types',
    families: ['html'],
    files: ({ node }) => ({
      'a.html':
        '<script>\n/// <reference types="evil" />\nfunction greet(n) { return $(n); }\ngreet(1);\n</script>\n',
      'jsconfig.json':
        '{ "compilerOptions": { "plugins": [{ "name": "evil" }] }, "typeAcquisition": { "enable": true, "include": ["jquery"] } }',
      'node_modules/evil/package.json': '{ "name": "evil", "main": "index.js" }',
      'node_modules/evil/index.js': node,
    }),
  },
  {
    name: 'html-styles',
    families: ['html'],
    files: ({ url }) => ({
      'a.html': `<style>\n@import "${url}x.css";\n.greet { background: url(${url}i.png); }\n</style>\n<p class="greet">x</p>\n`,
    }),
  },

  {
    name: 'docker-images',
    families: ['docker'],
    files: ({ url }) => ({
      Dockerfile: `FROM ${new URL(url).host}/greet:\nFROM alpine:3\nFROM library/node:\n`,
    }),
  },
  {
    name: 'docker-frontend',
    families: ['docker'],
    files: ({ url }) => ({
      Dockerfile: `# syntax=${new URL(url).host}/evil:1\n# escape=\`\nFROM scratch AS greet\nFROM greet\n`,
    }),
  },
  {
    name: 'docker-sources-at-addresses',
    families: ['docker'],
    files: ({ url }) => ({
      Dockerfile: `FROM scratch AS greet\nADD ${url}x /x\nADD ${url}evil.git /y\nCOPY --from=${new URL(url).host}/other /a /b\n`,
    }),
  },
  {
    name: 'docker-commands',
    families: ['docker'],
    files: ({ command }) => ({
      Dockerfile: `FROM scratch AS greet\nRUN ${command}\nRUN <<EOT\n${command}\nEOT\nHEALTHCHECK CMD ${command}\nONBUILD RUN ${command}\n`,
    }),
  },
  {
    name: 'docker-files-beside',
    families: ['docker'],
    files: ({ url, command }) => ({
      '.dockerignore': '*\n',
      'docker-compose.yml': `services:\n  a:\n    image: ${new URL(url).host}/x\n    build: .\n`,
      'docker-bake.hcl': 'group "default" { targets = ["greet"] }\n',
      '.docker/config.json': JSON.stringify({ credsStore: 'evil', HttpHeaders: {}, run: command }),
      '.hadolint.yaml': 'ignored: []\n',
    }),
    environment: ({ root }) => ({ DOCKER_CONFIG: `${root}/.docker`, DOCKER_HOST: 'tcp://127.0.0.1:1' }),
  },

  ...['prisma.config.ts', 'prisma.config.js', 'prisma.config.mjs', 'prisma.config.cjs'].map((name) => ({
    name: `configuration-${name}`,
    families: ['prisma'],
    files: ({ node }: { readonly node: string }) => ({
      [name]: node,
      [`.config/${name.replace('.config', '')}`]: node,
    }),
  })),
  {
    name: 'prisma-generator',
    families: ['prisma'],
    files: ({ root, shell, outside }) => ({
      'schema.prisma': `generator client {\n  provider = "${root}/evil"\n  output = "${outside}/client"\n  binaryTargets = ["native"]\n  engineType = "binary"\n}\nmodel greet {\n  id Int @id\n}\n`,
      evil: shell,
    }),
  },
  {
    name: 'prisma-database',
    families: ['prisma'],
    files: ({ url }) => ({
      'schema.prisma': `datasource db {\n  provider = "postgresql"\n  url = "postgresql://u:p@${new URL(url).host}/x"\n  shadowDatabaseUrl = env("SHADOW")\n}\nmodel greet {\n  id Int @id\n}\n`,
      '.env': `SHADOW=postgresql://u:p@${new URL(url).host}/y\nDATABASE_URL=postgresql://u:p@${new URL(url).host}/z\n`,
    }),
  },
  {
    name: 'prisma-of-the-repository',
    families: ['prisma'],
    files: ({ node, shell }) => ({
      ...Object.fromEntries(
        [
          'prisma',
          '@prisma/client',
          '@prisma/engines',
          '@prisma/prisma-schema-wasm',
          '@prisma/config',
        ].flatMap((name) => [
          [
            `node_modules/${name}/package.json`,
            `{ "name": "${name}", "version": "9.9.9", "main": "index.js" }`,
          ],
          [`node_modules/${name}/index.js`, node],
        ]),
      ),
      'node_modules/.bin/prisma': shell,
      'node_modules/@prisma/engines/schema-engine': shell,
    }),
  },
  {
    name: 'prisma-package',
    families: ['prisma'],
    files: ({ outside, command }) => ({
      'package.json': JSON.stringify({ prisma: { schema: `${outside}/schema.prisma`, seed: command } }),
      '.prismarc': '',
    }),
  },
];
