import type { Span } from '../../../core/question.ts';
import { isC } from '../../../source-text/c-files.ts';
import { wordAt } from '../../../source-text/words.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';
import { macroAround } from './c-mentions.ts';
import type { Meaning } from './imported-symbol.ts';

/** Knows the macros of C that a server has expanded: it lists a use of the symbol where the text has the macro. */
export class Expansions {
  readonly #context: ToolContext;
  readonly #name: string;
  readonly #references: readonly Span[];
  #words: Promise<ReadonlySet<string>> | undefined;

  constructor(context: ToolContext, name: string, references: readonly Span[]) {
    this.#context = context;
    this.#name = name;
    this.#references = references;
  }

  /**
   * Returns what a mention in the definition of a macro means: a parameter is something else, whatever a server guesses by the
   * files that it has read, and the text of a macro that was expanded is the symbol. `undefined` if that is not known.
   */
  async meaningOf(mention: Span): Promise<Meaning | undefined> {
    const macro = isC(mention.path) ? await macroAround(this.#context, mention, this.#name) : undefined;
    if (macro === undefined) return undefined;
    if (macro.isParameter) return 'other_symbol';
    this.#words ??= this.#wordsOfUses();
    return (await this.#words).has(macro.name) ? 'use' : undefined;
  }

  async #wordsOfUses(): Promise<ReadonlySet<string>> {
    const words = new Set<string>();
    for (const { path, range, standing } of this.#references) {
      const document = standing === 'inside' ? await documentAt(this.#context, path) : undefined;
      const word = document && wordAt(document.line(range.start.line), range.start.character);
      if (word !== undefined && word !== this.#name) words.add(word);
    }
    return words;
  }
}
