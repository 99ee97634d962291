import { homedir } from 'node:os';

/** Writes `~` for the user's home in a message that an agent will read: whose machine it is, is nobody's business. */
export function hideHome(text: string, home: string = homedir()): string {
  return home.length > 1 ? text.replaceAll(home, '~') : text;
}
