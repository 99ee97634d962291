import { homedir } from 'node:os';

/** Replaces the user's home folder by `~` in a message to an agent, so that it does not reveal the user's name. */
export function hideHome(text: string, home: string = homedir()): string {
  return home.length > 1 ? text.replaceAll(home, '~') : text;
}
