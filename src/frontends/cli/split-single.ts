import { usageError } from './usage-error.ts';

/** The words of `lspan -e EXT… -s COMMAND [ARG…]`, separated. */
export interface SingleWords {
  readonly extensions: readonly string[];
  readonly command: readonly string[];
  /** All other flags, including `-w`. */
  readonly rest: readonly string[];
}

/** Separates the extensions and the server's command from our flags; the server's own flags are not parsed. */
export function splitSingle(words: readonly string[]): SingleWords {
  const extensions: string[] = [];
  const command: string[] = [];
  const rest: string[] = [];
  for (let at = 0; at < words.length; ) {
    const { flag, joined } = readFlag(words[at] ?? '');
    const taken = [...joined, ...wordsFor(flag, words.slice(at + 1), joined)];
    if (flag === 'extension') extensions.push(...taken);
    if (flag === 'server' && command.length > 0) throw usageError('-s is given twice.', 'single');
    if (flag === 'server') command.push(...taken);
    if (flag === undefined && words[at] !== '--') rest.push(words[at] ?? '');
    at += 1 + taken.length - joined.length;
  }
  return { extensions, command, rest };
}

/** Parses `-e`, `--extension`, `--extension=ts`, and likewise `-s` and `--server`. */
function readFlag(word: string): {
  readonly flag?: 'extension' | 'server';
  readonly joined: readonly string[];
} {
  const [, name, value] = /^(-e|--extension|-s|--server)(?:=(.*))?$/s.exec(word) ?? [];
  if (name === undefined) return { joined: [] };
  return {
    flag: name.endsWith('s') || name === '--server' ? 'server' : 'extension',
    joined: value === undefined ? [] : [value],
  };
}

function wordsFor(
  flag: 'extension' | 'server' | undefined,
  following: readonly string[],
  joined: readonly string[],
): readonly string[] {
  if (flag === undefined || (flag === 'extension' && joined.length > 0)) return [];
  const isEnd = flag === 'server' ? endsServer : (word: string) => word.startsWith('-');
  const end = following.findIndex(isEnd);
  return end === -1 ? following : following.slice(0, end);
}

function endsServer(word: string): boolean {
  return /^(-e|--extension(=.*)?|-w|--workspace(=.*)?|--)$/s.test(word);
}
