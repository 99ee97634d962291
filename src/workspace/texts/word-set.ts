import { limits } from '../../core/limits.ts';
import { nearestNames } from '../../core/wording/nearest-name.ts';
import { wordsOf } from '../../source-text/words.ts';

/** Returns the hashes of the words of a text, sorted and unique. Different words seldom have the same hash. */
export function wordHashes(bytes: Uint8Array, scratch: WordSet): Uint32Array {
  scratch.begin();
  for (let at = 0; at < bytes.length; ) {
    let kinds = kindOf[bytes[at] ?? 0] ?? 0;
    if (kinds === 0) {
      at += 1;
      continue;
    }
    const start = at;
    let hash = seed;
    for (let kind = kinds; kind !== 0; kind = kindOf[bytes[at] ?? 0] ?? 0) {
      kinds |= kind;
      hash = Math.imul(hash ^ (bytes[at] ?? 0), prime);
      at += 1;
    }
    if (kinds > plain) addUnusual(scratch, bytes.subarray(start, at));
    else if (!isDigit(bytes[start] ?? 0)) scratch.add(hash >>> 0);
  }
  return scratch.sorted();
}

/** Returns the hashes of the words of a name; empty if it contains no word that texts are indexed by. */
export function wordsOfName(name: string): readonly number[] {
  return [...new Set(wordsIn(name).map(hashOf))];
}

/** Returns the words of a name in lower case, which may be parts of longer words; empty if it contains none. */
export function searchedParts(name: string): readonly string[] {
  return wordsIn(name.toLowerCase());
}

/** Returns whether a text contains each of these parts, in any case. */
export function containsParts(text: string, parts: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return parts.every((part) => lower.includes(part));
}

/** Returns the words of a text that may be another spelling of a word. */
export function wordsLike(text: string, word: string): readonly string[] {
  const all = new Set(wordsOf(text).map((each) => each.text));
  return nearestNames(word, all, limits.resembling.words);
}

/** A set of numbers that is reused for every text, since there are thousands. */
export class WordSet {
  #numbers = new Uint32Array(1 << 12);
  /** The round in which each slot was filled, so that a new round begins without clearing. */
  #rounds = new Uint32Array(1 << 12);
  #round = 0;
  #size = 0;

  begin(): void {
    this.#round += 1;
    this.#size = 0;
  }

  add(number: number): void {
    const mask = this.#numbers.length - 1;
    let slot = number & mask;
    while (this.#rounds[slot] === this.#round) {
      if (this.#numbers[slot] === number) return;
      slot = (slot + 1) & mask;
    }
    this.#numbers[slot] = number;
    this.#rounds[slot] = this.#round;
    this.#size += 1;
    if (this.#size * 2 > this.#numbers.length) this.#grow();
  }

  sorted(): Uint32Array {
    const found = new Uint32Array(this.#size);
    let length = 0;
    for (let slot = 0; slot < this.#numbers.length && length < this.#size; slot += 1)
      if (this.#rounds[slot] === this.#round) found[length++] = this.#numbers[slot] ?? 0;
    return found.sort();
  }

  #grow(): void {
    const numbers = this.sorted();
    this.#numbers = new Uint32Array(this.#numbers.length * 2);
    this.#rounds = new Uint32Array(this.#numbers.length);
    this.#round = 0;
    this.begin();
    for (const number of numbers) this.add(number);
  }
}

// FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/
const seed = 0x811c9dc5;
const prime = 0x01000193;

const plain = 1;
const unusual = 2;

/** By byte: part of a plain word, of a word that needs a closer look (`$`, and all beyond ASCII), or of none. */
const kindOf = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80 || byte === 0x24) return unusual;
  return /\w/.test(String.fromCharCode(byte)) ? plain : 0;
});

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function addUnusual(scratch: WordSet, run: Uint8Array): void {
  for (const word of wordsIn(Buffer.from(run).toString('utf8'))) scratch.add(hashOf(word));
}

/** Returns the words of a text; `$` belongs to names in some languages and not in others, so both are words. */
function wordsIn(text: string): string[] {
  return wordsOf(text).flatMap(({ text: whole }) =>
    whole.includes('$') ? [whole, ...whole.split('$').filter((part) => /^[^\d]/.test(part))] : [whole],
  );
}

function hashOf(text: string): number {
  let hash = seed;
  for (const byte of Buffer.from(text, 'utf8')) hash = Math.imul(hash ^ byte, prime);
  return hash >>> 0;
}
