import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const sources = list(path.join(root, 'src')).filter((file) => /\.[jt]s$/.test(file));

/** The shape of a server definition: what a backend knows of `servers`, in which no server has a name. */
const definitions = ['servers/definition.ts', 'servers/language-of.ts', 'servers/check-command.ts'];

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
  backends: ['core'],
  servers: ['core'],
  config: ['core', 'platform', ...definitions],
  frontends: [
    'bridge.ts',
    'bridge-settings.ts',
    'offline.ts',
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
  'bridge-settings.ts',
  'effective-config.ts',
  'open-servers.ts',
  'open-context.ts',
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

  it('is neither the SDK nor zod, which take longer to load than all the rest', () => {
    expect(loaded).toContain('src:frontends/mcp/fast-path/data-answers.ts');
    expect(loaded.filter((target) => /^(@modelcontextprotocol\/|zod$)/.test(target))).toEqual([]);
  });
});

describe('the house rules', () => {
  it('no file or folder is named after nothing', () => {
    const empty =
      /(^|[-/])(utils?|helpers?|types|constants|manager|service|handler|enhanced|misc|common)([-.]|$)/;
    expect(sources.map((file) => path.relative(root, file)).filter((name) => empty.test(name))).toEqual([]);
  });

  it('every export says what it is for, in a comment above it', () => {
    expect(sources.flatMap(undocumentedExports)).toEqual([]);
  });

  it('no `any`, no suppressed type error, no sleeping', () => {
    const forbidden = /@ts-ignore|@ts-expect-error|: any\b|<any>|\bas any\b|\bsleep\(/;
    expect(sources.filter((file) => forbidden.test(readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('at most 3 `try` in 1,000 lines, and no file over 400 lines', () => {
    const texts = sources.map((file) => readFileSync(file, 'utf8'));
    const lines = texts.reduce((sum, text) => sum + text.split('\n').length, 0);
    const tries = texts.reduce((sum, text) => sum + (text.match(/\btry \{/g)?.length ?? 0), 0);
    expect((tries / lines) * 1000).toBeLessThanOrEqual(3);
    expect(sources.filter((_, index) => (texts[index]?.split('\n').length ?? 0) > 400)).toEqual([]);
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
