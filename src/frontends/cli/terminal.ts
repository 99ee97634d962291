import { createInterface } from 'node:readline/promises';
import { escapeControls } from '../observe/log.ts';
import { print } from './print.ts';

/** The user at a terminal. */
export interface Terminal {
  /** Asks a question; `undefined` if stdin is not a terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  readonly write: (text: string) => Promise<void>;
}

/** Opens the terminal of this process. */
export function openTerminal(): Terminal {
  const { stdin, stderr } = process;
  const ask = async (question: string) => {
    const reader = createInterface({ input: stdin, output: stderr });
    // End of input or an interruption is not agreement.
    const left = new Promise<string>((resolve) => reader.once('close', () => resolve('')));
    return await Promise.race([reader.question(question), left]).finally(() => reader.close());
  };
  return { ask: stdin.isTTY ? ask : undefined, write: (text) => print(visibleLines(text)) };
}

/** True if an answer means yes. */
export function isYes(answer: string): boolean {
  return /^\s*y(es)?\s*$/i.test(answer);
}

/** Names and lines of files may contain control characters; tabs are harmless. */
function visibleLines(text: string): string {
  return text.replace(/[^\n\t]+/g, escapeControls);
}
