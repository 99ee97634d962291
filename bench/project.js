// Generates projects, the same bytes every time, and knows what there is to ask about them.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cppModule, cppProject } from './cpp-project.js';
import { numbered } from './layout.js';
import { pythonModule, pythonProject } from './python-project.js';
import { typescriptModule, typescriptProject } from './typescript-project.js';
import { workFolder } from './work.js';

/** The languages that projects are generated in, and the sizes at which growth is looked at, in modules. */
export const languages = {
  typescript: { sizes: [50, 500, 5000] },
  python: { sizes: [50, 500, 5000] },
  // Its server compiles every file before it can answer: 5,000 would take most of the bench's time.
  cpp: { sizes: [50, 500] },
};

/**
 * Writes a project and gives its folder and the questions about it.
 * @param {'typescript' | 'python' | 'cpp'} language
 * @param {number} size
 */
export async function generateProject(language, size) {
  const { filesOf, moduleOf, shared, compute } = shapes[language];
  const folder = path.join(workFolder, `${language}-${size}`);
  const files = filesOf(size, folder);
  await rm(folder, { recursive: true, force: true });
  for (const name of new Set([...files.keys()].map((file) => path.dirname(file))))
    await mkdir(path.join(folder, name), { recursive: true });
  for (const [file, text] of files) await writeFile(path.join(folder, file), text);
  const middle = Math.floor(size / 2);
  const at = (file, name) => ({ file, ...positionOf(files.get(file), name) });
  const few = at(moduleOf(middle), `${compute(middle)}(`);
  const many = at(shared.file, shared.name);
  const call = at(moduleOf(middle + 1), `${compute(middle)}(`);
  return {
    folder,
    files,
    file: moduleOf(middle),
    names: { few: compute(middle), many: shared.name },
    probes: [
      probe('definition', call, 1),
      // The definition, an import and a call; a third of the modules call their own function twice more.
      probe('references, few', few, occurrences(files, compute(middle))),
      probe('references, 100', many, occurrences(files, shared.name)),
    ],
  };
}

const shapes = {
  typescript: {
    filesOf: typescriptProject,
    moduleOf: typescriptModule,
    shared: { file: 'src/shared.ts', name: 'sharedMeasure' },
    compute: (index) => `compute${numbered(index)}`,
  },
  python: {
    filesOf: pythonProject,
    moduleOf: pythonModule,
    shared: { file: 'app/shared.py', name: 'shared_measure' },
    compute: (index) => `compute_${numbered(index)}`,
  },
  cpp: {
    filesOf: cppProject,
    moduleOf: cppModule,
    shared: { file: 'src/shared.cpp', name: 'shared_measure' },
    compute: (index) => `compute_${numbered(index)}`,
  },
};

const asked = {
  definition: { tool: 'find_definition', method: 'textDocument/definition', noun: 'definitions' },
  references: { tool: 'find_references', method: 'textDocument/references', noun: 'references' },
};

/** One question by position, 0-based, and how many places its answer has. */
function probe(name, place, count) {
  return { name, ...asked[name.split(',')[0]], ...place, count };
}

/** Where a name stands last in a text. */
export function positionOf(text, name) {
  const before = text.slice(0, text.lastIndexOf(name)).split('\n');
  return { line: before.length - 1, character: before.at(-1).length + 1 };
}

function occurrences(files, name) {
  const whole = new RegExp(`\\b${name}\\b`, 'g');
  return [...files.values()].reduce((sum, text) => sum + (text.match(whole)?.length ?? 0), 0);
}
