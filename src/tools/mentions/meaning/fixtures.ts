import { basename, dirname, join, sep } from 'node:path';
import type { Span } from '../../../core/question.ts';
import { isPython } from '../../../source-text/imports.ts';
import {
  declaredFixture,
  fixtureNameAt,
  fixtureRequestAt,
  isTestModule,
} from '../../../source-text/names/pytest-fixtures.ts';
import { occurrences } from '../../../source-text/words.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';
import type { Meaning } from './imported-symbol.ts';
import { type SearchedSymbol, wordsOfPython } from './searched-symbol.ts';

/** Knows whether a symbol is a fixture of pytest, and which parameters and strings may ask for it by its name. */
export class Fixtures {
  readonly #context: ToolContext;
  readonly #symbol: SearchedSymbol;
  /** By folder: the files of fixtures for all tests below, the nearest first. */
  readonly #shared = new Map<string, Promise<readonly Document[]>>();
  #declared: Promise<Declaration | undefined> | undefined;

  constructor(context: ToolContext, symbol: SearchedSymbol) {
    this.#context = context;
    this.#symbol = symbol;
  }

  /** Returns what a mention means that asks for a fixture of the name; `undefined` if it does not. */
  async meaningOf({ path, range }: Span): Promise<Meaning | undefined> {
    const document = isPython(path) ? await documentAt(this.#context, path) : undefined;
    if (!document) return undefined;
    const word = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
    const request = fixtureRequestAt(path, document.text, word);
    if (!request) return undefined;
    this.#declared ??= this.#declaration();
    const declared = await this.#declared;
    if (!declared) return request.asker === undefined ? 'other_symbol' : undefined;
    const { asker } = request;
    // A fixture may build on the one of its name that it hides.
    if (asker === declared.offset && path === declared.path) return 'other_symbol';
    const isHiding = asker !== undefined && fixtureNameAt(document.text, asker) === this.#symbol.name;
    const files = await this.#filesFor(document, isHiding && path !== declared.path);
    const seen = nearest(files, this.#symbol.name);
    if (seen) return seen === declared.path ? 'unverified' : 'other_symbol';
    return mayReach(declared.path, [document, ...files]) ? 'unverified' : 'other_symbol';
  }

  async #declaration(): Promise<Declaration | undefined> {
    for await (const { document, line, word } of wordsOfPython(this.#context, this.#symbol)) {
      const offset = document.offsetAt({ line, character: word.start });
      if (fixtureNameAt(document.text, offset) === this.#symbol.name) return { path: document.path, offset };
    }
    return undefined;
  }

  /** Returns the files where pytest looks for the fixtures of a file, the nearest first. */
  async #filesFor(document: Document, isHiding: boolean): Promise<readonly Document[]> {
    const folder = dirname(document.path);
    const shared = this.#shared.get(folder) ?? this.#sharedAbove(folder);
    this.#shared.set(folder, shared);
    const others = (await shared).filter(({ path }) => path !== document.path);
    return isHiding ? others : [document, ...others];
  }

  async #sharedAbove(folder: string): Promise<readonly Document[]> {
    const root = this.#context.workspace.rootOf(folder);
    const found: Document[] = [];
    for (let at = folder; root !== undefined && at.length >= root.length; at = dirname(at)) {
      const document = await documentAt(this.#context, join(at, 'conftest.py'));
      if (document) found.push(document);
      if (at === dirname(at)) break;
    }
    return found;
  }
}

/** Returns the first file that declares a fixture of a name; `undefined` if that is not certain. */
function nearest(files: readonly Document[], name: string): string | undefined {
  for (const { path, text } of files) {
    const declared = declaredFixture(text, name);
    if (declared !== undefined) return declared === 'at_top' ? path : undefined;
  }
  return undefined;
}

/** True if what one file declares may be known where pytest looks in others: a plugin is known everywhere. */
function mayReach(declaring: string, files: readonly Document[]): boolean {
  const stem = basename(declaring, '.py');
  const [own] = files;
  if (stem === 'conftest' && own?.path.startsWith(join(dirname(declaring), sep))) return true;
  if (stem !== 'conftest' && !isTestModule(declaring)) return true;
  return files.some(({ path, text }) => path === declaring || occurrences(text, stem).length > 0);
}

/** Where a fixture is declared. */
interface Declaration {
  readonly path: string;
  readonly offset: number;
}
