/** Returns a word as a shell reads it unchanged. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
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
