import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { writeFiles } from '../workspace/sandbox.ts';

/** The name that everything here is about. */
export const sharedName = 'sharedGreeting';

/** What a monorepo is to hold. */
export interface Wish {
  /** How its packages find each other. */
  readonly arrangement: keyof typeof arrangements;
  /** All packages; the first holds the shared function. */
  readonly packages?: number;
  /** How many of the others use that function. */
  readonly users?: number;
}

/** A generated monorepo, and what is true of it. Lines and characters count from 1. */
export interface Monorepo {
  readonly files: Readonly<Record<string, string>>;
  /** Links to folders: where each leads, by its own path; both are below the root. */
  readonly links: Readonly<Record<string, string>>;
  readonly declaration: Spot;
  /** A call in the last package that has one. */
  readonly use: Spot;
  /** Every place of the references, the declaration included, as `path:line`, ordered. */
  readonly places: readonly string[];
}

/** A place as a tool is asked about it. */
interface Spot {
  readonly file_path: string;
  readonly line: number;
  readonly character: number;
}

/** Makes up a monorepo: packages with a project each, of which some use one exported function of the first. */
export function monorepo({ arrangement, packages = 30, users = 25 }: Wish): Monorepo {
  const row: Arrangement = { ...usual, ...arrangements[arrangement] };
  const names = Array.from({ length: packages }, (_, index) => `pkg-${String(index).padStart(3, '0')}`);
  const using = spread(names.slice(1), users);
  const source = (name: string) => `packages/${name}/src/index.${row.extension}`;
  const files: Record<string, string> = { ...row.top(names) };
  for (const name of names) {
    Object.assign(files, row.project(name));
    files[source(name)] = using.has(name) ? userText(row) : `export const own = '${name}';\n`;
  }
  files[source(holder)] = row.holder;
  const usedIn = [...using].map(source);
  const last = usedIn.at(-1) ?? '';
  return {
    files,
    links: row.linked ? linksTo(names) : {},
    declaration: spot(source(holder), row.holder, sharedName),
    use: spot(last, files[last] ?? '', `${row.called}(`),
    // The import is on the first line, and the call on the second.
    places: [
      `${source(holder)}:2`,
      ...row.alsoAt,
      ...usedIn.flatMap((file) => [`${file}:1`, `${file}:2`]),
    ].sort(),
  };
}

/** Writes a monorepo into a folder. */
export function writeMonorepo(root: string, { files, links }: Monorepo): void {
  writeFiles(root, files);
  for (const [link, target] of Object.entries(links)) {
    const place = path.join(root, link);
    mkdirSync(path.dirname(place), { recursive: true });
    symlinkSync(path.relative(path.dirname(place), path.join(root, target)), place, 'junction');
  }
}

const holder = 'pkg-000';
const renamer = 'pkg-001';

/** How packages find each other: what users write, and the project files around them. */
interface Arrangement {
  readonly extension: 'ts' | 'js';
  /** The text of the file that holds the shared function, on its second line. */
  readonly holder: string;
  /** What a user writes between `import` and `from`, behind it, and when it calls. */
  readonly clause: string;
  readonly from: string;
  readonly called: string;
  /** References beside the declaration and the users. */
  readonly alsoAt: readonly string[];
  /** Whether packages are linked in `node_modules`. */
  readonly linked: boolean;
  /** The files of one package beside its source, and those of the whole. */
  readonly project: (name: string) => Readonly<Record<string, string>>;
  readonly top: (names: readonly string[]) => Readonly<Record<string, string>>;
}

const options = {
  strict: true,
  target: 'es2022',
  lib: ['es2022'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
};

const usual: Arrangement = {
  extension: 'ts',
  holder: `/** What everybody says. */\nexport function ${sharedName}(name: string): string {\n  return name;\n}\n`,
  clause: `{ ${sharedName} }`,
  from: `../../${holder}/src/index`,
  called: sharedName,
  alsoAt: [],
  linked: false,
  project: (name) => config(name, { compilerOptions: options, include: ['src'] }),
  top: () => ({}),
};

const referring = (name: string) =>
  config(name, {
    compilerOptions: { ...options, composite: true, rootDir: 'src', outDir: 'dist' },
    include: ['src'],
    references: name === holder ? [] : [{ path: `../${holder}` }],
  });

/** A package as npm links it, with the file that stands for it. */
const manifest = (name: string, main: object) => ({
  [`packages/${name}/package.json`]: json({
    name: `@mono/${name}`,
    version: '1.0.0',
    type: 'module',
    ...main,
  }),
});

const workspaces = () => ({
  'package.json': json({ private: true, workspaces: ['packages/*'] }),
  '.gitignore': 'node_modules\ndist\n',
});

/** The arrangements by name, each as it differs from packages that import each other by relative paths. */
const arrangements = {
  'relative imports': {},
  'project references': { project: referring },
  'a solution file': {
    project: referring,
    top: (names) => ({
      'tsconfig.json': json({ files: [], references: names.map((name) => ({ path: `packages/${name}` })) }),
    }),
  },
  'paths in a base configuration': {
    from: `@mono/${holder}`,
    project: (name) => config(name, { extends: '../../tsconfig.base.json', include: ['src'] }),
    top: () => ({
      'tsconfig.base.json': json({
        compilerOptions: { ...options, paths: { '@mono/*': ['./packages/*/src/index.ts'] } },
      }),
    }),
  },
  'nested jsconfig.json': {
    extension: 'js',
    holder: `/** What everybody says. */\nexport function ${sharedName}(name) {\n  return name;\n}\n`,
    project: (name) => ({
      [`packages/${name}/jsconfig.json`]: json({ compilerOptions: options, include: ['src'] }),
    }),
    top: () => ({ 'tsconfig.json': json({ include: ['tools'] }), 'tools/run.ts': 'export const run = 1;\n' }),
  },
  'linked workspaces': {
    from: `@mono/${holder}`,
    linked: true,
    project: (name) => ({ ...usual.project(name), ...manifest(name, { exports: './src/index.ts' }) }),
    top: workspaces,
  },
  'linked workspaces that are not built': {
    from: `@mono/${holder}`,
    linked: true,
    project: (name) => ({
      ...referring(name),
      ...manifest(name, { main: './dist/index.js', types: './dist/index.d.ts' }),
    }),
    top: workspaces,
  },
  'a default export under other names': {
    holder: `/** What everybody says. */\nexport default function ${sharedName}(name: string): string {\n  return name;\n}\n`,
    clause: 'welcome',
    called: 'welcome',
  },
  'an export that another package renames': {
    clause: '{ renamedGreeting }',
    called: 'renamedGreeting',
    from: `../../${renamer}/src/renamed`,
    // Once for each of its names.
    alsoAt: [`packages/${renamer}/src/renamed.ts:1`, `packages/${renamer}/src/renamed.ts:1`],
    top: () => ({
      [`packages/${renamer}/src/renamed.ts`]: `export { ${sharedName} as renamedGreeting } from '../../${holder}/src/index';\n`,
    }),
  },
} satisfies Record<string, Partial<Arrangement>>;

function userText({ clause, from, called }: Arrangement): string {
  return `import ${clause} from '${from}';\nexport const said = ${called}('somebody');\n`;
}

function config(name: string, content: object): Record<string, string> {
  return { [`packages/${name}/tsconfig.json`]: json(content) };
}

function json(content: object): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

function linksTo(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`node_modules/@mono/${name}`, `packages/${name}`]));
}

/** That many of them, so that neither the first nor the last are all that count. */
function spread(names: readonly string[], wanted: number): ReadonlySet<string> {
  return new Set(
    Array.from({ length: wanted }, (_, index) => names[Math.floor((index * names.length) / wanted)] ?? ''),
  );
}

function spot(file: string, text: string, name: string): Spot {
  const [, line = ''] = text.split('\n');
  return { file_path: file, line: 2, character: line.indexOf(name) + 1 };
}
