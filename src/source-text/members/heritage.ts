import { limits } from '../../core/limits.ts';

/**
 * Returns the offsets of the names in the header of a class or an interface of a script, given the offset where its own
 * name ends: those of `B` and `C` in `class A<T> extends x.B<T> implements C {`, and in `type A<T> = x.B<T> & C`.
 */
export function basesAfter(text: string, from: number): readonly number[] {
  const header = text.slice(from, from + limits.mentions.statement);
  const reader = new HeaderReader();
  for (const { 0: token, index } of header.matchAll(tokens)) {
    if (token.startsWith('//') || token.startsWith('/*')) continue;
    if (!reader.take(token, from + index)) break;
  }
  return reader.bases;
}

class HeaderReader {
  bases: readonly number[] = [];
  /** For each open bracket, whether the names in it count: those in `(B & C)` and in `Omit<B, 'c'>` do. */
  readonly #brackets: boolean[] = [];
  #isAlias = false;
  #isExpected = false;
  #last = '';
  /** The bases before an outermost parenthesis, which may turn out to hold parameters. */
  #settled: readonly number[] = [];

  /** Returns false at the end of the header. */
  take(token: string, offset: number): boolean {
    if (opening.has(token)) return this.#open(token);
    if (closing.has(token)) this.#brackets.pop();
    const isHidden = this.#brackets.includes(false);
    if (closing.has(token)) this.#isExpected &&= isHidden;
    else if (isHidden) return true;
    else if (token === '=>') this.bases = this.#settled;
    else if (token === '=') [this.#isAlias, this.#isExpected] = [true, true];
    else if (awaiting.has(token)) this.#isExpected = true;
    // What follows a whole type is the next statement.
    else if (this.#isAlias && !this.#isExpected) return false;
    else if (this.#isExpected && !operators.has(token)) this.#takeType(token, offset);
    return token !== ';' && token !== '=>';
  }

  #open(bracket: string): boolean {
    const isOutermost = this.#brackets.length === 0;
    const isPart = this.#isAlias && this.#isExpected;
    // An object is a part of an alias, and the body of anything else.
    if (bracket === '{' && isOutermost && !isPart) return false;
    if (isOutermost) this.#settled = this.bases;
    const isPassing = bracket === '<' && passing.has(this.#last) && !this.#isExpected;
    this.#brackets.push(bracket === '(' ? isPart : isPassing);
    this.#isExpected ||= isPassing;
    return true;
  }

  #takeType(token: string, offset: number): void {
    if (isName.test(token)) this.bases = [...this.bases, offset + token.lastIndexOf('.') + 1];
    this.#isExpected = false;
    this.#last = token;
  }
}

/** These have the members of what is between their brackets. */
const passing: ReadonlySet<string> = new Set('Omit Partial Pick Readonly Required'.split(' '));

const opening: ReadonlySet<string> = new Set('<([{');
const closing: ReadonlySet<string> = new Set('>)]}');

/** A type follows these. */
const awaiting: ReadonlySet<string> = new Set([',', '&', '|', '?', ':', 'extends', 'implements']);

/** These precede a type. */
const operators: ReadonlySet<string> = new Set(['keyof', 'typeof', 'readonly', 'unique', 'infer']);

const isName = /^[\p{ID_Start}$_]/u;

/** An arrow is no bracket, and a comment or a string has none. */
const tokens =
  /\/\/.*|\/\*[\s\S]*?\*\/|"[^"\n]*"|'[^'\n]*'|`[^`]*`|=>|[<>()[\]{},;=&|?:]|[\p{ID_Continue}$][\p{ID_Continue}$.]*/gu;
