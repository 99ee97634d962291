// The states in which the code of an entry is asked about, and beside each the same files with everything resolved, for
// the oracle: as fetched, without its dependencies, and split into packages that import each other's output, which is not built.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pinned, run } from '../pinned.js';
import { splitTypeScript } from './split-typescript.js';

/** The states of a language, in the order in which they are asked about. */
export const statesOf = {
  typescript: ['fetched', 'bare', 'split'],
  javascript: ['fetched', 'bare'],
  python: ['fetched', 'bare', 'split'],
  go: ['fetched', 'bare', 'split'],
  rust: ['fetched', 'bare'],
  c: ['fetched', 'bare'],
};

/**
 * Makes the project of a state under `folder`, and the resolved copy for the oracle.
 * @returns {Promise<{ project: string, resolved: string, env: object, options?: object }>}
 */
export async function makeState(entry, state, folder, cache) {
  const project = path.join(folder, 'project');
  const resolved = path.join(folder, 'resolved');
  for (const made of [project, resolved]) {
    rmSync(made, { recursive: true, force: true });
    mkdirSync(made, { recursive: true });
  }
  return makers[entry.language](entry, state, { project, resolved, cache });
}

/**
 * Copies a repository as it is. The oracle sees the same files, and of packages of TypeScript their sources.
 * @returns {Promise<{ project: string, resolved: string, env: object, paths?: object, isScript: boolean }>}
 */
export async function copyRepository(from, folder, language) {
  const made = ['project', 'resolved'].map((name) => path.join(folder, name));
  for (const one of made)
    cpSync(from, one, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => path.basename(file) !== '.git',
    });
  const [project, resolved] = made;
  const paths = pathsOf(resolved);
  const isScript = language === 'javascript';
  return { project, resolved, env: { GOPROXY: 'off', CARGO_NET_OFFLINE: 'true' }, paths, isScript };
}

/** The sources of the packages of a repository, as paths of a compiler. */
function pathsOf(folder) {
  const paths = {};
  for (const one of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (one.name !== 'package.json' || !one.isFile() || one.parentPath.includes('node_modules')) continue;
    const { name } = JSON.parse(readFileSync(path.join(one.parentPath, one.name), 'utf8'));
    const at = path.relative(folder, one.parentPath);
    const entry = ['src/index.ts', 'index.ts'].find((file) => existsSync(path.join(one.parentPath, file)));
    if (name === undefined || at === '' || entry === undefined) continue;
    paths[name] = [path.join(at, entry)];
    paths[`${name}/*`] = [path.join(at, path.dirname(entry), '*')];
  }
  return paths;
}

const makers = { typescript, javascript, python, go, rust, c };

async function typescript(entry, state, { project, resolved }) {
  const installed = await pinned(entry.name, entry.version);
  const sources = path.join(installed, entry.files);
  const options = {
    strict: true,
    target: 'esnext',
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'preserve',
  };
  const { main = 'src/index.ts', options: own = {} } = entry;
  const config = { compilerOptions: { ...options, skipLibCheck: true, noEmit: true } };
  const manifest = manifestOf(installed);
  // Tests and examples of a package import it by its name.
  const names = { [entry.name]: [main], [`${entry.name}/*`]: [`${path.dirname(main)}/*`], ...own.paths };
  for (const made of [project, resolved]) {
    cpSync(sources, path.join(made, 'src'), { recursive: true });
    writeJson(path.join(made, 'package.json'), manifest);
    const compilerOptions = { ...config.compilerOptions, ...own };
    writeJson(path.join(made, 'tsconfig.json'), { compilerOptions, include: ['src'] });
    if (made === resolved || state !== 'bare') copyDependencies(installed, entry.name, made);
  }
  if (state !== 'split') return { project, resolved, env: {}, paths: names };
  const split = splitTypeScript(project, { config, manifest, names });
  splitTypeScript(resolved, { config, manifest, names });
  return { project, resolved, env: {}, paths: split };
}

/** A package as it is published, which for plain scripts is how its repository holds it. */
async function javascript(entry, state, { project, resolved }) {
  const installed = await pinned(entry.name, entry.version);
  for (const made of [project, resolved]) {
    cpSync(installed, made, { recursive: true, filter: (file) => path.basename(file) !== 'node_modules' });
    writeJson(path.join(made, 'package.json'), manifestOf(installed));
    if (made === resolved || state !== 'bare') copyDependencies(installed, entry.name, made);
  }
  return { project, resolved, env: {}, isScript: true };
}

/** What a package says of itself and needs; what it runs is left out. */
function manifestOf(installed) {
  const { scripts: _, ...manifest } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
  return manifest;
}

/** What an installed package depends on is beside it. */
function copyDependencies(installed, name, made) {
  const beside = installed.slice(0, -name.length);
  const own = path.join(beside, name);
  cpSync(beside, path.join(made, 'node_modules'), {
    recursive: true,
    filter: (file) =>
      file !== own && !file.includes(`${path.sep}.bin`) && !file.endsWith('.package-lock.json'),
  });
}

async function python(entry, state, { project, resolved, cache }) {
  const site = path.join('usr/lib/python3/dist-packages');
  const own = path.join(await unpacked(entry.name, cache), site, entry.files);
  const needed = [];
  for (const need of entry.needs ?? []) needed.push(path.join(await unpacked(need, cache), site));
  for (const made of [project, resolved]) {
    const inner = path.join(made, 'src', entry.files);
    cpSync(own, inner, { recursive: true });
    const name = entry.files;
    writeFileSync(path.join(made, 'pyproject.toml'), `[project]\nname = "${name}"\nversion = "1"\n`);
    if (state === 'split') {
      const script = path.join(import.meta.dirname, 'split-python.py');
      await run('python3', [script, made, name]);
    }
  }
  const packages = path.join(resolved, 'packages');
  const split = existsSync(packages)
    ? readdirSync(packages).map((name) => path.join(packages, name, 'src'))
    : [];
  const everything = [...needed, ...split, path.join(resolved, 'src')];
  return {
    project,
    resolved,
    env: state === 'bare' ? {} : { PYTHONPATH: needed.join(':') },
    oracleEnv: { PYTHONPATH: everything.join(':') },
  };
}

async function go(entry, state, { project, resolved, cache }) {
  const root = 'usr/share/gocode/src';
  const own = path.join(await unpacked(entry.name, cache), root, entry.files);
  const replaced = [];
  for (const need of entry.needs ?? []) {
    const found = entriesByName(need);
    const at = path.join(await unpacked(need, cache), root, found);
    if (!existsSync(path.join(at, 'go.mod'))) writeFileSync(path.join(at, 'go.mod'), `module ${found}\n`);
    replaced.push([found, at]);
  }
  for (const made of [project, resolved]) {
    cpSync(own, made, { recursive: true });
    const needs = made === resolved || state !== 'bare' ? replaced : [];
    const required = replaced.map(([name]) => `require ${name} v0.0.0`);
    const places = needs.map(([name, at]) => `replace ${name} => ${at}`);
    writeFileSync(
      path.join(made, 'go.mod'),
      [`module ${entry.files}`, 'go 1.19', ...required, ...places, ''].join('\n'),
    );
    rmSync(path.join(made, 'go.sum'), { force: true });
    if (state === 'split') splitGo(made, entry.files, made === resolved);
  }
  const env = { GOFLAGS: '-mod=mod', GOPROXY: 'off', GONOSUMDB: '*', GONOSUMCHECK: '1', GOFLAGS_: '' };
  return { project, resolved, env };
}

/** Each folder below becomes a module of its own; only the resolved copy has the file that joins them. */
function splitGo(made, name, isJoined) {
  const inner = readdirSync(made, { withFileTypes: true, recursive: true })
    .filter((one) => one.isFile() && one.name.endsWith('.go') && one.parentPath !== made)
    .map((one) => path.relative(made, one.parentPath));
  const modules = [...new Set(inner)];
  for (const module of modules) {
    writeFileSync(
      path.join(made, module, 'go.mod'),
      `module ${name}/${module}\ngo 1.19\nrequire ${name} v0.0.0\n`,
    );
  }
  const used = ['.', ...modules].map((module) => `\t./${module}`);
  if (isJoined) writeFileSync(path.join(made, 'go.work'), `go 1.19\nuse (\n${used.join('\n')}\n)\n`);
}

const goNames = { 'golang-github-spf13-pflag-dev': 'github.com/spf13/pflag' };
const entriesByName = (name) => goNames[name];

async function rust(entry, state, { project, resolved, cache }) {
  const registry = path.join(await unpacked(entry.name, cache), 'usr/share/cargo/registry');
  const own = path.join(
    registry,
    readdirSync(registry).find((name) => name.startsWith(`${entry.files}-`)),
  );
  for (const made of [project, resolved]) {
    cpSync(own, made, { recursive: true });
    if (made === project && state === 'bare') continue;
    const manifest = readFileSync(path.join(made, 'Cargo.toml'), 'utf8');
    writeFileSync(path.join(made, 'Cargo.toml'), withoutDependencies(manifest));
  }
  return { project, resolved, env: { CARGO_NET_OFFLINE: 'true' } };
}

/** Dependencies of the crates here are optional or for tests only: without them everything else is resolved. */
function withoutDependencies(manifest) {
  return manifest
    .split(/^(?=\[)/m)
    .filter((section) => !/^\[(dev-)?dependencies|^\[target\.|^\[features/.test(section))
    .join('');
}

async function c(entry, state, { project, resolved }) {
  const own = path.join(await pinned(entry.name, entry.version), entry.files);
  for (const made of [project, resolved]) {
    cpSync(own, made, { recursive: true });
    if (made === resolved || state === 'fetched') writeDatabase(made);
  }
  return { project, resolved, env: {} };
}

function writeDatabase(made) {
  const files = readdirSync(made, { withFileTypes: true, recursive: true }).filter((one) => one.isFile());
  const folders = new Set(files.filter((one) => one.name.endsWith('.h')).map((one) => one.parentPath));
  const includes = [...folders].map((folder) => `-I${folder}`);
  const sources = files
    .filter((one) => one.name.endsWith('.c'))
    .map((one) => path.join(one.parentPath, one.name));
  // A source that another one includes is not compiled by itself.
  const texts = sources.map((file) => readFileSync(file, 'utf8'));
  const isIncluded = (file) => texts.some((text) => text.includes(`#include "${path.basename(file)}"`));
  const entries = sources
    .filter((file) => !isIncluded(file))
    .map((file) => ({
      directory: made,
      file,
      arguments: ['cc', '-DHAVE_EXPAT_CONFIG_H', ...includes, '-c', file],
    }));
  writeJson(path.join(made, 'compile_commands.json'), entries);
}

/** Downloads a package of the distribution and unpacks it, unless it is there; none of its scripts is run. */
async function unpacked(name, cache) {
  const folder = path.join(cache, name);
  if (existsSync(folder)) return folder;
  const made = `${folder}.${process.pid}`;
  mkdirSync(made, { recursive: true });
  await run('apt-get', ['download', '-q', name], { cwd: made });
  const archive = readdirSync(made).find((file) => file.endsWith('.deb'));
  await run('dpkg-deb', ['-x', path.join(made, archive), made]);
  cpSync(made, folder, { recursive: true });
  rmSync(made, { recursive: true, force: true });
  return folder;
}

function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
}
