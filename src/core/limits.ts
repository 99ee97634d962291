const KiB = 1024;
const MiB = 1024 * KiB;
const seconds = 1_000;
const minutes = 60 * seconds;

/** Every bound of lspan, in one table. Times are milliseconds, sizes are bytes unless named otherwise. */
export const limits = {
  call: { deadline: 30 * seconds, readiness: 20 * seconds, progressEvery: 5 * seconds },
  initialize: { timeout: 30 * seconds },
  frame: { header: 8 * KiB, body: 64 * MiB, depth: 256, strayLines: 100, strayBytes: 64 * KiB },
  writeQueue: 16 * MiB,
  stderrRing: 64 * KiB,
  stderrLinesPerSecond: 200,
  emptyAnswer: { attempts: 3, wait: 150 },
  diagnostics: { warm: 5 * seconds, cold: 15 * seconds, quiet: 150 },
  document: 4 * MiB,
  documentCache: 32 * MiB,
  openDocuments: 200,
  loadedProjects: 32,
  stdioLine: 4 * MiB,
  stdioDepth: 256,
  results: { page: 200, total: 20_000, lineLength: 200 },
  tokens: { default: 4_000, most: 20_000, bytesPerToken: 3.5 },
  servers: { running: 8, idle: 10 * minutes },
  restart: { backoffFirst: 250, backoffMost: 8 * seconds, crashes: 5, window: 3 * minutes, halfOpen: 60 * seconds },
  stop: { shutdown: 2 * seconds, exit: 1 * seconds, terminate: 1 * seconds, hurried: 500 },
  pathfinder: { request: 15 * seconds },
  barrier: { late: 500 },
  scan: { files: 200_000, time: 10 * seconds },
} as const;
