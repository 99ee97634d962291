import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript-5';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const sources = list(path.join(root, 'src')).filter((file) => /\.[jt]s$/.test(file));
/** The extension of VS Code follows the same rules, but for the layers. */
const extension = list(path.join(root, 'editors/vscode/src')).filter((file) => /(?<!\.d)\.ts$/.test(file));

/** The shape of a server definition: what a backend knows of `servers`, in which no server has a name. */
const definitions = ['definition', 'diagnostics-facts', 'language-of', 'check-command'].map(
  (name) => `servers/${name}.ts`,
);

/** Which layer may import which; `core` may import nothing of ours. */
const layers: Readonly<Record<string, readonly string[]>> = {
  core: [],
  platform: ['core'],
  jsonrpc: ['core'],
  'source-text': ['core'],
  workspace: ['core', 'platform', 'source-text'],
  edits: ['core', 'platform'],
  tools: ['core', 'workspace', 'edits', 'source-text'],
  surfaces: ['tools', 'core', 'source-text'],
  'backends/lsp': ['core', 'workspace', 'platform', 'jsonrpc', 'source-text', ...definitions],
  'backends/index': ['core', 'workspace', 'platform', 'source-text'],
  backends: ['core'],
  servers: ['core'],
  config: ['core', 'platform', ...definitions],
  frontends: [
    'bridge.ts',
    'bridge-pool.ts',
    'bridge-settings.ts',
    'offline.ts',
    'manage-indexes.ts',
    'version.ts',
    'surfaces',
    'tools',
    'core',
    'config',
    'platform',
    'jsonrpc',
  ],
  library: [
    'bridge.ts',
    'bridge-settings.ts',
    'version.ts',
    'frontends/mcp',
    'surfaces',
    'tools',
    'core',
    'config',
  ],
  'bin.ts': ['frontends'],
  client: ['core', 'workspace', 'config', 'servers'],
  'testing.ts': ['testing'],
  testing: ['core', 'platform'],
};

/** What puts the layers together, and may know everybody. */
const composing = [
  'bridge.ts',
  'bridge-pool.ts',
  'bridge-settings.ts',
  'effective-config.ts',
  'open-root.ts',
  'worktree-roots.ts',
  'followed-roots.ts',
  'open-servers.ts',
  'open-context.ts',
  'open-index.ts',
  'manage-indexes.ts',
  'offline.ts',
  'index.ts',
  'lsp.ts',
];

/** Node's own modules that only some layers may touch. */
const borders: readonly { readonly modules: RegExp; readonly allowed: readonly string[] }[] = [
  {
    modules: /^node:(fs|fs\/promises|child_process)$/,
    allowed: ['platform', 'workspace', 'edits', 'config', 'backends/lsp', 'frontends', 'testing'],
  },
  { modules: /^@modelcontextprotocol\//, allowed: ['frontends/mcp'] },
  { modules: /^zod$/, allowed: ['tools', 'surfaces', 'config'] },
];

/** Folders of a layer from the ground up: each imports those before it or beside it. Folders that are not named come last. */
const order: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'backends/index': [['scip'], ['store'], ['import', 'answers']],
  'backends/lsp': [
    ['protocol'],
    ['convert', 'errors', 'process'],
    ['documents'],
    ['doubts'],
    ['session'],
    ['routing'],
    ['search', 'diagnostics'],
    ['questions'],
    ['asking', 'control'],
  ],
  tools: [['input'], ['run', 'state'], ['show'], ['mentions'], ['target', 'paths']],
};

/** Names that each surface, program or public module uses for its own form of the same thing. */
const sameInEachSurface: ReadonlySet<string> = new Set([
  'Action',
  'AskOptions',
  'Diagnostic',
  'Location',
  'OutputMode',
  'Texts',
  'diagnostic',
  'documentSymbols',
  'findReferences',
  'hover',
  'location',
  'placeFields',
  'readSettings',
  'symbolKind',
  'text',
  'wordAt',
  'workspaceSymbols',
]);

const names = sources.map(nameOf);

/** Each source with the sources that it imports, types included. */
const imports = new Map(
  sources.map((file) => [
    nameOf(file),
    [...new Set(importsOf(file).filter((target) => target.startsWith('src:')))].map((target) =>
      target.slice(4),
    ),
  ]),
);

describe('the layers', () => {
  for (const file of sources) {
    const name = nameOf(file);
    it(`${name} imports only what its layer may`, () => {
      expect(importsOf(file).filter((target) => !mayImport(name, target))).toEqual([]);
    });
  }
});

describe('what is loaded before the first answer of MCP', () => {
  const starts = /^frontends\/mcp\/(fast-path\/.*|stdio\/serve-stream\.ts)$/;
  const loaded = loadedBy(sources.map(nameOf).filter((name) => starts.test(name)));

  it('is neither the SDK, zod nor node:crypto, which take longer to load than all the rest', () => {
    expect(loaded).toContain('src:frontends/mcp/fast-path/fast-path.ts');
    expect(loaded.filter((target) => /^(@modelcontextprotocol\/|zod$|node:crypto$)/.test(target))).toEqual(
      [],
    );
  });
});

describe('the imports', () => {
  it('have no circle, types included', () => {
    expect(circles()).toEqual([]);
  });

  it.each(Object.entries(order))('follow the order of the folders in %s', (layer, ranks) => {
    const rankOf = (file: string) => {
      const folder = file.slice(layer.length + 1).split('/')[0] ?? '';
      const rank = ranks.findIndex((names) => names.includes(folder));
      return { folder, rank: rank === -1 ? ranks.length : rank };
    };
    const wrong = [...imports].flatMap(([file, targets]) =>
      targets
        .filter((target) => file.startsWith(`${layer}/`) && target.startsWith(`${layer}/`))
        .filter((target) => {
          const [from, to] = [rankOf(file), rankOf(target)];
          return !from.folder.endsWith('.ts') && from.folder !== to.folder && to.rank > from.rank;
        })
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the house rules', () => {
  it('no file or folder is named after nothing', () => {
    const empty =
      /(^|[-/])(utils?|helpers?|types|constants|manager|service|handler|enhanced|misc|common)([-.]|$)/;
    expect(sources.map((file) => path.relative(root, file)).filter((name) => empty.test(name))).toEqual([]);
  });

  it('every export says what it is for, in a comment above it', () => {
    expect([...sources, ...extension].flatMap(undocumentedExports)).toEqual([]);
  });

  it('no `any`, no suppressed type error, no sleeping', () => {
    const forbidden = /@ts-ignore|@ts-expect-error|: any\b|<any>|\bas any\b|\bsleep\(/;
    expect([...sources, ...extension].filter((file) => forbidden.test(readFileSync(file, 'utf8')))).toEqual(
      [],
    );
  });

  it('no folder holds more than 20 files, apart from the catalogue of servers', () => {
    const sizes = new Map<string, number>();
    for (const file of names)
      sizes.set(path.posix.dirname(file), (sizes.get(path.posix.dirname(file)) ?? 0) + 1);
    expect([...sizes].filter(([folder, size]) => size > 20 && folder !== 'servers')).toEqual([]);
  });

  it('no function is longer than 60 lines', () => {
    expect([...sources, ...extension].flatMap(longFunctions)).toEqual([]);
  });

  it('no exported name has two meanings', () => {
    const owners = new Map<string, string[]>();
    for (const file of sources.filter((one) => !one.includes('from-schemas')))
      for (const name of exportsOf(file)) owners.set(name, [...(owners.get(name) ?? []), nameOf(file)]);
    const several = [...owners].filter(([, files]) => new Set(files).size > 1).map(([name]) => name);
    expect(several.filter((name) => !sameInEachSurface.has(name)).sort()).toEqual([]);
  });

  it('no file under 25 lines serves a single file of its folder, apart from the catalogues', () => {
    const importers = new Map<string, string[]>();
    for (const [file, targets] of imports)
      for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file]);
    const small = [...importers].filter(([file, [one, ...more]]) => {
      const isNear =
        one !== undefined && more.length === 0 && path.posix.dirname(one) === path.posix.dirname(file);
      return isNear && !one.endsWith('/index.ts') && linesOf(file) < 25;
    });
    expect(small.map(([file]) => file)).toEqual([]);
  });

  it('at most 3 `try` in 1,000 lines, and no file over 400 lines', () => {
    const all = [...sources, ...extension];
    const texts = all.map((file) => readFileSync(file, 'utf8'));
    const lines = texts.reduce((sum, text) => sum + text.split('\n').length, 0);
    const tries = texts.reduce((sum, text) => sum + (text.match(/\btry \{/g)?.length ?? 0), 0);
    expect((tries / lines) * 1000).toBeLessThanOrEqual(3);
    expect(all.filter((_, index) => (texts[index]?.split('\n').length ?? 0) > 400)).toEqual([]);
  });

  it('the lock file holds no download addresses', () => {
    expect(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved"/);
  });

  it('the lock file names every optional package of every platform, without which `npm ci` refuses it', () => {
    const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
    const named = (place: string, name: string): boolean => {
      if (packages[`${place}${place && '/'}node_modules/${name}`]) return true;
      return place !== '' && named(place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/'))), name);
    };
    const missing = Object.entries<{ optionalDependencies?: object }>(packages).flatMap(([place, entry]) =>
      Object.keys(entry.optionalDependencies ?? {}).filter((name) => !named(place, name)),
    );
    expect(missing).toEqual([]);
  });
});

function mayImport(name: string, target: string): boolean {
  if (!target.startsWith('src:')) {
    const border = borders.find(({ modules }) => modules.test(target));
    return !border || border.allowed.some((layer) => name.startsWith(`${layer}/`));
  }
  if (composing.includes(name)) return true;
  const imported = target.slice(4);
  const layer = Object.keys(layers).find((one) => name === one || name.startsWith(`${one}/`));
  if (layer === undefined) return name === 'version.ts';
  const allowed = [layer, ...(layers[layer] ?? [])];
  return allowed.some((one) => imported === one || imported.startsWith(`${one}/`));
}

function nameOf(file: string): string {
  return path.relative(path.join(root, 'src'), file).replaceAll(path.sep, '/');
}

/** All modules that are loaded with some, at once: types are not, and `import()` comes later. */
function loadedBy(names: readonly string[]): readonly string[] {
  const loaded = new Set(names.map((name) => `src:${name}`));
  for (const target of loaded) {
    if (!target.startsWith('src:')) continue;
    const text = readFileSync(path.join(root, 'src', target.slice(4)), 'utf8');
    const code = text.replace(/^(?:import|export) type\b[^;]*;/gm, '').replace(/\bimport\(/g, '');
    for (const one of importsIn(code, target.slice(4))) loaded.add(one);
  }
  return [...loaded];
}

function importsOf(file: string): string[] {
  return importsIn(readFileSync(file, 'utf8'), nameOf(file));
}

function importsIn(text: string, name: string): string[] {
  const found = text.matchAll(
    /(?:^|\n)(?:import|export)\b[^'"`;]*?from\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g,
  );
  return [...found].map((match) => {
    const target = match[1] ?? match[2] ?? '';
    if (!target.startsWith('.')) return target;
    return `src:${path.posix.join(path.posix.dirname(name), target)}`;
  });
}

/** Groups of files that import each other in a circle (Tarjan's algorithm). */
function circles(): string[][] {
  const [found, stack, low, index]: [string[][], string[], Map<string, number>, Map<string, number>] = [
    [],
    [],
    new Map(),
    new Map(),
  ];
  const visit = (file: string): number => {
    index.set(file, index.size);
    low.set(file, index.size - 1);
    stack.push(file);
    for (const target of imports.get(file) ?? []) {
      const reached = index.has(target)
        ? stack.includes(target)
          ? index.get(target)
          : undefined
        : visit(target);
      low.set(file, Math.min(low.get(file) ?? 0, reached ?? Number.POSITIVE_INFINITY));
    }
    if (low.get(file) === index.get(file)) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1) found.push(group);
    }
    return low.get(file) ?? 0;
  };
  for (const file of names) if (!index.has(file)) visit(file);
  return found;
}

function parsed(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
}

function longFunctions(file: string): string[] {
  const source = parsed(file);
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const lines = lineOf(node.end) - lineOf(node.getStart()) + 1;
    if (ts.isFunctionLike(node) && 'body' in node && node.body && lines > 60)
      found.push(`${nameOf(file)}:${lineOf(node.getStart()) + 1} has ${lines} lines`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function exportsOf(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap(
      (line) => /^export (?:async )?(?:function|class|const|interface|type) (\w+)/.exec(line)?.[1] ?? [],
    );
}

function linesOf(name: string): number {
  return readFileSync(path.join(root, 'src', name), 'utf8').split('\n').length - 1;
}

/** Types that only give a shape to the export above them speak for themselves. */
function undocumentedExports(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    if (!/^export (async function|function|class|const|interface)\b/.test(line)) return [];
    const above = lines[index - 1]?.trim() ?? '';
    return above.endsWith('*/') ? [] : [`${path.relative(root, file)}:${index + 1} ${line}`];
  });
}

function list(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name));
}
