import type { Document } from '../../workspace/texts/document.ts';

/** How the lines of a text are indented. */
export interface Indentation {
  readonly tabSize: number;
  readonly insertSpaces: boolean;
}

/** Tells from a text itself how it is indented, as editors do: tabs or spaces, whichever more lines begin with, and the commonest step. */
export function detectIndentation(document: Document): Indentation {
  const steps = new Map<number, number>();
  let [tabs, spaces, before] = [0, 0, 0];
  for (let index = 0; index < Math.min(document.lineCount, mostLines); index += 1) {
    const [, indent = '', rest] = /^([ \t]*)(.?)/.exec(document.line(index)) ?? [];
    if (rest === '') continue;
    // The lines of a comment are indented by one more.
    if (rest === '*') continue;
    if (indent.includes('\t')) tabs += 1;
    else if (indent !== '') spaces += 1;
    const step = Math.abs(indent.length - before);
    if (!indent.includes('\t') && step > 1 && step <= widest) steps.set(step, (steps.get(step) ?? 0) + 1);
    before = indent.includes('\t') ? 0 : indent.length;
  }
  const [commonest] = [...steps].sort(([a, often], [b, other]) => other - often || a - b);
  return { tabSize: tabs > spaces ? usual : (commonest?.[0] ?? usual), insertSpaces: tabs <= spaces };
}

const usual = 4;
const widest = 8;
const mostLines = 10_000;
