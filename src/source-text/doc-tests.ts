import { extname } from 'node:path';

/**
 * Tells what in the comments and strings of a text is in a sample that is run as a test: in a block of code in the
 * documentation of Rust, or behind the prompt of a conversation in Python, Elixir and Haskell.
 */
export class DocTests {
  /** The samples of each line that has one, in order. */
  readonly #samples: readonly Sample[];

  constructor(file: string, text: string) {
    const extension = extname(file).slice(1);
    const prompt = prompts[extension];
    if (prompt) this.#samples = behindPrompts(text, prompt);
    else this.#samples = extension === 'rs' ? inBlocks(text) : [];
  }

  has(offset: number): boolean {
    let [low, high] = [0, this.#samples.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#samples[middle]?.end ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return (this.#samples[low]?.start ?? Number.POSITIVE_INFINITY) <= offset;
  }
}

interface Sample {
  readonly start: number;
  readonly end: number;
}

const python = /^\s*(?:>>>|\.\.\.)\s/;
const elixir = /^\s*(?:iex(?:\(\d+\))?|\.\.\.(?:\(\d+\))?)>\s/;

/** What a line begins with that is run, by extension. */
const prompts: Readonly<Record<string, RegExp>> = {
  py: python,
  pyi: python,
  ex: elixir,
  exs: elixir,
  hs: /^\s*(?:--)?[\s|]*>>>\s/,
};

function behindPrompts(text: string, prompt: RegExp): readonly Sample[] {
  return [...linesOf(text)].flatMap(({ start, line }) => {
    const found = prompt.exec(line);
    return found ? [{ start: start + found[0].length, end: start + line.length }] : [];
  });
}

/** Returns the lines of documentation between fences that mark code which is tested. */
function inBlocks(text: string): readonly Sample[] {
  const samples: Sample[] = [];
  let [mark, open]: [string | undefined, Fence | undefined] = [undefined, undefined];
  for (const { start, line } of linesOf(text)) {
    const [, present, rest = ''] = marks.exec(line) ?? [];
    if (present !== mark) [mark, open] = [present, undefined];
    if (mark === undefined) continue;
    const [, fence = '', words = ''] = fences.exec(rest) ?? [];
    const isEnd = open && words.trim() === '' && fence.startsWith(open.fence);
    if (open?.isTested && !isEnd) samples.push({ start, end: start + line.length });
    if (isEnd) open = undefined;
    else if (!open && fence !== '') open = { fence, isTested: areTested(words) };
  }
  return samples;
}

/** The beginning of a block of code. */
interface Fence {
  readonly fence: string;
  readonly isTested: boolean;
}

const marks = /^\s*(\/\/\/|\/\/!)(?!\/)(.*)/;
const fences = /^\s*(`{3,}|~{3,})([^`]*)$/;

/** True for what may be said of a block that is compiled all the same. */
function areTested(words: string): boolean {
  return words.split(/[\s,]+/).every((word) => tested.test(word));
}

const tested = /^(?:rust|should_panic|no_run|compile_fail|standalone_crate|test_harness|edition\d+|E\d{4})?$/;

function* linesOf(text: string): Iterable<{ readonly start: number; readonly line: string }> {
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end === -1 ? undefined : end);
    yield { start, line };
    start += line.length + 1;
  }
}
