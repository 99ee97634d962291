import { setFlagsFromString } from 'node:v8';

/**
 * Tells V8 that this is a small server that answers short questions: code is compiled after few calls rather than
 * after thousands, and the young generation stays small.
 */
export function tuneEngine(): void {
  const node = Number.parseInt(process.versions.node, 10);
  for (const { flag, newest } of flags) if (node <= newest) setFlagsFromString(flag);
}

/** With the newest Node that was tried with it: an engine complains on stderr about a flag that it does not have. */
const flags = [
  { flag: '--no-lazy-feedback-allocation', newest: 24 },
  { flag: '--interrupt-budget=8000', newest: 20 },
  { flag: '--semi-space-growth-factor=1', newest: 24 },
  { flag: '--heap-growing-percent=15', newest: 24 },
];
