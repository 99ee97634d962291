import { sep } from 'node:path';

/** The modules of Python below a folder, as a tree of folders and files. */
export class PythonTree {
  readonly #top: PythonNode = newNode('', undefined);
  readonly #byName = new Map<string, PythonNode[]>();
  readonly #folders = new Map<string, PythonNode>([['', this.#top]]);

  /** Only files below the root that have code of Python, stubs and links included, count. */
  constructor(root: string, files: Iterable<string>) {
    const start = root.endsWith(sep) ? root : `${root}${sep}`;
    for (const file of files) if (file.startsWith(start)) this.#add(file.slice(start.length));
  }

  #add(file: string): void {
    const end = file.lastIndexOf(sep);
    const folder = this.#folder(end < 0 ? '' : file.slice(0, end));
    const name = moduleName(file.slice(end + 1));
    if (name === '__init__') folder.isWhole = true;
    else this.#child(folder, name).isWhole = true;
  }

  #folder(path: string): PythonNode {
    const known = this.#folders.get(path);
    if (known) return known;
    const end = path.lastIndexOf(sep);
    // The stubs of a package count as the package.
    const name = path.slice(end + 1).replace(/-stubs$/, '');
    const made = this.#child(this.#folder(end < 0 ? '' : path.slice(0, end)), name);
    this.#folders.set(path, made);
    return made;
  }

  #child(above: PythonNode, name: string): PythonNode {
    const known = above.below.get(name);
    if (known) return known;
    const made = newNode(name, above);
    if (above.below === nothing) above.below = new Map();
    above.below.set(name, made);
    const alike = this.#byName.get(name);
    if (alike) alike.push(made);
    else this.#byName.set(name, [made]);
    return made;
  }

  /** Returns what a path below the root leads to; `undefined` if there is no code below it. */
  at(parts: readonly string[]): PythonNode | undefined {
    return parts.reduce<PythonNode | undefined>((node, part) => node?.below.get(part), this.#top);
  }

  /** Returns everything of a name, at any depth. */
  named(name: string): readonly PythonNode[] {
    return this.#byName.get(name) ?? [];
  }
}

/** A folder with code, or a module of one file. */
export interface PythonNode {
  readonly name: string;
  readonly above: PythonNode | undefined;
  below: Map<string, PythonNode>;
  /** It is a module, or a package with an `__init__`: nothing else can be a part of it. */
  isWhole: boolean;
}

/** True if a node is another, or lies below it. */
export function isWithin(node: PythonNode | undefined, other: PythonNode): boolean {
  return node !== undefined && (node === other || isWithin(node.above, other));
}

function newNode(name: string, above: PythonNode | undefined): PythonNode {
  return { name, above, below: nothing, isWhole: false };
}

/** Compiled modules have the version that they are for in their names: `one.cpython-311-x86_64-linux-gnu.so`. */
function moduleName(file: string): string {
  const isCompiled = file.endsWith('.so') || file.endsWith('.pyd');
  return isCompiled ? (file.split('.', 1)[0] ?? '') : file.replace(/\.py[iwx]?$/, '');
}

/** Most nodes are files. */
const nothing = new Map<string, PythonNode>();
