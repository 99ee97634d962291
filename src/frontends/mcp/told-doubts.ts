import { limits } from '../../core/limits.ts';
import { BoundedCache } from '../../core/runtime/bounded-cache.ts';
import { lineOpenings } from '../../tools/run/answer-words.ts';

/**
 * Knows the doubts that a conversation was told. A doubt with the same words is told by its first words from then on;
 * one with other words is new, and is told in full. The data of an answer keeps every doubt.
 */
export class ToldDoubts {
  readonly #told = new BoundedCache<readonly string[]>({ count: limits.toldDoubts.kept });

  /** Returns the text of an answer with the short form of each of its lines of doubt that was told before. */
  shorten(text: string, lines: readonly string[]): string {
    if (lines.length === 0) return text;
    const own = new Set(lines);
    const shortened = text.split('\n').map((given) => {
      const line = given.trimStart();
      if (!own.has(line)) return given;
      const indent = given.slice(0, given.length - line.length);
      return indent + this.#tell(line);
    });
    return shortened.join('\n');
  }

  #tell(line: string): string {
    if (this.#told.get(line)) return this.#shortFormOf(line);
    this.#told.set(line, line.split(' '));
    return line;
  }

  /** The fewest words of a line with which no other told line begins, and the mark. */
  #shortFormOf(line: string): string {
    const words = line.split(' ');
    const others = [...this.#told].filter(([other]) => other !== line).map(([, told]) => told);
    const isShared = (length: number) =>
      others.some((other) => words.slice(0, length).every((word, index) => word === other[index]));
    let length = wordsOfOpening + limits.toldDoubts.words;
    while (length < words.length && isShared(length)) length += 1;
    const short = `${words.slice(0, length).join(' ')}${toldBefore}`;
    return short.length < line.length ? short : line;
  }
}

const wordsOfOpening = lineOpenings.doubt.split(' ').length;

const toldBefore = ' … (as told before)';
