import type { Span } from '../../core/question.ts';
import { cDeclarationAt } from '../../source-text/c-declarations.ts';
import { isAccessed, isC, mayBeGuessed } from '../../source-text/c-files.ts';
import type { Document } from './document.ts';

/**
 * Tells which words of C may be uses of a symbol, as a server says that only guesses: where it knows no symbol, such as in code
 * that is not compiled, it names one that is spelt alike, even a member for the parameter of a function.
 */
export class PlausibleGuesses {
  readonly #read: (path: string) => Promise<Document | undefined>;
  readonly #known: readonly Span[];
  #isMember: Promise<boolean> | undefined;

  /** `known` are uses of the symbol that the server lists. */
  constructor(read: (path: string) => Promise<Document | undefined>, known: readonly Span[]) {
    this.#read = read;
    this.#known = known;
  }

  async include({ path, range: { start, end } }: Span): Promise<boolean> {
    if (!isC(path)) return true;
    const document = await this.#read(path);
    if (!document) return true;
    if (!mayBeGuessed(document.line(start.line), start.character, end.character)) return false;
    // Several programs may define the same name.
    if (cDeclarationAt(path, document.text, document.offsetAt(start)) !== undefined) return false;
    this.#isMember ??= this.#areMembers();
    return !(await this.#isMember);
  }

  async #areMembers(): Promise<boolean> {
    for (const { path, range, standing } of this.#known) {
      const document = standing === 'inside' ? await this.#read(path) : undefined;
      if (document && isAccessed(document.line(range.start.line), range.start.character)) return true;
    }
    return false;
  }
}
