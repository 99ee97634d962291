import { extname } from 'node:path';

/**
 * True if an offset in a comment or string is in a sample that is run as a test: a block of code in the documentation of
 * Rust, or what follows the prompt of a conversation in Python, Elixir and Haskell.
 */
export function isInDocTest(file: string, text: string, offset: number): boolean {
  const extension = extname(file).slice(1);
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const prompt = prompts[extension]?.exec(lineAt(text, start));
  if (prompt) return start + prompt[0].length <= offset;
  return extension === 'rs' && isInBlock(text, start);
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

/** True if a line of documentation is between fences that mark code which is tested. */
function isInBlock(text: string, start: number): boolean {
  const mark = marks.exec(lineAt(text, start))?.[1];
  if (mark === undefined) return false;
  const above: string[] = [];
  for (let at = start; at > 0; ) {
    at = text.lastIndexOf('\n', at - 2) + 1;
    const found = marks.exec(lineAt(text, at));
    if (found?.[1] !== mark) break;
    above.unshift(found[2] ?? '');
  }
  let open: { readonly fence: string; readonly words: string } | undefined;
  for (const line of above) {
    const [, fence = '', words = ''] = fences.exec(line) ?? [];
    if (!open && fence !== '') open = { fence, words };
    else if (open && words.trim() === '' && fence.startsWith(open.fence)) open = undefined;
  }
  return open?.words.split(/[\s,]+/).every((word) => tested.test(word)) ?? false;
}

const marks = /^\s*(\/\/\/|\/\/!)(?!\/)(.*)/;
const fences = /^\s*(`{3,}|~{3,})([^`]*)$/;
/** What may be said of a block that is compiled all the same. */
const tested = /^(?:rust|should_panic|no_run|compile_fail|standalone_crate|test_harness|edition\d+|E\d{4})?$/;

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return text.slice(start, end === -1 ? undefined : end);
}
