import { setFlagsFromString } from 'node:v8';

/** Number of concurrent calls. */
export type Load = 'few' | 'many';

/**
 * Tunes V8 for a small server with short requests: code is compiled after few calls instead of thousands, and the
 * young generation stays small. Under many concurrent calls it may grow, since their data would not fit a small one and
 * would be copied again and again.
 */
export function tuneEngine(load: Load): void {
  const node = Number.parseInt(process.versions.node, 10);
  for (const { flag, newest } of [...flags, ...growth[load]]) if (node <= newest) setFlagsFromString(flag);
}

/** `newest` is the newest Node it was tested with: V8 prints an error to stderr for an unknown flag. */
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
