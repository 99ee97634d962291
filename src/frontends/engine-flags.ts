import { setFlagsFromString } from 'node:v8';

/** How many calls are under way at a time. */
export type Load = 'few' | 'many';

/**
 * Tells V8 that this is a small server that answers short questions: code is compiled after few calls rather than
 * after thousands, and the young generation stays small. What many calls hold at a time does not fit a small one, and
 * would be copied over and over: then it may grow.
 */
export function tuneEngine(load: Load): void {
  const node = Number.parseInt(process.versions.node, 10);
  for (const { flag, newest } of [...flags, ...growth[load]]) if (node <= newest) setFlagsFromString(flag);
}

/** With the newest Node that was tried with it: an engine complains on stderr about a flag that it does not have. */
const flags = [
  { flag: '--no-lazy-feedback-allocation', newest: 24 },
  { flag: '--interrupt-budget=8000', newest: 20 },
];

const growth = {
  few: [
    { flag: '--semi-space-growth-factor=1', newest: 24 },
    { flag: '--heap-growing-percent=15', newest: 24 },
  ],
  many: [
    { flag: '--semi-space-growth-factor=2', newest: 24 },
    { flag: '--heap-growing-percent=300', newest: 24 },
  ],
};
