import { describe, expect, it } from 'vitest';
import { openRealRenaming } from '../backends/lsp/questions/renaming.ts';
import { missingPrograms, onServer } from '../missing-programs.ts';
import { monorepo, sharedName } from './monorepo.ts';

describe.each(['typescript', 'typescript-language-server'])('a rename by %s', (server) => {
  it('covers every package of a monorepo on the very first call after a cold start', async () => {
    const { files, places } = monorepo({ arrangement: 'relative imports' });
    const world = await openRealRenaming([server], { files });
    const { answer, doubts } = await world.rename('packages/pkg-000/src/index.ts', sharedName, 'hello');
    expect({ doubts, missed: answer?.missed }).toEqual({ doubts: [], missed: [] });
    expect(world.places(answer?.spans ?? [])).toHaveLength(places.length);
    expect(answer?.proposal.steps).toHaveLength(26);
    expect(answer?.proposal.steps.every((step) => step.kind === 'edit' && step.seen !== undefined)).toBe(
      true,
    );
  });

  it('goes through imports and exports, keeps properties, and is refused in the words of the server', async () => {
    const world = await openRealRenaming([server], { files: { ...exporting, ...properties } });
    const shown = async (file: string, at: string, name: string) => {
      const { answer } = await world.rename(file, at, name);
      expect(answer?.missed).toEqual([]);
      return world.shown(answer?.proposal.steps ?? []);
    };
    for (const [file, at] of begin)
      expect({ file, at, shown: await shown(file, at, 'hello') }).toEqual({ file, at, shown: everywhere });
    expect(await shown('p.ts', 'const met|hod', 'verb')).toEqual([
      'p.ts 1:6 verb',
      'p.ts 2:13 method: verb',
      'p.ts 3:25 method: verb',
    ]);
    expect(await shown('types.ts', 'met|hod', 'verb')).toEqual([
      'p.ts 3:25 verb: method',
      'types.ts 0:27 verb',
    ]);
    await expect(world.rename('p.ts', 'fet|ch', 'hello')).rejects.toMatchObject({
      code: 'refused',
      message: `${server} refuses to rename this: You cannot rename elements that are defined in the standard TypeScript library.`,
    });
  });
});

const config = JSON.stringify({
  compilerOptions: { strict: true, module: 'esnext', moduleResolution: 'bundler' },
});

const exporting = {
  'tsconfig.json': config,
  'a.ts': 'function greet() {}\nexport { greet };\ngreet();\n',
  'b.ts': 'export { greet } from "./a";\n',
  'c.ts': 'import { greet } from "./b";\ngreet();\nexport { greet };\n',
  'd.ts': 'import * as c from "./c";\nc.greet();\n',
  'e.ts': 'export * from "./c";\n',
  'f.ts': 'import { greet as other } from "./e";\nother();\nexport const o = { greet: other };\n',
  'g.ts': 'import { greet } from "./e";\nexport const o = { greet };\n',
};

const begin = [
  ['a.ts', 'function gre|et'],
  ['a.ts', 'export { gre|et'],
  ['b.ts', 'gre|et'],
  ['c.ts', 'gre|et();'],
  ['d.ts', 'c.gre|et'],
  ['f.ts', 'gre|et as'],
  ['g.ts', '= { gre|et }'],
] as const;

const everywhere = [
  'a.ts 0:9 hello',
  'a.ts 1:9 hello',
  'a.ts 2:0 hello',
  'b.ts 0:9 hello',
  'c.ts 0:9 hello',
  'c.ts 1:0 hello',
  'c.ts 2:9 hello',
  'd.ts 1:2 hello',
  'f.ts 0:9 hello',
  'g.ts 0:9 hello',
  'g.ts 1:19 greet: hello',
];

const properties = {
  'p.ts': `import type { Options } from "./types";
const method = "x";
fetch("x", { method });
const given: Options = { method };
`,
  'types.ts': 'export interface Options { method: string }\n',
};

const python = {
  'a.py': 'def greet(name):\n    return name\n',
  'b.py': 'from a import greet\nfrom a import greet as other\ngreet("b")\r\nother("é")',
};

const c = {
  'compile_flags.txt': '-I.\n',
  'a.h': 'int greet(int);\n',
  'a.c': '#include "a.h"\nint greet(int x) { return x; }\n',
  'b.c': '#include "a.h"\nint main(void) { return greet(1); }\n',
};

const go = {
  'go.mod': 'module ex\n\ngo 1.19\n',
  'a.go': 'package ex\n\nfunc Greet(n string) string { return n }\n',
  'sub/b.go': 'package sub\n\nimport "ex"\n\nvar X = ex.Greet("b")\n',
};

const rust = {
  'Cargo.toml': '[package]\nname = "ex"\nversion = "0.1.0"\nedition = "2021"\n',
  'src/lib.rs': 'pub mod other;\npub fn greet(n: i32) -> i32 {\n    n\n}\n',
  'src/other.rs': 'use crate::greet;\npub fn f() -> i32 {\n    greet(1)\n}\n',
};

const inPython = ['a.py 0:4 hello', 'b.py 0:14 hello', 'b.py 1:14 hello', 'b.py 2:0 hello'];

const renamed = [
  ['pyright', python, 'b.py', 'gre|et("b")', 'hello', inPython],
  // It replaces whole texts, of which only the words are taken.
  ['pylsp', python, 'b.py', 'gre|et("b")', 'hello', inPython],
  ['clangd', c, 'a.c', 'gre|et', 'hello', ['a.c 1:4 hello', 'a.h 0:4 hello', 'b.c 1:24 hello']],
  // It renames in what was opened, and what it means elsewhere is missed.
  ['ccls', c, 'a.c', 'gre|et', 'hello', ['a.c 1:4 hello', 'a.h 0:4 hello', 'b.c 1:24 missed']],
  ['gopls', go, 'a.go', 'Gre|et', 'Hello', ['a.go 2:5 Hello', 'sub/b.go 4:11 Hello']],
  [
    'rust-analyzer',
    rust,
    'src/lib.rs',
    'gre|et',
    'hello',
    ['src/lib.rs 1:7 hello', 'src/other.rs 0:11 hello', 'src/other.rs 2:4 hello'],
  ],
] as const;

for (const [server, files, file, at, name, shown] of renamed) {
  const title = onServer(server, `${server} renames in every file that uses the symbol`);
  it.skipIf(missingPrograms(server) !== '')(title, { timeout: 60_000 }, async () => {
    const world = await openRealRenaming([server], { files, trusted: server === 'ccls' });
    const { answer } = await world.rename(file, at, name);
    const missed = world.places(answer?.missed ?? []).map((place) => `${place} missed`);
    expect([...world.shown(answer?.proposal.steps ?? []), ...missed]).toEqual(shown);
  });
}

const movesModule =
  'EDT-38: the file of a Rust module that is renamed moves, and all that names the module changes with it';

it.skipIf(missingPrograms('rust-analyzer') !== '')(onServer('rust-analyzer', movesModule), async () => {
  const files = {
    'Cargo.toml': rust['Cargo.toml'],
    'src/lib.rs': 'pub mod price;\npub fn f() -> i32 {\n    price::of() + crate::price::of()\n}\n',
    'src/price.rs': 'pub mod part;\npub fn of() -> i32 {\n    part::of()\n}\n',
    'src/price/part.rs': 'pub fn of() -> i32 {\n    let _ = crate::price::of;\n    1\n}\n',
  };
  const world = await openRealRenaming(['rust-analyzer'], { files });
  const { answer } = await world.rename('src/lib.rs', 'mod pri|ce', 'cost');
  const steps = answer?.proposal.steps ?? [];
  const edits = steps.filter(({ kind }) => kind === 'edit');
  expect(world.shown(edits)).toEqual([
    'src/lib.rs 0:8 cost',
    'src/lib.rs 2:25 cost',
    'src/lib.rs 2:4 cost',
    'src/price/part.rs 1:19 cost',
  ]);
  expect(steps.slice(edits.length).map(({ kind }) => kind)).toEqual(['rename', 'rename']);
});

it('what components use of a module is told as missed, and a rename that begins there leads to the module', async () => {
  const files = {
    'tsconfig.json': config,
    'a.ts': 'export function greet() {}\n',
    'App.svelte': '<script lang="ts">\nimport { greet } from "./a";\ngreet();\n</script>\n',
  };
  const world = await openRealRenaming(['typescript', 'svelte'], { files });
  const { answer } = await world.rename('a.ts', 'gre|et', 'hello');
  expect(world.shown(answer?.proposal.steps ?? [])).toEqual(['a.ts 0:16 hello']);
  expect(world.places(answer?.missed ?? [])).toEqual(['App.svelte 1:9', 'App.svelte 2:0']);
  const refused = { code: 'refused', nextStep: 'Rename it at its declaration, a.ts:1:17.' };
  await expect(world.rename('App.svelte', 'gre|et();', 'hello')).rejects.toMatchObject(refused);
});

const below = { ...JSON.parse(config), include: ['src'] };
const modules = {
  'one/tsconfig.json': JSON.stringify(below),
  'one/src/part/a.ts': 'import { b } from "./b";\nimport { top } from "../top";\nexport const a = b + top;\n',
  'one/src/part/b.ts': 'export const b = 1;\n',
  'one/src/top.ts': 'export const top = 1;\n',
  'one/src/use.ts': 'import { a } from "./part/a";\nexport const c = a;\n',
  'two/tsconfig.json': JSON.stringify(below),
  'two/src/use.ts': 'import { a } from "../../one/src/part/a";\nexport const c = a;\n',
};

it.each(['typescript', 'typescript-language-server'])(
  'before a file or a folder moves, %s tells what else changes, in projects that it did not know too',
  async (server) => {
    const world = await openRealRenaming([server], { files: modules });
    const file = await world.moves({ 'one/src/part/a.ts': 'one/src/other/a2.ts' });
    expect(file).toMatchObject({ answer: { servers: [server] }, doubts: [] });
    expect(world.shown(file.answer.proposal.steps)).toEqual([
      'one/src/part/a.ts 0:19 ../part/b',
      'one/src/use.ts 0:19 ./other/a2',
      'two/src/use.ts 0:19 ../../one/src/other/a2',
    ]);
    const folder = await world.moves({ 'one/src/part/': 'one/src/deep/part2/' });
    expect(world.shown(folder.answer.proposal.steps)).toEqual([
      'one/src/part/a.ts 1:21 ../../top',
      'one/src/use.ts 0:19 ./deep/part2/a',
      'two/src/use.ts 0:19 ../../one/src/deep/part2/a',
    ]);
  },
  60_000,
);

it('before a module moves, basedpyright is asked where it is there, since pyright cannot tell', async () => {
  const files = {
    'pkg/__init__.py': '',
    'pkg/part/__init__.py': '',
    'pkg/part/a.py': 'from .b import b\na = b\n',
    'pkg/part/b.py': 'b = 1\n',
    'main.py': 'from pkg.part.a import a\nprint(a)\n',
  };
  const world = await openRealRenaming(['pyright', 'basedpyright'], { files });
  const file = await world.moves({ 'pkg/part/a.py': 'pkg/part/a2.py' });
  expect(file).toMatchObject({ answer: { servers: ['basedpyright'] }, doubts: [] });
  expect(world.shown(file.answer.proposal.steps)).toEqual(['main.py 0:14 a2']);
  const folder = await world.moves({ 'pkg/part/': 'pkg/other/' });
  expect(world.shown(folder.answer.proposal.steps)).toEqual(['main.py 0:9 other']);
  const alone = await openRealRenaming(['pyright'], { files });
  const { answer } = await alone.moves({ 'pkg/part/a.py': 'pkg/part/a2.py' });
  expect(answer).toEqual({ proposal: { steps: [], confirm: [] }, servers: [] });
});
