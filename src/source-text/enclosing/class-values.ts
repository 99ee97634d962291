import { isPython } from '../imports.ts';
import { lexicalAt } from '../lexical.ts';

/** The text before and after a name on its line. */
export interface LineAround {
  readonly before: string;
  readonly after: string;
}

/** Returns where the text of a class between two offsets makes an instance of whatever class it is called on. */
export function makingsIn(file: string, text: string, from: number, to: number): readonly number[] {
  const making = isPython(file) ? inPython : /\.(?:php|phtml)$/.test(file) ? inPhp : undefined;
  if (!making) return [];
  const offsets = [...text.slice(from, to).matchAll(making)].map(({ index }) => from + index);
  const kinds = lexicalAt(file, text, offsets);
  return offsets.filter((_, index) => kinds[index] === 'code');
}

const inPython = /(?<![\w.])(?:cls|type\((?:self|cls)\)|self\.__class__|__class__)(?=\()/g;
const inPhp = /(?<=\bnew\s{1,9})(?:static|self)\b/g;

/** True if a class of Python is a value: assigned, returned, in a collection, or given to a function that may call it. */
export function isPassedOn(file: string, { before, after }: LineAround): boolean {
  if (!isPython(file) || !/^\s*(?:[,)\]}#]|$)/.test(after) || imported.test(before)) return false;
  if (assigned.test(before) || keyed.test(before)) return true;
  const opened = openedBefore(before);
  if (opened === undefined) return false;
  const outside = before.slice(0, opened);
  return before[opened] === '(' && /\w$/.test(outside) && !ofTypes.test(outside);
}

const imported = /^\s*(?:from\s|import\s)|\bclass\s+$/;
const assigned = /(?:^|[^=!<>:])=\s*$|\b(?:return|yield|raise|lambda[^:]*:|or|else)\s+$/;
/** After a string that is a key. */
const keyed = /["']\s*:\s*$/;
/** Functions that take a class to ask about it, and headers. */
const ofTypes =
  /(?:\b(?:isinstance|issubclass|cast|TypeVar|NewType|super|except|raises|assertRaises\w*|suppress|Literal|get_type_hints)|\b(?:def|class)\s+\w+)$/;

/** Returns where the bracket is that is open at the end of a line. */
function openedBefore(line: string): number | undefined {
  let depth = 0;
  for (let at = line.length - 1; at >= 0; at -= 1) {
    if (/[)\]}]/.test(line[at] ?? '')) depth += 1;
    else if (/[([{]/.test(line[at] ?? '')) {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return undefined;
}
