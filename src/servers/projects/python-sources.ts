import { basename, join } from 'node:path';
import { limits } from '../../core/limits.ts';
import type { ProjectFacts } from '../definition.ts';

/**
 * Returns the folders from which the packages of a workspace are imported, so that one finds the sources of another, installed
 * or not. That of the root the server finds by itself. Where two have a module of the same name, the layout does not tell
 * which one is meant, and both are left out.
 */
export function pythonSources(facts: ProjectFacts): readonly string[] {
  const roots = packageFolders(facts).map((folder) => sourceFolder(facts, folder));
  const holders = new Map<string, number>();
  const modules = new Map(roots.map((root) => [root, modulesIn(facts, root)]));
  for (const name of [...modules.values()].flat()) holders.set(name, (holders.get(name) ?? 0) + 1);
  const isClear = (name: string) => holders.get(name) === 1;
  return [...modules].flatMap(([root, names]) => (names.every(isClear) ? [root] : []));
}

/** Returns the folders below the root that have a manifest; tests and what is not the workspace's own are left out. */
function packageFolders({ root, exists, folders }: ProjectFacts): readonly string[] {
  const most = limits.projects.python;
  const found: string[] = [];
  let above: readonly string[] = [root];
  for (let level = 0, read = 0; level < most.levels && read < most.folders; level += 1) {
    read += above.length;
    const below = above.flatMap((folder) =>
      folders(folder)
        .filter((name) => !others.test(name))
        .map((name) => join(folder, name)),
    );
    const isPackage = (folder: string) => manifests.some((name) => exists(join(folder, name)));
    found.push(...below.filter(isPackage));
    above = below.filter((folder) => !isPackage(folder));
  }
  return found;
}

const manifests = ['pyproject.toml', 'setup.py', 'setup.cfg'];
const others =
  /^(?:[._]|(?:node_modules|venv|env|site-packages|vendor|third_party|build|dist|tests?|testing|fixtures|testdata|docs|examples?|templates?)$)/;

/** A package that has no modules yet may get them in `src`. */
function sourceFolder(facts: ProjectFacts, folder: string): string {
  const inner = join(folder, 'src');
  if (facts.exists(join(inner, '__init__.py'))) return folder;
  return facts.exists(inner) || modulesIn(facts, folder).length === 0 ? inner : folder;
}

/** Returns the modules that a folder holds; of a package that is spread over several folders, only the part that is there. */
function modulesIn({ list, folders }: ProjectFacts, folder: string): readonly string[] {
  const hasModules = (inner: string) => list(inner).some((name) => /\.pyi?$/.test(name));
  const packagesIn = (outer: string) => folders(outer).filter((name) => identifier.test(name));
  const scripts = list(folder).filter((name) => name.endsWith('.py') && !tools.has(name));
  const packages = packagesIn(folder).flatMap((name) => {
    const inner = join(folder, name);
    if (hasModules(inner)) return [name];
    return packagesIn(inner).flatMap((part) => (hasModules(join(inner, part)) ? [`${name}.${part}`] : []));
  });
  return [...scripts.map((name) => basename(name, '.py')), ...packages];
}

const identifier = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const tools = new Set(['setup.py', 'conftest.py', 'noxfile.py']);
