// The files of a generated TypeScript project: modules in folders of 25, each using the one before it.
import { folderOf, numbered, users } from './layout.js';

/** @param {number} size how many modules @returns {Map<string, string>} text by path */
export function typescriptProject(size) {
  const files = new Map([['tsconfig.json', configuration]]);
  const using = users(size);
  for (let index = 0; index < size; index += 1)
    files.set(typescriptModule(index), module(index, using.has(index)));
  files.set('src/shared.ts', shared);
  return files;
}

/** The path of a module. */
export function typescriptModule(index) {
  return `src/${folderOf(index)}/module-${numbered(index)}.ts`;
}

// No `types`: those of whatever lies above the project would be loaded too.
const configuration = `{
  "compilerOptions": {
    "target": "es2022",
    "lib": ["es2022"],
    "module": "nodenext",
    "strict": true,
    "noEmit": true,
    "types": []
  },
  "include": ["src"]
}
`;

const shared = `/** What everybody measures with. */
export function sharedMeasure(value: number, unit: string): string {
  return \`\${value} \${unit}\`;
}
`;

function module(index, usesShared) {
  const name = numbered(index);
  const before = index === 0 ? undefined : numbered(index - 1);
  return `${usesShared ? "import { sharedMeasure } from '../shared.js';\n" : ''}${importOf(index, before)}
/** The settings of part ${name}. */
export interface Settings${name} {
  readonly title: string;
  readonly limit: number;
  readonly labels: readonly string[];
}

/** Keeps the entries of part ${name}. */
export class Store${name} {
  readonly #entries = new Map<string, number>();
  readonly #settings: Settings${name};

  constructor(settings: Settings${name}) {
    this.#settings = settings;
  }

  add(key: string, value: number): void {
    if (this.#entries.size >= this.#settings.limit) throw new RangeError(this.#settings.title);
    this.#entries.set(key, value);
  }

  total(): number {
    let sum = 0;
    for (const value of this.#entries.values()) sum += value;
    return sum;
  }

  describe(): string {
    const labels = this.#settings.labels.join(', ');
    return \`\${this.#settings.title}: \${this.total()} (\${labels})\`;
  }
}

/** Works out part ${name}. */
export function compute${name}(input: number): number {
  const store = new Store${name}({ title: 'part ${name}', limit: 10, labels: ['a', 'b'] });
  for (let step = 0; step < 3; step += 1) store.add(\`step-\${step}\`, input * step);
  return store.total()${before === undefined ? '' : ` + compute${before}(input)`};
}
${usesShared ? sharedUses(name) : ''}`;
}

function importOf(index, before) {
  if (before === undefined) return '';
  const path = folderOf(index) === folderOf(index - 1) ? '.' : `../${folderOf(index - 1)}`;
  return `import { compute${before} } from '${path}/module-${before}.js';\n`;
}

const sharedUses = (name) => `
/** Tells part ${name}. */
export function report${name}(): string {
  const first = sharedMeasure(compute${name}(1), 'm');
  const second = sharedMeasure(compute${name}(2), 'kg');
  return \`\${first}, \${second}\`;
}
`;
