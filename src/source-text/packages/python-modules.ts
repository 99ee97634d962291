import path from 'node:path';
import { groupBy } from '../../core/runtime/group-by.ts';
import type { ReadFile } from './compiler-options.ts';
import { pythonFilesAt, splitPythonModule } from './module-files.ts';

/** A name that a project of Python installs, and the folder that has it, if that is called otherwise. */
export interface InstalledName {
  readonly name: string;
  readonly folder?: string;
}

/** Reads the names that the projects of Python among files install: their own, and those that they give to folders. */
export async function readInstalledNames(
  files: Iterable<string>,
  read: ReadFile,
): Promise<readonly InstalledName[]> {
  const manifests = [...files].filter((file) => /\/(?:pyproject\.toml|setup\.cfg|setup\.py)$/.test(file));
  const found = await Promise.all(
    manifests.map(async (file) => {
      const text = (await read(file)) ?? '';
      const own = [...text.matchAll(/\bname\s*=\s*["']?([\w.-]+)/g)].map(([, name = '']) => ({
        name: name.replace(/[-.]/g, '_'),
      }));
      return [...own, ...folderNames(text, path.dirname(file))];
    }),
  );
  return found.flat();
}

function folderNames(text: string, base: string): InstalledName[] {
  const tables = text.matchAll(/\bpackage[-_]dir\b[^\n]*(?:\n(?![[\n]|\w+\s*=\s*$)[^\n]*)*/g);
  return [...tables].flatMap(([table]) =>
    [...table.matchAll(/["']?\b(\w[\w.]*)["']?\s*[=:]\s*["']?([\w./-]+)/g)].flatMap(
      ([, name = '', folder = '']) =>
        /^package/.test(name) ? [] : [{ name, folder: path.join(base, folder) }],
    ),
  );
}

/** The modules of Python in a workspace. */
export class PythonModules {
  readonly #files: ReadonlySet<string>;
  readonly #byName: ReadonlyMap<string, readonly string[]>;
  /** Names of all files and folders on the way to a module. */
  readonly #names: ReadonlySet<string>;

  readonly #installed: readonly InstalledName[];

  constructor(files: ReadonlySet<string>, installed: readonly InstalledName[]) {
    this.#files = files;
    this.#installed = installed;
    const modules = [...files].filter((file) => /\.pyi?$/.test(file));
    this.#byName = groupBy(modules, nameOf);
    this.#names = new Set(modules.flatMap((file) => file.replace(/\.pyi?$/, '').split('/')));
  }

  /** Leading dots go up from the folder of the file; another module may be below any folder. */
  sources(module: string, from: string): readonly string[] {
    const { folder, parts } = splitPythonModule(module, from);
    if (folder !== undefined) return pythonFilesAt(folder, parts).filter((file) => this.#files.has(file));
    const tails = pythonFilesAt('/', parts);
    const found = (this.#byName.get(parts.at(-1) ?? '') ?? []).filter((file) =>
      tails.some((tail) => file.endsWith(tail)),
    );
    return found.length > 0 ? found : this.#inGivenFolders(parts);
  }

  #inGivenFolders([first = '', ...below]: readonly string[]): readonly string[] {
    return this.#installed.flatMap(({ name, folder }) =>
      folder === undefined || name !== first
        ? []
        : pythonFilesAt(folder, below).filter((file) => this.#files.has(file)),
    );
  }

  /** True if no file or folder of the workspace has the first name of a module, and no project installs it. */
  isForeign(module: string): boolean {
    const [first = ''] = module.split('.');
    if (first === '' || this.#names.has(first)) return false;
    return !this.#installed.some(({ name }) => name === first);
  }
}

function nameOf(file: string): string {
  return path.basename(file.replace(/\/__init__\.pyi?$/, '.py')).replace(/\.pyi?$/, '');
}
