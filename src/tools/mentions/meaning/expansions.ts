import type { Span } from '../../../core/question.ts';
import { wordAt } from '../../../source-text/words.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';
import { macroAround } from './c-mentions.ts';

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

  /** True if a mention is in the text of such a macro: what the macro becomes is the symbol. */
  async include(mention: Span): Promise<boolean> {
    const macro = await macroAround(this.#context, mention, this.#name);
    if (macro === undefined || macro.isParameter) return false;
    this.#words ??= this.#wordsOfUses();
    return (await this.#words).has(macro.name);
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
