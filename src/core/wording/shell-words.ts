/** Returns a word as a shell reads it unchanged. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Splits a command into words as a shell does, without its expansions; `undefined` if a quote is not closed. */
export function splitWords(command: string): readonly string[] | undefined {
  const words: string[] = [];
  let rest = command.trimStart();
  while (rest !== '') {
    const [word] = wholeWord.exec(rest) ?? [];
    if (word === undefined) return undefined;
    words.push(word.replace(part, (_, single, double, escaped) => single ?? unescaped(double) ?? escaped));
    rest = rest.slice(word.length).trimStart();
  }
  return words;
}

/** A text in single quotes, one in double quotes, or an escaped character. */
const part = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs;

const wholeWord = /^(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+(?=\s|$)/s;

/** Within double quotes, a backslash stays before any other character. */
function unescaped(text: string | undefined): string | undefined {
  return text?.replace(/\\(["\\$`])/g, '$1');
}

/**
 * Returns the command in an instruction such as `install` of a server definition, to be pasted into a shell, the one of
 * this platform if there are several; `undefined` if it has none.
 */
export function commandIn(
  instruction: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const commands = [...instruction.matchAll(/`([^`]+ [^`]+)`/g)].map(([, command]) => command ?? '');
  const other = platform === 'darwin' ? 'apt ' : 'brew ';
  const best = commands.find((command) => !command.startsWith(other)) ?? commands[0];
  return best?.startsWith('apt ') ? `sudo ${best}` : best;
}
