import { dirname } from 'node:path';
import type { Span } from '../../core/question.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import { Pace } from '../../core/runtime/slices.ts';
import { PythonBindings } from '../../source-text/enclosing/python-bindings.ts';
import { isPython } from '../../source-text/imports.ts';
import type { NamePath } from '../../source-text/names/name-paths.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';

/** A name that a symbol has: of a module of Python, or of a class in one. */
interface Binding {
  /** The path of the file without its ending, or of the folder of a package. */
  readonly module: string;
  readonly holders: readonly string[];
}

/** Tells which paths of names, as `mock.patch` takes them, lead to a symbol by what its uses bind. */
export class BoundPaths {
  readonly #context: ToolContext;
  readonly #spans: readonly Span[];
  #bindings: Promise<readonly Binding[]> | undefined;
  #modules: ReadonlySet<string> | undefined;
  readonly #packages = new Set<string>();
  /** Modules by the path of names that leads to them from a folder in which imports begin. */
  readonly #found = new Map<string, string | undefined>();

  constructor(context: ToolContext, spans: readonly Span[]) {
    this.#context = context;
    this.#spans = spans;
  }

  /** True if names lead to the symbol. Other texts may look like the path of a module without a package. */
  async has({ names, depth: modules, isCertain }: NamePath): Promise<boolean> {
    this.#bindings ??= this.#read();
    for (const { module, holders } of await this.#bindings) {
      const depth = names.length - holders.length;
      if (modules !== undefined && depth !== modules) continue;
      if (depth < (isCertain ? 1 : 2) || names.slice(depth).join('.') !== holders.join('.')) continue;
      const path = `/${names.slice(0, depth).join('/')}`;
      if (module.endsWith(path) && this.#moduleAt(path) === module) return true;
    }
    return false;
  }

  /** Returns where modules bind the symbol, each once. */
  async #read(): Promise<readonly Binding[]> {
    const found = new Map<string, Binding>();
    const pace = new Pace();
    for (const [path, spans] of groupBy(this.#spans, (span) => span.path)) {
      const document = isPython(path) ? await documentAt(this.#context, path) : undefined;
      if (!document) continue;
      const bindings = new PythonBindings(document);
      const module = moduleOf(path);
      for (const { range } of spans) {
        if (pace.isLate()) await pace.rest();
        const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
        const holders = bindings.holdersAt(start, document.text.slice(start, end));
        if (holders) found.set([module, ...holders].join('\n'), { module, holders });
      }
    }
    return [...found.values()];
  }

  /** Returns the only module with a path below a folder in which imports begin; `undefined` if there are several. */
  #moduleAt(path: string): string | undefined {
    if (!this.#found.has(path)) {
      const found = [...this.#allModules()].filter(
        (module) => module.endsWith(path) && this.#beginsImports(module.slice(0, -path.length)),
      );
      this.#found.set(path, found.length === 1 ? found[0] : undefined);
    }
    return this.#found.get(path);
  }

  #allModules(): ReadonlySet<string> {
    if (this.#modules) return this.#modules;
    const files = [...this.#context.workspace.files()].filter(isPython);
    for (const file of files) if (/\/__init__\.pyi?$/.test(file)) this.#packages.add(dirname(file));
    this.#modules = new Set(files.map(moduleOf));
    return this.#modules;
  }

  /** True for a folder that is no package; above a root, only for the parent of one that is a package. */
  #beginsImports(folder: string): boolean {
    if (this.#packages.has(folder)) return false;
    const { roots } = this.#context.workspace;
    const isInside = roots.some((root) => folder === root || folder.startsWith(`${root}/`));
    return isInside || roots.some((root) => dirname(root) === folder && this.#packages.has(root));
  }
}

function moduleOf(path: string): string {
  return path.replace(/(?:\/__init__)?\.pyi?$/, '');
}
