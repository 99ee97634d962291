import path from 'node:path';
import { groupBy } from '../core/runtime/group-by.ts';
import { pythonFilesAt, splitPythonModule } from './module-files.ts';

/** The modules of Python in a workspace. */
export class PythonModules {
  readonly #files: ReadonlySet<string>;
  readonly #byName: ReadonlyMap<string, readonly string[]>;
  /** Names of all files and folders on the way to a module. */
  readonly #names: ReadonlySet<string>;

  constructor(files: ReadonlySet<string>) {
    this.#files = files;
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
    return nearest(found, from);
  }

  /** True if no file or folder of the workspace has the first name of a module. */
  isForeign(module: string): boolean {
    const [first = ''] = module.split('.');
    return first !== '' && !this.#names.has(first);
  }
}

function nameOf(file: string): string {
  return path.basename(file.replace(/\/__init__\.pyi?$/, '.py')).replace(/\.pyi?$/, '');
}

/** Of files below different folders, those win whose folder is on the way to the file that imports, or its `src`. */
function nearest(found: readonly string[], from: string): readonly string[] {
  if (found.length < 2) return found;
  const shared = found.map((file) => sharedLength(file, from));
  const most = Math.max(...shared);
  return found.filter((_, index) => shared[index] === most);
}

function sharedLength(a: string, b: string): number {
  const [one, other] = [a.split('/'), b.split('/')];
  const end = one.findIndex((part, index) => part !== other[index]);
  return end < 0 ? one.length : end;
}
