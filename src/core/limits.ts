import { frontendLimits } from './bounds/frontend-limits.ts';
import { indexLimits } from './bounds/index-limits.ts';
import { mentionLimits } from './bounds/mention-limits.ts';

const KiB = 1024;
const MiB = 1024 * KiB;
const GiB = 1024 * MiB;
const seconds = 1_000;
const minutes = 60 * seconds;

/** All limits of lspan. Times are in milliseconds, sizes in bytes, unless the name says otherwise. */
export const limits = {
  call: { deadline: 30 * seconds, readiness: 20 * seconds, progressEvery: 5 * seconds },
  /** Shares of the time that a call has left; the rest is for later work. */
  shares: {
    /** For servers that are asked in parallel: a silent one does not cost the answers of the others. */
    servers: 0.8,
    /** For a server before a fallback: if the first stays silent, the next can still answer. */
    firstServer: 0.6,
    readiness: 0.7,
    /** For a question that only adds to an answer: if it takes too long, the answer is given without it. */
    beside: 0.5,
    /** For an answer that takes several requests: after that, it is given as far as it is known. */
    levels: 0.6,
    diagnostics: 0.8,
    workspaceDiagnostics: 0.7,
    check: 0.9,
    workspacePull: 0.6,
    captures: 0.3,
    /** For asking what stands at mentions that no answer explains. */
    mentions: 0.6,
    diagnosticsBefore: 0.45,
    /** For the search of servers for symbols, before what the texts declare is listed. */
    symbols: 0.27,
  },
  /** For a server that may wait for a network, where others are asked too. */
  network: 3 * seconds,
  runningTime: { step: 1 * seconds, late: 500 },
  initialize: { timeout: 30 * seconds },
  frame: {
    header: 8 * KiB,
    body: 64 * MiB,
    depth: 256,
    strayLines: 100,
    strayBytes: 64 * KiB,
    atOnce: 256 * KiB,
    piece: 64 * KiB,
  },
  slice: { time: 5, steps: 64, things: 1_000 },
  writeQueue: 16 * MiB,
  writeAtOnce: 256 * KiB,
  cancelledRequests: 1_000,
  stderrRing: 64 * KiB,
  stderrLinesPerSecond: 200,
  stderrLine: 1_000,
  stderrTail: 20,
  trouble: 300,
  stderrShown: 10,
  stderrInStatus: 5,
  parentCheckEvery: 1 * seconds,
  memoryCheckEvery: 2 * seconds,
  /** A server ends within a second of its folder. */
  rootCheckEvery: 250,
  /** A server that reads an endless file fills the memory within seconds. */
  memoryCheckAtStart: { every: 500, time: 60 * seconds },
  /** How often processes that belong to no server are looked at again. */
  processListEvery: 5 * seconds,
  /**
   * Memory of all servers together: the share of the machine's, the bytes for which a server counts that was never seen
   * to run, and how long one waits for busy ones. Above a pressure, in percent of the last 10 s, those go that were not
   * used for `idle`.
   */
  memoryBudget: {
    share: 0.5,
    newcomer: 128 * MiB,
    wait: 10 * seconds,
    pressure: { some: 20, full: 5, idle: 30 * seconds },
  },
  hung: {
    idle: 10 * seconds,
    busy: 120 * seconds,
    leastWork: 0.05,
    /** A ready server without work that leaves this many questions in a row unanswered for this long is replaced. */
    unanswered: { questions: 2, time: 5 * seconds },
  },
  halfOpen: 500,
  daemonRounds: 3,
  daemonsShown: 5,
  environment: 256 * KiB,
  processList: 16 * MiB,
  processFile: 4 * KiB,
  sharing: { slack: 100 },
  answers: { bytes: 8 * MiB, largest: 1 * MiB },
  /** Replies to requests for definitions that are kept of each server, and the most places of one. */
  recentDefinitions: { replies: 2000, places: 20 },
  emptyAnswer: { attempts: 3, wait: 150 },
  /** After so much silence, a server that may fail to tell the end of its loading is asked something. */
  lostEnd: 1 * seconds,
  requestAttempts: 3,
  /** Symbols are rarely re-exported under new names this many times in a row. */
  searchRounds: 6,
  diagnostics: {
    warm: 5 * seconds,
    cold: 15 * seconds,
    quiet: 150,
    again: 5 * seconds,
    lastStep: 3 * seconds,
    /** After this share of the time without a report, lspan checks whether to send the document again. */
    silentShare: 0.3,
    /** How often a document is sent again at once to a server that has ended its checks and never spoke of it. */
    resends: 3,
    files: 20_000,
    asked: 200,
    identifiers: 16,
  },
  /** A check of the whole workspace: files of one turn at a server, how many are asked about at once, the least time. */
  check: {
    turn: 64,
    pulls: 16,
    /** The same for a server that needs no more milliseconds than `answer` for a file. */
    quick: { answer: 5, turn: 512, pulls: 64 },
    commands: 2,
    servers: 4,
    missing: 2_000,
    least: 500,
    configuration: 2 * seconds,
  },
  /** Bytes of the message of a problem, which with its line of code takes at most 300 tokens. */
  problemMessage: 700,
  /** Above this number of steps, a better choice between equals is not worth it. */
  problemDelta: 1_000_000,
  /** Blank lines come and go; lines farther away than this are not context. */
  problemContext: 20,
  editCheck: { perFile: 20, total: 50, otherFiles: 5, message: 1_000 },
  listSnapshots: { kept: 64, bytes: 64 * MiB, item: 256, unused: 15 * minutes },
  /** No language nests deeper than `depth`; deeper levels are not followed. */
  outlines: {
    kept: 500,
    enclosing: 32,
    time: 400,
    depth: 64,
    nameLines: 20,
    parameterLines: 60,
    tabWidth: 4,
  },
  /**
   * The message after an edit: how long a hook waits, tokens of a message, time of a comparison with the old texts, files
   * asked about at once, files whose problems are known, conversations of a caller.
   */
  afterEdit: {
    wait: 3 * seconds,
    tokens: 600,
    overlay: 10 * seconds,
    atOnce: 8,
    known: 2_000,
    conversations: 64,
  },
  /** Texts that are kept for a comparison: of all files, and of one. */
  keptTexts: { bytes: 48 * MiB, file: 256 * KiB },
  problemSnapshots: { kept: 32, bytes: 16 * MiB, sightings: 20_000 },
  document: 4 * MiB,
  documentCache: 32 * MiB,
  indexedFile: 16 * MiB,
  openDocuments: 200,
  undo: {
    edits: 50,
    age: 7 * 24 * 60 * minutes,
    writing: 10 * minutes,
    bytes: 256 * MiB,
    atOnce: 8,
    lookAgain: 250,
    ticket: 4 * KiB,
    diffs: 5,
    diff: 4_000,
    journal: 16 * MiB,
  },
  held: { files: 100, bytes: 16 * MiB, attempts: 3 },
  overlay: { files: 2_000, bytes: 16 * MiB, readBack: 20 * seconds },
  commandEdits: 100,
  /** Files that a caller has asked about and that a later question about problems checks. */
  askedFiles: 200,
  actions: { problems: 20, kept: 2_000, bytes: 16 * MiB, item: 512, title: 100 },
  format: { lines: 10_000, step: 8 },
  editSymbol: { headerLines: 60, separatorLines: 5, lineEnd: 1_000 },
  rename: { name: 200, headerLines: 10, importLines: 40 },
  edit: {
    files: 2_000,
    bytes: 64 * MiB,
    document: 4 * MiB,
    differences: 1_000,
    plans: 64,
    planBytes: 128 * MiB,
    planItem: 512,
    planUnused: 15 * minutes,
    fates: 1_000,
  },
  completions: {
    most: 50,
    atOnce: 5_000,
    resolve: { inFlight: 8, time: 5 * seconds },
    text: 2_000,
    detail: 120,
    edits: 100,
    additions: 5,
    whole: 100,
    mark: 500,
  },
  signature: 300,
  openCreated: 50,
  loadedProjects: 128,
  hover: 512 * KiB,
  /** Enough for `javascript:` with each character as a character reference. */
  spelling: 200,
  /** The time to look who includes a changed source, and the files that are looked into. */
  includers: { time: 2 * seconds, files: 50 },
  /**
   * Files that are followed to find the ignored files behind a file, ignored files that are watched for it, modules of which
   * it is known where they lead, and the time for all of that.
   */
  imports: { files: 5_000, ignored: 300, resolved: 10_000, time: 60 * seconds },
  mentionsAsked: 50,
  /** Bytes of a file with settings of the user that a definition reads. */
  settingsFile: 64 * KiB,
  /** Folders that are read for the modules of Go, modules that are looked up in its cache, and empty crates of Rust. */
  freshClone: { folders: 5_000, read: 2_000, awaited: 16, crates: 1_000 },
  /** Compiled files of C that are read for the sources they include. */
  compiledFilesRead: 2_000,
  /** Files that include a header, and files that one includes, which are read for what the header needs. */
  headers: { includers: 50, reached: 200 },
  mentionsSampled: 24,
  /** Characters around a name that are read to tell a declaration of C from a definition. */
  declaration: { before: 1 * KiB, after: 8 * KiB },
  mentions: mentionLimits,
  inspect: {
    definitions: 3,
    sourceLines: 1_500,
    lineLength: 1_000,
    leastLine: 80,
    callers: 50,
    sites: 1,
    files: 50,
    linesOfFile: 3,
  },
  overrides: { files: 100, rounds: 3 },
  fileReferences: { files: 1_000, asked: 400, atOnce: 8, symbols: 40, shown: 50 },
  change: {
    compared: 200,
    confirmed: 8,
    dependents: 30,
    dependentsOf: 10,
    reasons: 5,
    margin: 2 * seconds,
    moved: 5 * seconds,
  },
  batch: {
    operations: 50,
    together: 8,
    margin: 0.1,
    /** Overhead of each part besides its answer; an answer in less than `least` is useless. */
    tokens: { batch: 80, operation: 20, leftOut: 15, least: 40 },
  },
  hierarchy: { depth: 5, lookedBelow: 500, atOnce: 8, time: 8 * seconds, sites: 10, followed: 64, name: 200 },
  callsInFlight: 128,
  /** Milliseconds that a call waits for the place of a cancelled one. */
  cancelledCalls: 5 * seconds,
  ...frontendLimits,
  fewCalls: 8,
  /** After so many calls it pays to optimize code early. */
  youngCalls: 400,
  /** Of the young generation: enough for one call at a time. */
  youngGeneration: 4 * MiB,
  calmAfter: 60 * seconds,
  questionsOfScope: 16,
  /** How long a search for symbols waits for servers before texts are read for declarations, and in how many files. */
  textSymbols: { files: 4_000 },
  index: indexLimits,
  callers: { outlines: 200 },
  candidates: { asked: 16, described: 20, listed: 500, outlines: 32, moved: 100, atPosition: 5 },
  input: {
    id: 100,
    symbolId: 5_200,
    query: 1_000,
    text: 1_000_000,
    content: 4_000_000,
    files: 100,
    edits: 1_000,
    candidates: 20,
    kinds: 20,
    extensions: 100,
    tabSize: 16,
  },
  /** Number of items of a list that a sentence names. */
  /** How many things a message names; `room` is for the characters of names in a doubt. */
  named: {
    files: 20,
    packages: 20,
    room: 40,
    pieces: 20,
    servers: 20,
    symbols: 5,
    replacements: 10,
    schemaErrors: 3,
  },
  /** Number of characters of an input that a message repeats. */
  quoted: { path: 200, key: 100, argument: 80, version: 100, mistyped: 64 },
  /** Characters of the shortest unknown name that is read as a mistyped one: of shorter names, a slip makes others. */
  shortestMistyped: 4,
  results: { page: 200, total: 20_000, lineLength: 200 },
  /** Doubts of a conversation that are known as told, and the words of a short form. */
  toldDoubts: { kept: 256, words: 4 },
  tokens: { default: 4_000, least: 100, most: 20_000, bytesPerToken: 3.5, doubt: 600, doubtLine: 128 },
  servers: { running: 8, idle: 10 * minutes, memory: 4 * GiB, memoryOfAll: 0 },
  restart: {
    backoffFirst: 250,
    backoffMost: 8 * seconds,
    crashes: 5,
    window: 3 * minutes,
    halfOpen: 60 * seconds,
  },
  stop: {
    shutdown: 2 * seconds,
    exit: 1 * seconds,
    terminate: 1 * seconds,
    hurried: 500,
    kill: 500,
    drain: 50,
    watchdog: 2 * seconds,
    calls: 2 * seconds,
  },
  gateway: {
    page: 200,
    response: 512 * KiB,
    uri: 12_300,
    depth: 10_000,
    message: 1_000,
    number: 2 ** 31 - 1,
    problemsOfItem: 100,
  },
  pathfinder: { request: 15 * seconds },
  barrier: { late: 500 },
  scan: { files: 200_000, time: 10 * seconds, slice: 5, stepsAtOnce: 8, depth: 128 },
  knownNames: 10_000,
  askedNames: 64,
  askedParts: 16,
  trackedFiles: 500,
  admittedUris: 20_000,
  /**
   * Width of a terminal in characters, of a wide report, and the most of it for the left of two columns; milliseconds
   * without a word.
   */
  terminal: { columns: 80, wide: 100, left: 30, silence: 1_000 },
  /** Words that resemble a name that was not found: how many are named, and how much text is searched for them. */
  resembling: { words: 3, bytes: 32 * MiB },
  path: { length: 4_096, levels: 256, links: 40, nearNames: 3 },
  registrations: 1_000,
  progressTokens: 1_000,
  watch: { pattern: 4 * KiB, globs: 1_000, comparisons: 1_000_000 },
  ignoreRules: { file: 256 * KiB, patterns: 4_000, globstars: 3, asked: 2_000 },
  /** Files of git's that say which worktrees there are: their size, and how many are read. */
  worktrees: { file: 64 * KiB, listed: 500 },
  /** Other worktrees that are open at once, how long one stays open without a call, and what their answers gave. */
  roots: { open: 4, idle: 20 * minutes, handles: 4_096, handleDepth: 4, remembered: 64 },
  projects: {
    c: { folders: 500, files: 6_000, databaseDepth: 4 },
    bases: 10,
    pattern: 4 * KiB,
    goHead: 20_000,
    goConstraint: 1_000,
    pythonNamesakes: 1_000,
  },
  configuration: {
    file: 256 * KiB,
    deadlineMost: 600 * seconds,
    initializeMost: 900 * seconds,
    portMost: 65_535,
    tokensLeast: 200,
    serversMost: 64,
    idleMost: 24 * 60 * minutes,
    memoryLeast: 64 * MiB,
    memoryMost: 1_024 * GiB,
    documentLeast: 10 * KiB,
    answersMost: 1 * GiB,
    quietMost: 60 * seconds,
    rankMost: 1_000,
    pattern: 1_000,
    entries: 1_000,
  },
  /** `memory` is the share of a server's memory limit at which the kernel ends it, if lspan has not done so before. */
  sandbox: { tryOut: 5 * seconds, reason: 200, memory: 1.25 },
  /** Files outside that a server was kept from reading, of which a doubt knows. */
  unreadFiles: 100,
  /** How often a question is asked at most because its answer came from a file that was emptied since. */
  emptiedFiles: { attempts: 5 },
  trust: { files: 2_000, bytes: 64 * MiB, store: 16 * MiB, roots: 1_000, writing: 10 * seconds, shown: 20 },
  log: { text: 4 * KiB, items: 200, depth: 6, perSecond: 100 },
  trace: 64 * MiB,
  /** The longest method in use has about 40 characters. */
  tracedMethod: 42,
} as const;
