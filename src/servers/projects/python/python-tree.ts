import { relative, sep } from 'node:path';

/** The modules of Python below a folder, as a tree of folders and files. */
export class PythonTree {
  readonly top: PythonNode = newNode('', undefined);
  readonly #byName = new Map<string, PythonNode[]>();

  /** Only files below the root that have code of Python, stubs and links included, count. */
  constructor(root: string, files: Iterable<string>) {
    for (const file of files) {
      const parts = relative(root, file).split(sep);
      if (parts[0] !== '..') this.#add(parts);
    }
  }

  #add(parts: readonly string[]): void {
    let at = this.top;
    for (const part of parts.slice(0, -1)) at = this.#child(at, part);
    const name = (parts.at(-1) ?? '').replace(/\.pyi?$/, '');
    if (name === '__init__') at.isWhole = true;
    else this.#child(at, name).isWhole = true;
  }

  #child(above: PythonNode, name: string): PythonNode {
    const known = above.below.get(name);
    if (known) return known;
    const made = newNode(name, above);
    above.below.set(name, made);
    const alike = this.#byName.get(name);
    if (alike) alike.push(made);
    else this.#byName.set(name, [made]);
    return made;
  }

  /** Returns what a path below the root leads to; `undefined` if there is no code below it. */
  at(parts: readonly string[]): PythonNode | undefined {
    return parts.reduce<PythonNode | undefined>((node, part) => node?.below.get(part), this.top);
  }

  /** Returns everything that a dotted name may mean to a file somewhere. */
  meantBy(names: readonly string[]): readonly PythonNode[] {
    const alike = this.#byName.get(names.at(-1) ?? '') ?? [];
    return alike.filter((node) => startOf(node, names) !== undefined);
  }
}

/** A folder with code, or a module of one file. */
export interface PythonNode {
  readonly name: string;
  readonly above: PythonNode | undefined;
  readonly below: Map<string, PythonNode>;
  /** It is a module, or a package with an `__init__`: nothing else can be a part of it. */
  isWhole: boolean;
}

/** True if a node is another, or lies below it. */
export function isWithin(node: PythonNode | undefined, other: PythonNode): boolean {
  return node !== undefined && (node === other || isWithin(node.above, other));
}

function newNode(name: string, above: PythonNode | undefined): PythonNode {
  return { name, above, below: new Map(), isWhole: false };
}

/** Returns the folder from which a dotted name leads to a node, if its last names are those. */
function startOf(node: PythonNode, names: readonly string[]): PythonNode | undefined {
  let at: PythonNode | undefined = node;
  for (const name of [...names].reverse()) {
    if (at?.name !== name) return undefined;
    at = at.above;
  }
  return at;
}
