import { dirname, join } from 'node:path';
import type { Span } from '../../core/question.ts';
import { exportedWords } from '../../source-text/exports.ts';
import { isScript } from '../../source-text/imports.ts';
import type { NamePath } from '../../source-text/names/name-paths.ts';
import { withoutEnding } from '../../source-text/paths/path-resolution.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { BoundPaths } from './bound-paths.ts';

/**
 * Tells which paths of names lead to a symbol: those of modules of Python, and handlers, as `src/cart.total` in a
 * configuration of AWS Lambda, which a script exports.
 */
export class NamedSymbol {
  readonly #context: ToolContext;
  readonly #name: string;
  readonly #known: readonly Span[];
  readonly #paths: BoundPaths;

  constructor(context: ToolContext, name: string, known: readonly Span[]) {
    this.#context = context;
    this.#name = name;
    this.#known = known;
    this.#paths = new BoundPaths(context, known);
  }

  /** True if a path in a file leads to the symbol. */
  async is(file: string, path: NamePath): Promise<boolean> {
    return (await this.#paths.has(path)) || this.#isHandled(file, path);
  }

  /** True if a file that a configuration names exports the symbol: one beside it, or the only one with that path. */
  async #isHandled(from: string, { handler }: NamePath): Promise<boolean> {
    if (!handler) return false;
    const { file, folders } = handler;
    const named = new Set(folders.map((folder) => join(dirname(from), folder, file)));
    const scripts = [...this.#context.workspace.files()].filter(isScript);
    const exact = scripts.filter((one) => named.has(withoutEnding(one)));
    const ending = `/${file.replace(/^(?:\.{1,2}\/)+/, '')}`;
    const found = exact.length > 0 ? exact : scripts.filter((one) => withoutEnding(one).endsWith(ending));
    const [only, ...others] = found;
    return only !== undefined && others.length === 0 && this.#isExportedBy(only);
  }

  async #isExportedBy(path: string): Promise<boolean> {
    const own = this.#known.filter((span) => span.path === path);
    const document = own.length > 0 ? await documentAt(this.#context, path) : undefined;
    if (!document) return false;
    const words = new Set(exportedWords(path, document.text, this.#name).map(({ offset }) => offset));
    return own.some(({ range }) => words.has(document.offsetAt(range.start)));
  }
}
