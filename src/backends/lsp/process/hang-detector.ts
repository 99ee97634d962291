import { within } from '../../../core/call.ts';
import { limits } from '../../../core/limits.ts';
import { treeUse } from '../../../platform/processes/process-facts.ts';

/** The properties of a server's process that are visible from outside. */
interface WatchedProcess {
  readonly pid: number;
  /** Bytes that it has written to its stdout. */
  readonly heard: number;
  /** Bytes sent to it, and those of them that its pipe has not taken. */
  readonly sent: number;
  readonly unread: number;
  /** Resolves when it writes again. */
  nextOutput(): Promise<void>;
}

/** How to examine a silent server. */
interface HangDetectorOptions {
  /** Sends something that every server answers at once; the content of the answer does not matter. */
  readonly probe: () => void;
  /** Reports that the server has not reacted for this many milliseconds. */
  readonly hung: (silence: number) => void;
  /** Resolves when there is nothing left to examine. */
  readonly ended: Promise<unknown>;
  /** CPU seconds of the process and its descendants; `undefined` if the platform does not report them. */
  readonly processorTime?: () => Promise<number | undefined>;
}

/** Distinguishes a hung server from a slow one: by a probe after a silent question, and by questions without answers. */
export class HangDetector {
  readonly #process: WatchedProcess;
  readonly #examination: HangDetectorOptions;
  #examining = false;
  /** The number of questions in a row that ran out of time, and when the last one did. */
  #unanswered = 0;
  #lastUnanswered = Number.NEGATIVE_INFINITY;

  constructor(process: WatchedProcess, examination: HangDetectorOptions) {
    this.#process = process;
    this.#examination = examination;
  }

  /** Begins a question; the returned function ends it, and examines a server that was silent throughout. */
  observe(): () => void {
    const { heard, sent } = this.#process;
    return () => {
      const { heard: now, sent: told, unread } = this.#process;
      const silent = now === heard && (told > sent || unread > 0);
      if (silent && !this.#examining) void this.#examine();
    };
  }

  /** Records the answer to a request: it answers questions. */
  answered(): void {
    this.#unanswered = 0;
  }

  /**
   * Records a request from `since` that a ready server did not answer in time, although it may answer others: one
   * of its threads can wait for ever, as for a pipe that is named like a source file.
   */
  ranOutOfTime(since: number): void {
    const now = performance.now();
    const { questions, time } = limits.hung.unanswered;
    // Requests that were waiting together ran out of time for one reason.
    if (now - since < time || since < this.#lastUnanswered) return;
    this.#lastUnanswered = now;
    this.#unanswered += 1;
    if (this.#unanswered >= questions && !this.#examining) void this.#examineStuck();
  }

  async #examineStuck(): Promise<void> {
    this.#examining = true;
    const works = await this.#watch();
    this.#examining = false;
    if (!works && this.#unanswered > 0) this.#examination.hung(limits.hung.idle);
  }

  async #examine(): Promise<void> {
    this.#examining = true;
    const { probe, hung, ended } = this.#examination;
    const { heard, unread } = this.#process;
    const reacts = () => this.#process.heard > heard || this.#process.unread < unread;
    let isOver = false;
    ended.then(() => {
      isOver = true;
    });
    probe();
    // Without an answer or a drained pipe, it is hung: soon if idle, late if busy, as it may be computing.
    for (let waited = limits.hung.idle; ; waited += limits.hung.idle) {
      const works = await this.#watch();
      if (isOver || reacts()) break;
      if (works && waited < limits.hung.busy) continue;
      hung(waited);
      break;
    }
    this.#examining = false;
  }

  /** Waits for output for a while; returns whether the server used the processor meanwhile. */
  async #watch(): Promise<boolean> {
    const { ended, processorTime = () => this.#processorTime() } = this.#examination;
    const before = await processorTime();
    await within(Promise.race([this.#process.nextOutput(), ended]), limits.hung.idle);
    const after = await processorTime();
    if (before === undefined || after === undefined) return true;
    return after - before >= (limits.hung.idle / 1000) * limits.hung.leastWork;
  }

  async #processorTime(): Promise<number | undefined> {
    const { pid } = this.#process;
    return (await treeUse([pid])).get(pid)?.processorTime;
  }
}
