// Splits the sources of one package into packages of a workspace that import each other by name. What the names lead to
// is the output of a build that has not been made.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript-5';

/**
 * Splits `made/src`, and returns the `paths` that lead to the sources. `names` are those, as `paths`, under which the
 * package imports itself.
 */
export function splitTypeScript(made, { config, manifest, names }) {
  const files = sourcesIn(path.join(made, 'src')).map((file) => path.relative(made, file));
  const base = baseOf(files, 'src');
  const place = (file) => {
    const inner = file.startsWith(`${base}/`) ? file.slice(base.length + 1) : undefined;
    const [group, ...rest] = inner?.split('/') ?? [];
    if (inner === undefined || rest.length === 0) return { group: 'main', inner: file.slice('src/'.length) };
    return { group: group.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-'), inner: rest.join('/') };
  };
  const groups = new Set();
  for (const file of files) {
    const { group, inner } = place(file);
    groups.add(group);
    const target = path.join(made, 'packages', group, 'src', inner);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, withImports(made, file, files, { place, names }));
  }
  rmSync(path.join(made, 'src'), { recursive: true });
  for (const group of groups) writePackage(path.join(made, 'packages', group), group, config);
  const { dependencies, devDependencies, peerDependencies } = manifest;
  const needs = { dependencies, devDependencies, peerDependencies };
  writeFileSync(
    path.join(made, 'package.json'),
    JSON.stringify({ name: 'split', private: true, type: 'module', workspaces: ['packages/*'], ...needs }),
  );
  rmSync(path.join(made, 'tsconfig.json'));
  return Object.fromEntries([...groups].map((group) => [`@split/${group}/*`, [`packages/${group}/src/*`]]));
}

/** The sources of a project; what they need and is installed is none of them. */
export function sourcesIn(folder, endings = /\.[cm]?tsx?$/) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && endings.test(one.name) && !one.parentPath.includes('node_modules'))
    .map((one) => path.join(one.parentPath, one.name));
}

/** The folder whose folders become packages: as deep as most of the files lie under one folder. */
function baseOf(files, base) {
  const counts = new Map();
  const under = files.filter((file) => file.startsWith(`${base}/`));
  for (const file of under) {
    const [first, ...rest] = file.slice(base.length + 1).split('/');
    if (rest.length > 0) counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  const [most, count] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  return most !== undefined && count > files.length * 0.7 ? baseOf(files, `${base}/${most}`) : base;
}

/** The text of a file whose imports of other groups go by the names of their packages. */
function withImports(made, file, files, { place, names }) {
  let text = readFileSync(path.join(made, file), 'utf8');
  const own = place(file);
  const { importedFiles } = ts.preProcessFile(text, true, true);
  for (const { fileName, pos } of importedFiles.sort((a, b) => b.pos - a.pos)) {
    const reached = reachedBy(fileName, file, names);
    const target = reached === undefined ? undefined : targetOf(reached, files);
    if (target === undefined) continue;
    const { group, inner } = place(target);
    const name = inner.replace(/\.[cm]?tsx?$/, '');
    const own_ = path.posix.relative(path.posix.dirname(own.inner), name);
    const near = own_.startsWith('.') ? own_ : `./${own_}`;
    const written = group === own.group ? near : `@split/${group}/${name}`;
    const start = text.indexOf(fileName, pos);
    text = text.slice(0, start) + written + text.slice(start + fileName.length);
  }
  return text;
}

/** The path that an import leads to, relative or by a name of the package itself. */
function reachedBy(module, file, names) {
  if (module.startsWith('.')) return path.posix.join(path.posix.dirname(file), module);
  for (const [name, [target]] of Object.entries(names)) {
    const start = name.replace('*', '');
    if (module === name) return target;
    if (name.endsWith('*') && module.startsWith(start))
      return path.posix.join(target.replace('*', ''), module.slice(start.length));
  }
  return undefined;
}

function targetOf(name, files) {
  const bare = name.replace(/\.[cm]?[jt]sx?$/, '');
  const ends = ['.ts', '.tsx', '.mts', '.cts', '/index.ts', '/index.tsx'];
  return [name, ...ends.map((end) => bare + end), ...ends.map((end) => name + end)]
    .map((one) => path.posix.normalize(one))
    .find((one) => files.includes(one));
}

function writePackage(folder, group, config) {
  const manifest = {
    name: `@split/${group}`,
    version: '1.0.0',
    type: 'module',
    exports: { './*': { types: './dist/*.d.ts', default: './dist/*.js' } },
  };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest, undefined, 2));
  const { noEmit: _, ...compilerOptions } = {
    ...config.compilerOptions,
    outDir: 'dist',
    rootDir: 'src',
    declaration: true,
  };
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['src'] }, undefined, 2),
  );
}
