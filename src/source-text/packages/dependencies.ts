import path from 'node:path';
import { importedModules, isPython, isScript, linksOf } from '../imports.ts';
import { isRelative, splitPythonModule } from './module-files.ts';

/** What the text of a file says about the files that its problems depend on. */
export interface FileDependencies {
  /** Keys of the files that it imports, as `keysOfFile` makes them: a file is meant if one of its keys is here. */
  readonly keys: ReadonlySet<string>;
  /** Modules that only packages and configurations lead to a file: `@x/cart`, `#cart`. */
  readonly modules: readonly string[];
  /** True if files that do not import it may use it. */
  readonly isGlobal: boolean;
}

/** Returns whether dependencies can be read from the text of a file. */
export function hasKnownDependencies(file: string): boolean {
  return isPython(file) || isScript(file);
}

/** Reads the dependencies of a script or a file of Python: rather too many than too few. */
export function readDependencies(file: string, text: string): FileDependencies {
  return isPython(file) ? pythonDependencies(file, text) : scriptDependencies(file, text);
}

function scriptDependencies(file: string, text: string): FileDependencies {
  const keys = new Set<string>();
  const modules: string[] = [];
  for (const module of importedModules(file, text)) {
    if (!isRelative(module) && !path.isAbsolute(module)) {
      modules.push(module);
      // A reference by `path=` starts from the folder of the file even without a dot.
      if (!/\breference\s+path/.test(text)) continue;
    }
    const reached = path.resolve(path.dirname(file), module.replace(/[?#].*$/, ''));
    keys.add(reached);
    keys.add(withoutScriptEnding(reached));
  }
  return { keys, modules, isGlobal: !isModule.test(text) || augmenting.test(text) };
}

const isModule = /^\s*(?:import|export)\b|\brequire\s*\(|\bmodule\.exports\b|\bexports\.|<script\b/m;

const augmenting = /\bdeclare\s+(?:global|module)\b|\bexport\s+as\s+namespace\b/;

/** A module of Python may start in any folder: its names alone decide, and those that are imported from it. */
function pythonDependencies(file: string, text: string): FileDependencies {
  const keys = new Set<string>();
  for (const module of importedModules(file, text)) {
    const { folder, parts } = splitPythonModule(module, file);
    for (const part of parts) keys.add(part);
    if (folder !== undefined) keys.add(path.basename(folder));
  }
  for (const { name } of linksOf(file, text)) keys.add(name);
  for (const [, names = ''] of text.matchAll(importedFrom))
    for (const name of names.match(/\w+/g) ?? []) keys.add(name);
  return { keys, modules: [], isGlobal: /^__builtins__\.pyi?$/.test(path.basename(file)) };
}

const importedFrom = /^[ \t]*from[ \t]+[\w.]+[ \t]+import[ \t]*(\([^)]*\)?|(?:\\\n|[^\n])*)/gm;

/** Returns the keys under which imports may mean a file. */
export function keysOfFile(file: string): readonly string[] {
  const folder = path.dirname(file);
  const stems = stemsOf(path.basename(file));
  const paths = [path.basename(file), ...stems].map((name) => path.join(folder, name));
  const parent = path.basename(folder);
  const ofFolder = stems.some((stem) => isFolderFile.test(stem)) ? [folder] : [];
  if (!isPython(file)) return [...paths, ...ofFolder];
  const named = ofFolder.length > 0 ? [parent, parent.replace(/-stubs$/, '')] : stems;
  return [...new Set([...named, ...paths])];
}

/** Returns the names by which a module that leads to another file may mean this one, when it comes or goes. */
export function namesOfFile(file: string): readonly string[] {
  return [...stemsOf(path.basename(file)), path.basename(path.dirname(file))].map(nameKey);
}

/** Returns the key of a module for `namesOfFile`. */
export function nameOfModule(module: string): string {
  return nameKey(withoutScriptEnding(path.basename(module)));
}

function nameKey(name: string): string {
  return `name:${name}`;
}

/** Files that an import of their folder may mean; the manifest of a folder says which others. */
const isFolderFile = /^(?:index|__init__|main|mod|package)$/;

/** Returns a name without its last ending, without the last two, and so on. */
function stemsOf(name: string): string[] {
  const parts = name.split('.');
  return parts.slice(1).map((_, index) => parts.slice(0, parts.length - 1 - index).join('.'));
}

function withoutScriptEnding(file: string): string {
  return file.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
}
