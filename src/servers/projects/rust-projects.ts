import { dirname, join, relative, sep } from 'node:path';
import type { ProjectFacts } from '../definition.ts';

const bounds = { depth: 6, foldersPerLevel: 200 };
const skipped = /^(\..*|target|node_modules)$/;

/**
 * Returns the projects for rust-analyzer to load. By default it looks one folder deep and above the root, and
 * obeys a `rust-project.json`, which names the compiler to run.
 */
export function linkedProjects(facts: ProjectFacts): readonly unknown[] {
  const found = [...projectFiles(facts)];
  // With an empty list, rust-analyzer would discover projects itself.
  return found.length > 0 ? found : [{ crates: [] }];
}

/** Returns whether there is a project that may be loaded. */
export function hasProject(facts: ProjectFacts): boolean {
  return projectFiles(facts).next().done !== true;
}

/** Returns whether build scripts or macros may generate code: those of a crate here, or of a crate from elsewhere. */
export function mayGenerateCode(facts: ProjectFacts): boolean {
  for (const folder of foldersBelow(facts)) {
    const manifest = join(folder, 'Cargo.toml');
    const text = facts.exists(manifest) ? facts.read(manifest) : undefined;
    const isConfigured = configsIn(facts, folder).length > 0;
    if (isConfigured || (text !== undefined && (facts.exists(join(folder, 'build.rs')) || generates(text))))
      return true;
  }
  return false;
}

/**
 * Returns whether build scripts may write code that is nowhere in the workspace. A script that does not know the folder
 * for it, and uses no library, can only choose which code is compiled.
 */
export function mayWriteCode(facts: ProjectFacts): boolean {
  for (const folder of foldersBelow(facts)) {
    const manifest = textAt(facts, join(folder, 'Cargo.toml')) ?? '';
    if (mayScriptWrite(facts, folder, manifest)) return true;
    if (configsIn(facts, folder).some((config) => mayReplace.test(facts.read(config) ?? 'include =')))
      return true;
  }
  return false;
}

/** Returns whether the build script of a crate may write code; one that the manifest names is in the folder, or not known. */
function mayScriptWrite(facts: ProjectFacts, folder: string, manifest: string): boolean {
  if (/^\s*\[.*build-dependencies/m.test(manifest)) return true;
  const named = /^\s*build\s*=\s*["']([^"'\n]*)["']/m.exec(manifest)?.[1];
  const isKnown = named === undefined || /^(?:\.\/)?\w[\w-]*(?:\/\w[\w-]*)*\.rs$/.test(named);
  const script = isKnown ? textAt(facts, join(folder, named ?? 'build.rs')) : undefined;
  return script === undefined ? named !== undefined : mayWrite.test(script);
}

/** The folder for what is written, or other files that may name it. */
const mayWrite = /OUT_DIR|^[ \t]*(?:pub\s+)?mod\s+\w+\s*;|\binclude!/m;

function textAt({ exists, read }: ProjectFacts, path: string): string | undefined {
  return exists(path) ? read(path) : undefined;
}

/**
 * Returns the features that are on by default in every crate that has them. Cargo says which are on, but says nothing at all
 * where dependencies are not fetched: what needs a feature is then off, as if nobody had it.
 */
export function defaultFeatures(facts: ProjectFacts): readonly string[] {
  const [on, off] = [new Set<string>(), new Set<string>()];
  for (const manifest of manifestsOf(facts)) {
    const features = featuresIn(manifest);
    const active = new Set(features.has('default') ? ['default'] : []);
    // The set grows during the loop.
    for (const name of active) for (const more of features.get(name) ?? []) active.add(more);
    for (const name of features.keys()) (active.has(name) ? on : off).add(name);
  }
  return [...on].filter((name) => !off.has(name)).sort();
}

/** Reads the table of features of a manifest, each with what it turns on. */
function featuresIn(manifest: string): ReadonlyMap<string, readonly string[]> {
  const [, table = ''] =
    /^\s*\[\s*features\s*\][^\n]*\n([\s\S]*?)(?=^\s*\[[^\n]*\]\s*(?:#[^\n]*)?$|(?![\s\S]))/m.exec(manifest) ??
    [];
  const entry = /^[ \t]*["']?([\w.+-]+)["']?[ \t]*=[ \t]*\[([^\]]*)\]/gm;
  const plain = table.replace(/^[ \t]*#[^\n]*/gm, '');
  return new Map(
    Array.from(plain.matchAll(entry), ([, name = '', list = '']) => [
      name,
      Array.from(list.replace(/#[^\n]*/g, '').matchAll(/["']([^"'\n]*)["']/g), ([, one = '']) => one),
    ]),
  );
}

function configsIn(facts: ProjectFacts, folder: string): readonly string[] {
  return ['.cargo/config', '.cargo/config.toml'].map((name) => join(folder, name)).filter(facts.exists);
}

/** Settings of cargo that put another program or other code in place; flags and targets only choose what is compiled. */
const mayReplace =
  /^\s*["']?(?:rustc[\w-]*|include|paths|build)["']?\s*[=.]|^\s*\[+\s*["']?(?:env|host|patch|source|unstable)\b/m;

/** Reads the tables of a manifest line by line: a dependency that is not a path or of the workspace may have macros. */
function generates(manifest: string): boolean {
  return manifest.split(/^\s*\[/m).some((table, index) => {
    const [head = '', ...lines] = table.split('\n');
    const name = index === 0 ? '' : head.replace(/\].*$/, '').trim();
    const keys = (index === 0 ? [head, ...lines] : lines).filter((line) => /^\s*[\w"'-]/.test(line));
    if (keys.some((line) => /^\s*(build|proc[-_]macro|links)\s*=(?!\s*false\b)/.test(line))) return true;
    if (/dependencies$/.test(name)) return keys.some((line) => !isLocal.test(line));
    return /dependencies\./.test(name) && !keys.some((line) => isLocal.test(line));
  });
}

const isLocal = /\b(path\s*=|workspace\s*=\s*true)/;

/** Yields the texts of the manifests of a workspace. */
export function* manifestsOf(facts: ProjectFacts): Generator<string> {
  for (const folder of foldersBelow(facts)) {
    const text = textAt(facts, join(folder, 'Cargo.toml'));
    if (text !== undefined) yield text;
  }
}

/** Yields the files of the projects to load. */
export function* projectFiles(facts: ProjectFacts): Generator<string> {
  const names = facts.trusted ? ['rust-project.json', '.rust-project.json'] : [];
  const workspaces = new Map<string, string>();
  for (const folder of foldersBelow(facts)) {
    const manifest = join(folder, 'Cargo.toml');
    const text = facts.exists(manifest) ? facts.read(manifest) : undefined;
    if (text !== undefined && isLoadedAlone(folder, text, workspaces)) yield manifest;
    if (text !== undefined && isWorkspace(text)) workspaces.set(folder, text);
    yield* names.map((name) => join(folder, name)).filter(facts.exists);
  }
}

/** Walks breadth first, so that the bounds cut off the deepest folders. */
function* foldersBelow({ root, folders }: ProjectFacts): Generator<string> {
  let level = [root];
  for (let depth = 0; depth <= bounds.depth; depth += 1) {
    yield* level;
    const names = (folder: string) => folders(folder).filter((name) => !skipped.test(name));
    level = level.flatMap((folder) => names(folder).map((name) => join(folder, name)));
    level.splice(bounds.foldersPerLevel);
  }
}

/** A manifest below a workspace is loaded with it, or invalid, unless it is a workspace or excluded. */
function isLoadedAlone(folder: string, text: string, workspaces: ReadonlyMap<string, string>): boolean {
  const above = workspaceAbove(folder, workspaces);
  if (above === undefined || isWorkspace(text)) return true;
  const path = relative(above.folder, folder).split(sep).join('/');
  return excludedBy(above.text).some((name) => path === name || path.startsWith(`${name}/`));
}

function workspaceAbove(folder: string, workspaces: ReadonlyMap<string, string>) {
  for (let at = dirname(folder); at !== dirname(at); at = dirname(at)) {
    const text = workspaces.get(at);
    if (text !== undefined) return { folder: at, text };
  }
  return undefined;
}

function isWorkspace(manifest: string): boolean {
  return /^\s*\[\s*workspace\s*[\].]/m.test(manifest);
}

function excludedBy(manifest: string): string[] {
  const list = /^\s*exclude\s*=\s*\[([^\]]*)\]/gm;
  const words = [...manifest.matchAll(list)].flatMap(([, text = '']) => [
    ...text.matchAll(/["']([^"'\n]+)["']/g),
  ]);
  return words.map(([, word = '']) => word.replace(/^\.\//, '').replace(/\/+$/, ''));
}
