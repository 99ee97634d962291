/** The honest repository to which a trap is added, for one server. */
export interface ServerProject {
  readonly server: string;
  /** What traps are written for: languages and kinds of programs. */
  readonly families: readonly string[];
  /** The file that everything is asked about; a line of it has the word `greet`. */
  readonly asked: string;
  readonly files: Readonly<Record<string, string>>;
}

const typed =
  'export function greet(name: string): string {\n  return name;\n}\n\nexport const hello = greet("you");\n';
const component =
  '<script lang="ts">\n  function greet(n: number) { return n; }\n  const hello = greet(1);\n</script>\n';
const python = 'def greet(name: str) -> str:\n    return name\n\n\nhello = greet("you")\n';
const c = '#include <stddef.h>\nint greet(int a) { return a; }\nint hello(void) { return greet(1); }\n';
const tsconfig = '{ "compilerOptions": { "strict": true, "allowJs": true } }\n';

/** The repositories of the servers that npm and Debian have. */
export const projects: readonly ServerProject[] = [
  ...['typescript', 'typescript-language-server', 'vtsls'].map((server) => ({
    server,
    families: ['typescript', 'node'],
    asked: 'a.ts',
    files: { 'a.ts': typed, 'tsconfig.json': tsconfig },
  })),
  {
    server: 'deno',
    families: ['deno', 'typescript', 'node'],
    asked: 'a.ts',
    files: { 'a.ts': typed, 'deno.json': '{}\n' },
  },
  {
    server: 'svelte',
    families: ['svelte', 'typescript', 'components', 'node'],
    asked: 'a.svelte',
    files: { 'a.svelte': `${component}<p>{hello}</p>\n`, 'a.ts': typed, 'tsconfig.json': tsconfig },
  },
  ...['vue', 'vue-typescript'].map((server) => ({
    server,
    families: ['vue', 'typescript', 'components', 'node'],
    asked: 'a.vue',
    files: {
      'a.vue': `${component.replace('<script', '<script setup')}<template><p>{{ hello }}</p></template>\n`,
      'a.ts': typed,
      'tsconfig.json': tsconfig,
    },
  })),
  {
    server: 'biome',
    families: ['biome', 'linter', 'node'],
    asked: 'a.ts',
    files: { 'a.ts': typed, 'biome.json': '{}\n' },
  },
  {
    server: 'oxlint',
    families: ['oxlint', 'linter', 'node'],
    asked: 'a.ts',
    files: { 'a.ts': typed, '.oxlintrc.json': '{}\n' },
  },
  {
    server: 'eslint',
    families: ['eslint', 'linter', 'node'],
    asked: 'a.js',
    files: { 'a.js': typed.replaceAll(': string', ''), 'eslint.config.js': 'module.exports = [];\n' },
  },
  ...['pyright', 'basedpyright', 'pylsp'].map((server) => ({
    server,
    families: ['python'],
    asked: 'a.py',
    files: { 'a.py': python },
  })),
  ...['clangd', 'ccls'].map((server) => ({ server, families: ['c'], asked: 'a.c', files: { 'a.c': c } })),
  {
    server: 'gopls',
    families: ['go'],
    asked: 'a.go',
    files: {
      'a.go':
        'package main\n\nfunc greet(name string) string { return name }\n\nfunc main() { _ = greet("you") }\n',
      'go.mod': 'module example.com/trap\n\ngo 1.19\n',
    },
  },
  {
    server: 'rust-analyzer',
    families: ['rust'],
    asked: 'src/lib.rs',
    files: {
      'src/lib.rs': 'pub fn greet(name: u32) -> u32 { name }\npub fn hello() -> u32 { greet(1) }\n',
      'Cargo.toml': '[package]\nname = "trap"\nversion = "0.1.0"\nedition = "2021"\n',
    },
  },
  {
    server: 'fortls',
    families: ['fortran'],
    asked: 'a.f90',
    files: {
      'a.f90':
        'module greet\n  integer :: hello = 1\nend module greet\nprogram main\n  use greet\nend program main\n',
    },
  },
  {
    server: 'bash-language-server',
    families: ['shell', 'node'],
    asked: 'a.sh',
    files: { 'a.sh': '#!/bin/bash\ngreet() { echo "$1"; }\ngreet you\n' },
  },
  {
    server: 'dockerfile-language-server',
    families: ['docker'],
    asked: 'Dockerfile',
    files: { Dockerfile: 'FROM scratch AS greet\nFROM greet\nCOPY --from=greet /a /a\n' },
  },
  {
    server: 'intelephense',
    families: ['php'],
    asked: 'a.php',
    files: { 'a.php': '<?php\nfunction greet($name) { return $name; }\n$hello = greet("you");\n' },
  },
  {
    server: 'prisma-language-server',
    families: ['prisma'],
    asked: 'schema.prisma',
    files: { 'schema.prisma': 'model greet {\n  id Int @id\n  other greet? @relation("x")\n}\n' },
  },
  {
    server: 'some-sass-language-server',
    families: ['sass', 'style'],
    asked: 'a.scss',
    files: { 'a.scss': '$greet: red;\n.hello { color: $greet; }\n' },
  },
  {
    server: 'vscode-css-language-server',
    families: ['style'],
    asked: 'a.css',
    files: { 'a.css': '.greet { color: red; }\n.hello { color: blue; }\n' },
  },
  {
    server: 'vscode-html-language-server',
    families: ['html'],
    asked: 'a.html',
    files: { 'a.html': '<p id="greet">x</p>\n<a href="#greet">y</a>\n' },
  },
  {
    server: 'vscode-json-language-server',
    families: ['json'],
    asked: 'a.json',
    files: { 'a.json': '{ "greet": 1,\n  "hello": "greet" }\n' },
  },
  {
    server: 'yaml-language-server',
    families: ['yaml'],
    asked: 'a.yaml',
    files: { 'a.yaml': 'greet: &greet 1\nhello: *greet\n' },
  },
];
