import { within } from '../../../core/call.ts';
import { limits } from '../../../core/limits.ts';
import { treeUse } from '../../../platform/processes/process-facts.ts';

/** What can be seen of a server's process from outside. */
export interface WatchedProcess {
  readonly pid: number;
  /** Bytes that it has written. */
  readonly heard: number;
  /** Bytes that it was sent, and those of them that its pipe has not taken. */
  readonly sent: number;
  readonly unread: number;
  /** Resolves when it writes again. */
  nextOutput(): Promise<void>;
}

/** How a server is looked at more closely. */
export interface HangDetectorOptions {
  /** Asks something that every server answers at once; how does not matter. */
  readonly probe: () => void;
  /** The server has not reacted for so many milliseconds. */
  readonly hung: (silence: number) => void;
  /** Resolves when there is nothing to examine any more. */
  readonly ended: Promise<unknown>;
  /** Seconds of processor time of it and all that it started; nothing where the platform does not tell. */
  readonly processorTime?: () => Promise<number | undefined>;
}

/**
 * Tells a hung server from a slow one. A server that was silent through a whole question is asked something cheap.
 * If it says nothing to that either, and takes nothing from a full pipe, it is hung: soon if it does not even use the
 * processor, and after a long time if it does, since it may be computing.
 */
export class HangDetector {
  readonly #process: WatchedProcess;
  readonly #examination: HangDetectorOptions;
  #examining = false;

  constructor(process: WatchedProcess, examination: HangDetectorOptions) {
    this.#process = process;
    this.#examination = examination;
  }

  /** Begins a question; what it gives ends it, and examines the server if it was silent all the while. */
  observe(): () => void {
    const { heard, sent } = this.#process;
    return () => {
      const { heard: now, sent: told, unread } = this.#process;
      const silent = now === heard && (told > sent || unread > 0);
      if (silent && !this.#examining) void this.#examine();
    };
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
    for (let waited = limits.hung.idle; ; waited += limits.hung.idle) {
      const works = await this.#watch();
      if (isOver || reacts()) break;
      if (works && waited < limits.hung.busy) continue;
      hung(waited);
      break;
    }
    this.#examining = false;
  }

  /** Waits for a sign for a while; whether the server used the processor in it. */
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
