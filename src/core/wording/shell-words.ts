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

/** Returns an instruction such as `install` of a server definition without the commands of other platforms. */
export function instructionHere(instruction: string, platform: NodeJS.Platform = process.platform): string {
  const other = `\`${platform === 'darwin' ? 'apt' : 'brew'} [^\`]*\``;
  return instruction
    .replace(new RegExp(`^Install it with ${other}, or see `), 'See ')
    .replace(new RegExp(`, ${other}|${other}, `), '');
}

/**
 * Returns the command in an instruction such as `install` of a server definition, to be pasted into a shell on this
 * platform; `undefined` if it has none.
 */
export function commandIn(
  instruction: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const [, command] = /`([^`]+ [^`]+)`/.exec(instructionHere(instruction, platform)) ?? [];
  return command?.startsWith('apt ') ? `sudo ${command}` : command;
}
