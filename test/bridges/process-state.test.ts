import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const sources = path.resolve(import.meta.dirname, '../../src');

/** What belongs to the whole process, and so to the program that has lspan in it. */
const breaches: Readonly<Record<string, RegExp>> = {
  'listens to the process': /(?<![.\w])process\.(on|once|addListener|prependListener)\(/,
  'ends the process or says how it ends': /(?<![.\w])process\.(exit|abort|reallyExit|exitCode)\b/,
  'uses its streams': /(?<![.\w])process\.(stdin|stdout|stderr)\b|\bconsole\./,
  'changes its variables, its folder or its mask':
    /\bprocess\.env(\.\w+|\[[^\]]+\]) ?=[^=]|delete process\.env|\bchdir\(|\bumask\([^)]/,
  'sets the engine': /\bsetFlagsFromString\b|\bstackTraceLimit\b|\bprepareStackTrace\b/,
  'sets what all emitters have': /\bdefaultMaxListeners\b/,
  'waits for the garbage collector': /\bFinalizationRegistry\b/,
  'leaves something where all can find it': /\bglobalThis\b/,
};

/** Where a local variable has the name: the process of a server. */
const others: ReadonlySet<string> = new Set(['backends/lsp/process/server-process.ts']);

it.each(['index.ts', 'lsp.ts', 'testing.ts'])(
  'what is reached from the library by %s neither listens to its process nor changes anything of it',
  (entry) => {
    const reached = new Set([path.join(sources, entry)]);
    for (const file of reached) for (const imported of importsOf(file)) reached.add(imported);
    const found = [...reached].flatMap((file) => {
      const name = path.relative(sources, file);
      const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
      const kinds = Object.entries(breaches).filter(([, breach]) => !others.has(name) && breach.test(text));
      return kinds.map(([kind]) => `${name} ${kind}`);
    });
    expect(found).toEqual([]);
    expect(reached.size).toBeGreaterThan(3);
  },
);

/** What a file has to have loaded when it runs, at once or later. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const imports =
    /(?:^|\n)(?:import|export)(?! type\b)[^'"`;]*?from\s*'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'\s*\)/g;
  return [...text.matchAll(imports)].map((match) =>
    path.resolve(path.dirname(file), match[1] ?? match[2] ?? ''),
  );
}
