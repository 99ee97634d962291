/** How lines of our own begin that the answers of every tool may have: renderers write them, the guard looks for them. */
export const lineOpenings = {
  doubt: 'May be incomplete (',
  adjusted: 'Read as: ',
  nextStep: 'Next: ',
} as const;

/** How a line of our own begins that counts what is listed; a number follows. */
export const countedOpening = '… ';
