const KiB = 1024;
const MiB = 1024 * KiB;
const seconds = 1_000;
const minutes = 60 * seconds;

/** The limits of frontends: what clients may send, and how long they are waited for. */
export const frontendLimits = {
  /**
   * Compiled code that is kept for later processes: files, bytes of one, how much more work than before makes a new one, and
   * how long one is held in memory after it was read.
   */
  codeCache: { files: 8, largest: 32 * MiB, moreWork: 3, held: 2 * seconds },
  http: {
    header: 16 * KiB,
    headers: 100,
    headersTime: 10 * seconds,
    body: 1 * MiB,
    bodyDepth: 256,
    bodyMembers: 4_096,
    bodyValues: 150_000,
    bodyTime: 20 * seconds,
    checkEvery: 1 * seconds,
    writeTime: 30 * seconds,
    linger: 500,
    response: 512 * KiB,
    envelope: 4 * KiB,
    sockets: 256,
    keepAlive: 60 * seconds,
    inFlight: 128,
    inFlightOfToken: 32,
    streams: 64,
    streamsOfToken: 48,
    requestsOfStranger: 100,
    streamAlive: 15 * seconds,
    tokens: 32,
    tokenFile: 4 * KiB,
    tokenWriting: 10 * seconds,
    tokenSettles: 3 * seconds,
    tokenCheckEvery: 2 * seconds,
    sessions: 32,
    sessionIdle: 30 * minutes,
    sessionRest: 60 * seconds,
    leaving: 2 * seconds,
  },
  stdioLine: 4 * MiB,
  stdioDepth: 256,
  stdioQueue: 16 * MiB,
  logQueue: 1 * MiB,
  progressGap: 100,
  rpc: { inFlight: 128, waiting: 32, id: 256, changedFiles: 1_000, gap: 500 },
  resources: { page: 100, subscriptions: 256, gap: 500 },
  completion: { values: 100, time: 1 * seconds, typed: 1_000 },
  promptArgument: 1_000,
  /** How long a client is waited for that is asked for its folders, at first and after it has told of a change. */
  clientRoots: { first: 2 * seconds, changed: 5 * seconds },
  channelsEndTogether: 250,
  /** Bytes of a file of a client that `lspan setup` changes; lines of a diff around a change; letters of one. */
  setup: { file: 64 * MiB, context: 1, line: 200, around: 60 },
  /** Marks of the progress bar of `lspan install`; languages of a server in its list. */
  install: { bar: 24, languages: 3 },
  leaving: 3 * seconds,
  /** Files and folders of a plain folder that is a workspace without being named as one. */
  plainFolderEntries: 50_000,
  /** One process for all clients of a user. */
  daemon: {
    /** Bytes of the path of a socket on any system. */
    socketPath: { linux: 107, others: 103 },
    /** For one that can be had before lspan serves in its own process. */
    start: 2 * seconds,
    /** For the answer to a hello. */
    hello: 1 * seconds,
    /** For a hello of a daemon that is taken to hang after that, and between the questions whether it is alive. */
    hung: 10 * seconds,
    alive: 5 * seconds,
    /** Unanswered hellos of clients, one after the other, that are as much in that time. */
    silences: 4,
    lookAgain: 20,
    /** Times that a client attaches to a daemon that is leaving. */
    attempts: 3,
    /** Characters of the name of a socket, and the fewest of a value that a client chooses. */
    name: 16,
    nonce: 16,
    /** Without a call; the same for one that no client has used. */
    idle: 20 * minutes,
    unused: 1 * minutes,
    /** Between two looks at its own files. */
    look: 1 * seconds,
    bridges: 32,
    clients: 256,
    requestsOfClient: 128,
    /** Bytes of a message of somebody who has not proved who it is. */
    frameOfStranger: 4 * KiB,
    /** Bytes that a client reads at once. */
    chunk: 64 * KiB,
    unread: 64 * MiB,
    log: 1 * MiB,
    /** Logs that are kept of daemons of earlier builds. */
    logs: 4,
    lastCalls: 20,
    /** Between two views of `lspan status --watch`. */
    watch: 1 * seconds,
    /** For calls in progress, when the daemon is told to leave. */
    drain: 30 * seconds,
  },
  /** lspan at the far end of a command. */
  via: {
    /** For its greeting: a connection may have to be made first. */
    hello: 30 * seconds,
    /** Bytes that others may write before the greeting. */
    noise: 64 * KiB,
    /** For the exit code of a command that gave no greeting, and for its end when its input has ended. */
    lastWords: 500,
    leaving: 2 * seconds,
    /** For the end of the process of a broken connection. */
    earlier: 5 * seconds,
    /** Between two signs of life of the near end, and without one after which the far end leaves. */
    beat: 20 * seconds,
    abandoned: 2 * minutes,
    /** Without a byte of the far end, while it is asked whether it is alive. */
    silence: 20 * seconds,
  },
  /** An examination by `lspan doctor`. */
  doctor: {
    /** Servers that are probed at once, the milliseconds of one, and how often a question is asked until it is ready. */
    atOnce: 2,
    probe: 60 * seconds,
    attempts: 3,
    /** Files that are tried for a symbol, of those that are looked at. */
    samples: 4,
    considered: 200,
    /** Bytes of a file that is good to ask about. */
    sample: { least: 200, most: 32 * KiB },
    /** A language with a smaller share of the files may lack its server. */
    share: 0.1,
    /** Bytes that must be free on a disk; with less than `plenty` it is said. */
    room: { least: 16 * MiB, plenty: 256 * MiB },
    /** The share of the watches in use above which it is said, a number that is enough, and the open files looked at. */
    watches: { share: 0.9, enough: 524_288, descriptors: 20_000 },
    /** Doubts and lines of a server that are shown. */
    shown: 2,
    line: 300,
  },
} as const;
