// Bundles TypeScript for Node, in one way for the product and for the fixtures of its tests.
import path from 'node:path';
import { rolldown } from 'rolldown';

export const root = path.resolve(import.meta.dirname, '..');
export const catalogueModule = path.join(root, 'src/surfaces/catalogue.ts');

/**
 * Bundles an executable as CommonJS, which Node 20 starts some 10 ms faster than modules.
 * @param {string} entry
 * @param {string} dir where it goes, as `bin.js`
 * @param {{ start?: string[], replaced?: Record<string, string> }} how `start`: modules that the first answer
 * needs although they are imported lazily; `replaced`: source text instead of a module's own
 */
export function bundleExecutable(entry, dir, { start = [], replaced = {} } = {}) {
  return bundle({ bin: entry }, replaced, {
    dir,
    format: 'cjs',
    banner: (chunk) => (chunk.isEntry ? '#!/usr/bin/env node' : ''),
    codeSplitting: { groups: [{ debugName: 'start', name: together([entry, ...start]) }] },
  });
}

/**
 * Bundles the entries of a library as modules; what several of them need stands in chunks, as does what is imported lazily.
 * @param {string[]} entries
 * @param {string} dir where they go, each by its name, as `NAME.mjs`
 * @param {{ replaced?: Record<string, string> }} how source text instead of a module's own
 */
export function bundleLibrary(entries, dir, { replaced = {} } = {}) {
  return bundle(Object.fromEntries(entries.map((entry) => [path.basename(entry, '.ts'), entry])), replaced, {
    dir,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: 'chunks/[name].mjs',
    // Node prints the line that an error comes from where a program does not catch it: lines and names stay as written.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
  });
}

/**
 * Bundles an extension of VS Code, which gives it the module `vscode`, and modules for its tests.
 * @param {Record<string, string>} entries by the names of their files
 * @param {string} dir
 * @param {{ replaced?: Record<string, string>, alias?: Record<string, string> }} how source text, or another module, instead
 */
export function bundleExtension(entries, dir, { replaced = {}, alias = {} } = {}) {
  return bundle(entries, replaced, { dir, format: 'cjs' }, { external: ['vscode'], alias });
}

/** Runs a module now, and gives the source text of a module that has the value of its export. */
export async function frozen(file, name) {
  const evaluated = await evaluate(file);
  // Node reads JSON in a string faster than a literal.
  return `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(evaluated[name]))});`;
}

/** Returns what a module of the sources exports. */
export async function evaluate(file) {
  const [chunk] = await bundle({ frozen: file }, {}, { format: 'esm', codeSplitting: false });
  return import(`data:text/javascript;base64,${Buffer.from(chunk.code).toString('base64')}`);
}

async function bundle(input, replaced, output, { external = [], alias = {} } = {}) {
  const build = await rolldown({
    input,
    // SQLite is WebAssembly, which stays beside the module that loads it.
    external: ['node-sqlite3-wasm', ...external],
    cwd: root,
    platform: 'node',
    tsconfig: false,
    // A package's own ES modules before its UMD form, whose inner requires no bundler can follow.
    resolve: { mainFields: ['module', 'main'], alias },
    transform: { target: 'node20.9' },
    plugins: [replace(replaced), withoutValidator, ownZod],
  });
  const names = { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' };
  const options = { ...names, minify: true, ...output };
  const written = await (output.dir ? build.write(options) : build.generate(options));
  await build.close();
  return written.output;
}

/** Names one chunk for all that some modules import statically: every further file costs a millisecond to load. */
function together(modules) {
  let wanted;
  return (id, graph) => {
    wanted ??= closure(modules, (module) => graph.getModuleInfo(module)?.importedIds ?? []);
    return wanted.has(id) ? 'start' : null;
  };
}

function closure(from, next) {
  const found = new Set(from);
  for (const item of found) for (const further of next(item)) found.add(further);
  return found;
}

function replace(replaced) {
  return {
    name: 'replace',
    load: (id) => (id in replaced ? { code: replaced[id], moduleType: 'js' } : undefined),
  };
}

// The SDK would bring a JSON Schema validator, a third of its size, for requests that lspan never makes.
const withoutValidator = {
  name: 'without-validator',
  resolveId: (id) => (id === '@modelcontextprotocol/server/_shims' ? '\0sdk-shims' : undefined),
  load: (id) =>
    id === '\0sdk-shims'
      ? 'export const process = globalThis.process; export class DefaultJsonSchemaValidator {}'
      : undefined,
};

// zod keeps its settings, and what schemas say of themselves, where every copy of it in the process finds them. A program
// around lspan that has a copy too would change what lspan says, and lspan the language that it speaks.
const ownZod = {
  name: 'own-zod',
  transform: (code, id) =>
    /[\\/]zod[\\/]v4[\\/]core[\\/](core|registries)\.js$/.test(id)
      ? `const ownPlace = {};\n${code.replaceAll('globalThis', 'ownPlace')}`
      : undefined,
};
