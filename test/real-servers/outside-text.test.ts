import { realpathSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingPrograms, onServer } from '../missing-programs.ts';
import { temporaryFolder } from '../workspace/sandbox.ts';
import { openOutside as open, type Trap } from './outside-repository.ts';

const patience = { timeout: 180_000 };
const withheld = 'The text is withheld: it may quote a file outside the workspace.';
const literals = 'export const password = "canary" as const;\nexport function use(a: "canary"): void {}\n';
const python =
  'from typing import Final, Literal\npassword: Final = "canary"\ndef use(a: Literal["canary"]) -> None: ...\n';
const unread = 'outside the workspace. The user can allow it: `--additional-root DIR`';
const uses = (from: string) =>
  `import { password, use } from "${from}";\nconst p = password;\nconst n: number = password;\nuse(1);\n`;
const usesPython = 'import secret\np = secret.password\nn: int = secret.password\nsecret.use(1)\n';
const strict = {
  ...{ strict: true, lib: ['es2022'], module: 'esnext' },
  ...{ moduleResolution: 'bundler', resolveJsonModule: true },
};
const configured = (options: object, more: object = {}) =>
  JSON.stringify({ compilerOptions: { ...strict, ...options }, ...more });
const schema = '{"properties":{"size":{"enum":["canary"],"description":"canary"}}}';

const traps: Readonly<Record<string, Trap>> = {
  'an include of any file': {
    server: 'clangd',
    asked: 'a.c',
    files: { 'a.c': '#include "<outside>/passwords"\n' },
    outside: { passwords: 'canary 1\n' },
    told: `${withheld} (clang unknown_typename)`,
  },
  'an include of a link': {
    server: 'clangd',
    asked: 'a.c',
    files: { 'a.c': '#include "link.h"\n' },
    outside: { passwords: 'canary 1\n' },
    links: { 'link.h': 'passwords' },
    told: `${withheld} (clang unknown_typename)`,
  },
  'an include by way of an include': {
    server: 'clangd',
    asked: 'a.c',
    files: { 'a.c': '#include "b.h"\n', 'b.h': '#include "<outside>/passwords"\n' },
    outside: { passwords: 'canary 1\n' },
    told: `${withheld} (clang unknown_typename)`,
  },
  'an error that a header outside writes itself': {
    server: 'clangd',
    asked: 'a.c',
    files: { 'a.c': '#include "<outside>/a.h"\n' },
    outside: { 'a.h': '#error canary\n' },
    told: `${withheld} (clang pp_hash_error)`,
  },
  'a use of what a header outside calls deprecated': {
    server: 'clangd',
    asked: 'a.c',
    files: { 'a.c': '#include "<outside>/a.h"\nint b(void) { return old(); }\n' },
    outside: { 'a.h': 'int old(void) __attribute__((deprecated("canary")));\n' },
    told: withheld,
  },
  'a macro of a header outside': {
    server: 'clangd',
    asked: 'a.c',
    files: { 'a.c': '#include "<outside>/a.h"\nconst char *b =\n  PASSWORD;\n' },
    outside: { 'a.h': '#define PASSWORD "canary"\n' },
    told: 'the text is withheld',
  },
  'a schema of JSON': {
    server: 'vscode-json-language-server',
    asked: 'a.json',
    files: { 'a.json': '{"$schema":"<outside>/schema","size":1}\n' },
    outside: { schema },
    told: 'Unable to load schema',
  },
  'a schema of JSON that is a link': {
    server: 'vscode-json-language-server',
    asked: 'a.json',
    files: { 'a.json': '{"$schema":"./schema.json","size":1}\n' },
    outside: { schema },
    links: { 'schema.json': 'schema' },
    told: 'Unable to load schema',
  },
  'a schema of YAML': {
    server: 'yaml-language-server',
    asked: 'a.yaml',
    files: { 'a.yaml': '# yaml-language-server: $schema=<outside>/schema\nsize: 1\n' },
    outside: { schema },
    told: 'Unable to load schema',
  },
  ...ofTypescript('an import by an absolute path', { 'a.ts': uses('<outside>/secret') }),
  ...ofTypescript('an import by the paths of a configuration', {
    'a.ts': uses('@x/secret'),
    'tsconfig.json': configured({ paths: { '@x/*': ['<outside>/*'] } }),
  }),
  ...ofTypescript('an import by the rootDirs of a configuration', {
    'a.ts': uses('./secret'),
    'tsconfig.json': configured({ rootDirs: ['.', '<outside>'] }),
  }),
  ...ofTypescript('a package whose types are elsewhere', {
    'a.ts': uses('dep'),
    'node_modules/dep/package.json': '{"name":"dep","types":"<outside>/secret.ts"}',
  }),
  ...ofTypescript('an import over a link', { 'a.ts': uses('./link') }, { 'link.ts': 'secret.ts' }),
  ...ofTypescript('a package that is a link', { 'a.ts': uses('dep/secret') }, { 'node_modules/dep': '' }),
  ...ofTypescript('an import of JSON', {
    'a.ts': 'import s from "<outside>/secret.json";\nconst p = s;\nconst n: number = s;\ns.x;\n',
  }),
  ...ofTypescript('a reference to a file', {
    'a.ts':
      '/// <reference path="<outside>/globals.d.ts" />\nconst p = password;\nconst n: number = password;\n',
  }),
  ...ofTypescript('the types of a configuration', {
    'a.ts': 'const p = password;\nconst n: number = password;\n',
    'tsconfig.json': configured({ typeRoots: ['<outside>'], types: ['types'] }),
  }),
  ...ofTypescript('the files of a configuration', {
    'a.ts': 'const p = password;\nconst n: number = password;\n',
    'tsconfig.json': configured({}, { include: ['*.ts', '<outside>/*.d.ts'] }),
  }),
  ...ofPython('the extraPaths of a configuration', {
    'a.py': usesPython,
    'pyrightconfig.json': '{"extraPaths":["<outside>"]}',
  }),
  ...ofPython('the stubPath of a configuration', {
    'a.py': usesPython,
    'pyrightconfig.json': '{"stubPath":"<outside>"}',
  }),
  ...ofPython('an import of a link', { 'a.py': usesPython }, { 'secret.py': 'secret.py' }),
  ...ofPython(
    'an import over a linked folder',
    {
      'a.py': usesPython.replace('import secret', 'from data import secret'),
    },
    { data: '' },
  ),
  'a schema of Prisma beside which a link is': {
    server: 'prisma-language-server',
    asked: 'schema.prisma',
    files: {
      'schema.prisma': 'model greet {\n  id Int @id\n  b canaries\n}\n'.replace('canaries', 'Secret'),
    },
    outside: { 'secret.prisma': 'model Secret {\n  canary Int\n}\n' },
    links: { 'link.prisma': 'secret.prisma' },
    told: 'Type "Secret" is neither a built-in type',
  },
  'a module of Sass': {
    server: 'some-sass-language-server',
    asked: 'a.scss',
    files: { 'a.scss': '@use "<outside>/passwords" as p;\n.a { color: p.$password; }\n' },
    outside: { '_passwords.scss': '$password: "canary";\n' },
    told: '',
  },
};

/** A trap for both servers of TypeScript: the answers of the first lack hints. */
function ofTypescript(
  name: string,
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>> = {},
): Readonly<Record<string, Trap>> {
  const outside = {
    'secret.ts': literals,
    'secret.json': '{"canary":"canary"}',
    'globals.d.ts': 'declare const password: "canary";\n',
    'types/index.d.ts': 'declare const password: "canary";\n',
  };
  const all = { 'tsconfig.json': configured({}), ...files };
  return Object.fromEntries(
    ['typescript', 'typescript-language-server'].map((server) => [
      `${name} (${server})`,
      { server, asked: 'a.ts', files: all, outside, links, told: unread },
    ]),
  );
}

function ofPython(
  name: string,
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>> = {},
): Readonly<Record<string, Trap>> {
  const outside = { 'secret.py': python, 'secret.pyi': python };
  return Object.fromEntries(
    ['pyright', 'basedpyright'].map((server) => [
      `${name} (${server})`,
      { server, asked: 'a.py', files, outside, links, told: unread },
    ]),
  );
}

/**
 * The guard of Node keeps files from these servers however they are named, so that a sixth of the traps shows that it is there;
 * `LSPAN_TEST_ALL=1` tries all.
 */
const guarded: ReadonlySet<string> = new Set(['typescript-language-server', 'basedpyright']);
const tried = Object.entries(traps).filter(
  ([, { server }], at) => process.env.LSPAN_TEST_ALL === '1' || !guarded.has(server) || at % 6 === 0,
);

describe.each(tried)('INF-14 the text of a file outside is not shown by %s', (_name, trap) => {
  const { server, asked, files, told } = trap;
  const isImport = told === unread;

  it.skipIf(missingPrograms(server) !== '')(onServer(server, 'that a repository has'), patience, async () => {
    const { call } = await open(trap);
    const lines = (files[asked] ?? '').split('\n').slice(0, -1);
    const at = (places: RegExp) =>
      lines.flatMap((text, line) =>
        [...text.matchAll(places)].map(({ index }) => ({
          file_path: asked,
          line: line + 1,
          character: index + 1,
        })),
      );
    // What a value in C comes from only a sandbox hides.
    const asks = isImport
      ? [
          ...at(/\b\w/g).map((place) => ['get_hover', place] as const),
          ...at(/(?<=[.(])/g).map((place) => ['get_signature_help', place] as const),
          ...at(/(?<=[.("])|\b\w+;?$/g).map((place) => ['get_completions', place] as const),
        ]
      : lines.map((_, line) => ['get_hover', { file_path: asked, line: line + 1, character: 3 }] as const);
    const answers = [
      await call('get_diagnostics', { file_path: asked }),
      await call('get_code_actions', { file_path: asked }),
      ...(isImport ? [await call('get_inlay_hints', { file_path: asked })] : []),
      ...(await Promise.all(asks.map(([tool, place]) => call(tool, place)))),
    ];
    const text = answers.map((answer) => answer.text).join('\n');
    expect(text).toContain(told);
    expect(text).not.toContain('canary');
  });
});

describe('what may be shown stays', () => {
  it.skipIf(missingPrograms('clangd') !== '')(
    onServer('clangd', 'of a header of the system'),
    patience,
    async () => {
      const files = { 'a.c': '#include <stdio.h>\nint printf;\n' };
      const { call } = await open({ server: 'clangd', files, outside: {} });
      const { text } = await call('get_diagnostics', { file_path: 'a.c' });
      expect(text).toContain("Redefinition of 'printf'");
    },
  );

  it.skipIf(missingPrograms('clangd') !== '')(
    onServer('clangd', 'of a header of the workspace'),
    patience,
    async () => {
      const files = { 'a.c': '#include "a.h"\n', 'a.h': 'canary 1\n' };
      const { call } = await open({ server: 'clangd', files, outside: {} });
      expect((await call('get_diagnostics', { file_path: 'a.c' })).text).toContain(
        "unknown type name 'canary'",
      );
    },
  );

  it.skipIf(missingPrograms('clangd') !== '')(
    onServer('clangd', 'of any header, if the user trusts the folder'),
    patience,
    async () => {
      const files = { 'a.c': '#include "<outside>/a.h"\n' };
      const { call } = await open({
        server: 'clangd',
        files,
        outside: { 'a.h': 'canary 1\n' },
        trusted: true,
      });
      expect((await call('get_diagnostics', { file_path: 'a.c' })).text).toContain(
        "unknown type name 'canary'",
      );
    },
  );

  it.each([
    ['vscode-json-language-server', 'a.json', '{"$schema":"./schema.json","size":1}\n'],
    ['yaml-language-server', 'a.yaml', '# yaml-language-server: $schema=./schema.json\nsize: 1\n'],
  ])('of a schema of the workspace: %s', patience, async (server, file, text) => {
    const { call } = await open({ server, files: { [file]: text, 'schema.json': schema }, outside: {} });
    expect((await call('get_diagnostics', { file_path: file })).text).toContain('"canary"');
  });

  it.each([
    ['typescript', 'packages/a/a.ts', uses('../b/secret'), literals, 'packages/b/secret.ts', '"canary"'],
    [
      'typescript-language-server',
      'packages/a/a.ts',
      uses('../b/secret'),
      literals,
      'packages/b/secret.ts',
      '"canary"',
    ],
    ['typescript', 'packages/a/a.ts', uses('dep'), literals, 'node_modules/dep/index.ts', '"canary"'],
    [
      'typescript-language-server',
      'packages/a/a.ts',
      uses('dep'),
      literals,
      'node_modules/dep/index.ts',
      '"canary"',
    ],
    ['pyright', 'packages/a/a.py', usesPython, python, 'packages/b/secret.py', "Literal['canary']"],
  ])(
    'of a folder beside the workspace in the same checkout: %s %s',
    patience,
    async (server, file, text, other, beside, told) => {
      const folder = realpathSync(temporaryFolder());
      const files = {
        [file]: text,
        [beside]: other,
        'packages/a/tsconfig.json': configured({}),
        'packages/a/pyrightconfig.json': '{"extraPaths":["../b"]}',
        '.git/HEAD': 'ref: refs/heads/main\n',
      };
      const { call } = await open({ server, files, outside: {}, folder, root: 'packages/a' });
      const asked = { file_path: path.basename(file), line: 2, character: 11 };
      const answer = await call('get_hover', { ...asked, character: server === 'pyright' ? 12 : 11 });
      expect(answer.text).toContain(told);
      expect(answer.text).not.toContain('not_trusted');
    },
  );

  it('of a schema outside that the settings of the user name', patience, async () => {
    const settings = { yaml: { schemas: { '<outside>/schema.json': 'a.yaml' } } };
    const given = { files: { 'a.yaml': 'size: 1\n' }, outside: { 'schema.json': schema } };
    const { call } = await open({ server: 'yaml-language-server', ...given, settings });
    expect((await call('get_diagnostics', { file_path: 'a.yaml' })).text).toContain('"canary"');
  });
});
