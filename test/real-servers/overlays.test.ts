import { expect, it } from 'vitest';
import { writeTrustOf } from '../../src/config/trust/write-trust.ts';
import type { Answering } from '../../src/core/backend.ts';
import { silent } from '../../src/core/log.ts';
import { offerTrust } from '../../src/offline.ts';
import { servers as builtIn } from '../../src/servers/index.ts';
import { openOverlayWorld } from '../backends/lsp/control/asking.ts';
import { patient } from '../patient.ts';
import { temporaryFolder } from '../test-bridge.ts';

/**
 * One small project a language: in `b` and `c` the second line uses what `a` declares. Each file has a problem of its own,
 * since some servers do not say twice that there is none.
 */
const typescript = {
  server: 'typescript',
  extension: 'ts',
  files: {
    'tsconfig.json': '{ "compilerOptions": { "lib": ["es2022"], "strict": true, "module": "nodenext" } }\n',
    'a.ts': 'export function greet(name: string): string {\n  return name;\n}\nexport const a: string = 1;\n',
    'b.ts': 'import { greet } from "./a.js";\ngreet("b");\nexport const b: string = 1;\n',
    'c.ts': 'import { greet } from "./a.js";\ngreet("c");\nexport const c: string = 1;\n',
  },
  moved: {
    'a.ts':
      '\n\nexport function greet(count: number): number {\n  return count;\n}\nexport const a: string = 1;\n',
  },
  added: {
    'b.ts': 'import { greet } from "./new.js";\ngreet("b");\nexport const b: string = 1;\n',
    'new.ts':
      '\n\n\nexport function greet(count: number): number {\n  return count;\n}\nexport const n: string = 1;\n',
  },
  onDisk: {
    definition: ['a.ts 0:16'],
    problems: ['a.ts fresh 3:13 2322', 'b.ts fresh 2:13 2322', 'c.ts fresh 2:13 2322'],
  },
  whenMoved: {
    definition: ['a.ts 2:16'],
    problems: ['a.ts fresh 5:13 2322', 'b.ts fresh 1:6 2345 2:13 2322', 'c.ts fresh 1:6 2345 2:13 2322'],
  },
  whenAdded: {
    definition: ['new.ts 3:16'],
    problems: ['a.ts fresh 3:13 2322', 'b.ts fresh 1:6 2345 2:13 2322', 'c.ts fresh 2:13 2322'],
  },
  doubts: [],
} as const;

const [assigned, passed] = ['reportAssignmentType', 'reportArgumentType'];

const python = {
  server: 'pyright',
  extension: 'py',
  files: {
    'a.py': 'def greet(name: str) -> str:\n    return name\na: str = 1\n',
    'b.py': 'from a import greet\ngreet("b")\nb: str = 1\n',
    'c.py': 'from a import greet\ngreet("c")\nc: str = 1\n',
  },
  moved: { 'a.py': '\n\ndef greet(count: int) -> int:\n    return count\na: str = 1\n' },
  added: {
    'b.py': 'from new import greet\ngreet("b")\nb: str = 1\n',
    'new.py': '\n\n\ndef greet(count: int) -> int:\n    return count\nn: str = 1\n',
  },
  onDisk: {
    definition: ['a.py 0:4'],
    problems: [`a.py fresh 2:9 ${assigned}`, `b.py fresh 2:9 ${assigned}`, `c.py fresh 2:9 ${assigned}`],
  },
  whenMoved: {
    definition: ['a.py 2:4'],
    problems: [
      `a.py fresh 4:9 ${assigned}`,
      `b.py fresh 1:6 ${passed} 2:9 ${assigned}`,
      `c.py fresh 1:6 ${passed} 2:9 ${assigned}`,
    ],
  },
  // It looks for imported files on the disk only, which a doubt tells.
  whenAdded: {
    definition: [],
    problems: [
      `a.py fresh 2:9 ${assigned}`,
      `b.py fresh 0:5 reportMissingImports 2:9 ${assigned}`,
      `c.py fresh 2:9 ${assigned}`,
    ],
  },
  doubts: ['project_not_loaded'],
} as const;

it.each([typescript, { ...typescript, server: 'typescript-language-server' }, python])(
  '$server answers about overlaid text, and about held text, also of a new file, and then about the disk as before',
  { timeout: 120_000 },
  async ({ server, extension, files, moved, added, onDisk, whenMoved, whenAdded, doubts }) => {
    const disabledServers = builtIn.map(({ id }) => id).filter((id) => id !== server);
    const world = await openOverlayWorld({ files, servers: {}, config: { ...patient, disabledServers } });
    const names = ['a', 'b', 'c'].map((name) => `${name}.${extension}`);
    const all = async (who: Answering) => ({
      definition: await world.definition(who, world.call, names[1], 1),
      problems: (await world.problemsOf(who, ...names)).map(inOrder),
    });
    expect(await all(world.backend)).toEqual(onDisk);
    expect(await world.overlay(moved, all)).toEqual(whenMoved);
    expect(await all(world.backend)).toEqual(onDisk);
    await world.overlay(added, async (overlaid) => {
      expect(await all(overlaid)).toEqual(whenAdded);
      const reply = await overlaid.diagnostics([`${world.root}/new.${extension}`], world.call);
      expect(reply.answer).toMatchObject([{ state: 'fresh', problems: [{ severity: 'error' }] }]);
      expect(reply.doubts.map(({ kind }) => kind)).toEqual(doubts);
    });
    expect(await all(world.backend)).toEqual(onDisk);
    expect((await world.known()).filter((file) => file.includes('new.'))).toEqual([]);
    const hold = (texts: Readonly<Record<string, string>>, isHeld: boolean) => {
      for (const [file, text] of Object.entries(texts)) world.workspace.hold(file, isHeld ? text : undefined);
    };
    for (const [texts, expected] of [[moved, whenMoved] as const, [added, whenAdded] as const]) {
      hold(texts, true);
      expect(await all(world.backend)).toEqual(expected);
      hold(texts, false);
      expect(await all(world.backend)).toEqual(onDisk);
    }
    expect((await world.known()).filter((file) => file.includes('new.'))).toEqual([]);
  },
);

it('a server that asks another one gets its answers under an overlay, and of held text, and those of the disk again afterwards', {
  timeout: 120_000,
}, async () => {
  const state = temporaryFolder('lspan-state-');
  const environment = { ...process.env, XDG_STATE_HOME: state };
  const wanted = ['vue', 'vue-typescript'];
  const disabledServers = builtIn.map(({ id }) => id).filter((id) => !wanted.includes(id));
  const setting = { files: components, servers: {}, config: { ...patient, disabledServers } };
  const world = await openOverlayWorld({ ...setting, environment: { XDG_STATE_HOME: state } });
  writeTrustOf(offerTrust({ root: world.root, log: silent, environment }), environment);
  // A change has the trust looked at again.
  world.write('other.ts', 'export {};\n');
  await world.workspace.refresh(world.call);
  const problems = (who: Answering) => world.problemsOf(who, 'Count.vue');
  expect(await problems(world.backend)).toEqual(['Count.vue fresh 2:6 2322']);
  const asked = [problems(world.backend), world.overlay(textual, problems), problems(world.backend)];
  const [before, under, after] = await Promise.all(asked);
  expect({ before, after }).toEqual({ before: ['Count.vue fresh 2:6 2322'], after: before });
  expect(under).toEqual(['Count.vue fresh 2:28 2345']);
  world.workspace.hold('lib.ts', textual['lib.ts']);
  expect(await problems(world.backend)).toEqual(under);
  world.workspace.hold('Count.vue', `\n${components['Count.vue']}`);
  expect(await problems(world.backend)).toEqual(['Count.vue fresh 3:28 2345']);
  world.workspace.hold('lib.ts', undefined);
  world.workspace.hold('Count.vue', undefined);
  expect(await problems(world.backend)).toEqual(before);
});

const components = {
  'tsconfig.json':
    '{ "compilerOptions": { "lib": ["es2022"], "strict": true, "module": "esnext", "moduleResolution": "bundler" } }\n',
  'lib.ts': 'export function twice(x: number): number {\n  return x * 2;\n}\n',
  'Count.vue':
    '<script setup lang="ts">\nimport { twice } from "./lib";\nconst title: string = twice(1);\n</script>\n<template>{{ title }}</template>\n',
};

const textual = { 'lib.ts': '\nexport function twice(x: string): string {\n  return x;\n}\n' };

/** The problems of a file by place, since servers order them as they like. */
function inOrder(shown: string): string {
  const [file, state, ...problems] = shown.split(/ (?=\d+:|fresh|pending|stale)/);
  return [file, state, ...problems.sort()].join(' ');
}
