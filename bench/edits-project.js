// A generated project in packages of ten modules, all of which use one function.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { workFolder } from './work.js';

/** The two names of the function: each round renames it to the other one. */
export const names = ['sharedMeasure', 'sharedSurvey'];

/** The file that holds the function. */
export const shared = 'packages/core/src/shared.ts';

/** Writes the project, and gives its folder and its files. */
export async function generateEditsProject(modules = 100) {
  const folder = path.join(workFolder, `edits-${modules}`);
  const files = editsProject(modules);
  await rm(folder, { recursive: true, force: true });
  for (const [file, text] of files) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  return { folder, files };
}

function editsProject(modules) {
  const files = new Map([
    ['tsconfig.json', configuration],
    [
      shared,
      `/** Measures. */\nexport function ${names[0]}(value: number): string {\n  return String(value);\n}\n`,
    ],
  ]);
  for (let index = 0; index < modules; index += 1) {
    const own = String(index).padStart(3, '0');
    files.set(`packages/part-${Math.floor(index / 10)}/src/module-${own}.ts`, moduleText(own));
  }
  return files;
}

const configuration = `{
  "compilerOptions": { "target": "es2022", "lib": ["es2022"], "module": "nodenext", "strict": true, "noEmit": true, "types": [] },
  "include": ["packages"]
}
`;

function moduleText(own) {
  const [name] = names;
  const lines = Array.from(
    { length: 30 },
    (_, line) => `export const value${own}x${line}: number = ${line};`,
  );
  return `import { ${name} } from '../../core/src/shared.js';\n${lines.join('\n')}\n
export function report${own}(): string {
  return [${name}(1), ${name}(value${own}x3)].join(', ');
}
`;
}
