import { describe, expect, it } from 'vitest';
import { openRealRenaming } from '../backends/renaming.ts';
import { monorepo, sharedName } from './monorepo.ts';

const typescripts = ['typescript', 'typescript-language-server', 'vtsls'];

describe.each(typescripts.slice(0, 2))('a rename by %s', (server) => {
  it('covers every package of a monorepo on the very first call after a cold start', async () => {
    const { files, places } = monorepo({ arrangement: 'relative imports' });
    const world = await openRealRenaming([server], { files });
    const { answer, doubts } = await world.rename('packages/pkg-000/src/index.ts', sharedName, 'hello');
    expect(doubts).toEqual([]);
    expect(answer?.missed).toEqual([]);
    expect(new Set(answer?.proposal.steps.map((step) => 'uri' in step && step.uri)).size).toBe(26);
    expect(world.places(answer?.spans ?? []).length).toBe(places.length);
    expect(answer?.proposal.steps.every((step) => step.kind === 'edit' && step.seen !== undefined)).toBe(
      true,
    );
  });
});

const project = {
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler" } }\n',
  'a.ts': 'export function greet(name: string): string {\n  return name;\n}\n',
  'b.ts': 'import { greet } from "./a";\nexport { greet } from "./a";\ngreet("b");\n',
  'c.ts': 'import { greet as other } from "./b";\nexport const object = { greet: other };\nother("c");\n',
};

describe.each(typescripts)('a rename by %s', (server) => {
  it('at an import renames the symbol everywhere, and gives it no second name', async () => {
    const world = await openRealRenaming([server], { files: project });
    const { answer } = await world.rename('b.ts', 'greet|("b")', 'hello');
    expect(world.shown(answer?.proposal.steps ?? [])).toEqual([
      'a.ts 0:16 hello',
      'b.ts 0:9 hello',
      'b.ts 1:9 hello',
      'b.ts 2:0 hello',
      'c.ts 0:9 hello',
    ]);
    expect(answer?.missed).toEqual([]);
  });

  it('of what cannot be renamed is refused in the words of the server', async () => {
    const world = await openRealRenaming([server], {
      files: { ...project, 'd.ts': 'export const d = "x".trim();\n' },
    });
    const e = await world.rename('d.ts', 'tr|im', 'hello').catch((x) => x);
    console.log(server, e.message, e.cause?.cause ?? e.cause, e.cause?.code, e.cause?.message);
    await expect(Promise.reject(e)).rejects.toMatchObject({
      code: 'refused',
      message: 'x',
    });
  });
});
