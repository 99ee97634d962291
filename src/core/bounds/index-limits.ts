const KiB = 1024;
const MiB = 1024 * KiB;
const seconds = 1_000;

/**
 * An index of repositories: bytes of one part of its file, of a symbol, of the documentation of one; symbols that an
 * import remembers, rows that are written at once, and that wait to be put in order; files of a store before they are
 * merged; documents of an answer.
 */
export const indexLimits = {
  part: 64 * MiB,
  symbol: 16 * KiB,
  name: 1 * KiB,
  documentation: 4 * KiB,
  remembered: 120_000,
  rows: 40,
  ordered: 15_000,
  sentAtOnce: 2_000,
  segments: 6,
  attached: 8,
  cachePages: 128 * KiB,
  importCache: 24 * MiB,
  documents: 5_000,
  found: 1_000,
  packedRefs: 16 * MiB,
  lines: 64,
  writing: 10 * seconds,
  fileTime: 10,
  object: 5 * seconds,
  gitEnds: 20,
  retry: 20,
  progressEvery: 500,
  connections: 4,
  connect: 5 * seconds,
  idle: 60 * seconds,
  statement: 10 * seconds,
  closing: 1 * seconds,
  shownFiles: 20,
  /**
   * How many names of a file, and which share of them, must stand where an index says so that it was made of that text: some are
   * not written where they are meant, as constructors and defaults.
   */
  fit: { names: 5, share: 0.3 },
} as const;
