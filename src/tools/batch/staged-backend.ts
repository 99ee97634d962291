import type { Answering, OverlayTexts, ServerControl } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import { LspanError } from '../../core/errors.ts';
import type { ToolBackend } from '../run/tool.ts';

/** Facts that servers cannot see in advance. */
interface StagedOptions {
  /** True if files are moved or deleted, which no server can see before it is done on the disk. */
  readonly isShifted: boolean;
}

/**
 * A backend that answers about texts that are not on the disk yet, while one operation runs. It opens one overlay for
 * all questions of the operation, and closes it in between if the operation opens another one.
 */
export class StagedBackend implements ToolBackend {
  readonly servers: ServerControl;
  readonly #backend: ToolBackend;
  readonly #texts: OverlayTexts;
  readonly #isShifted: boolean;
  readonly #call: Call;
  readonly #running = new Set<Promise<unknown>>();
  #overlay: OpenOverlay | undefined;
  /** Pending work that has an overlay of its own. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(backend: ToolBackend, texts: OverlayTexts, { isShifted }: StagedOptions, call: Call) {
    this.servers = backend.servers;
    this.#backend = backend;
    this.#texts = texts;
    this.#isShifted = isShifted;
    this.#call = call;
  }

  ask: ToolBackend['ask'] = (question, call) => this.#with((answering) => answering.ask(question, call));

  visibility: ToolBackend['visibility'] = (place, files) =>
    this.#with((answering) => answering.visibility(place, files));

  diagnostics: ToolBackend['diagnostics'] = (files, call) =>
    this.#with((answering) => answering.diagnostics(files, call));

  overlay<T>(texts: OverlayTexts, call: Call, work: (overlaid: Answering) => Promise<T>): Promise<T> {
    this.#refuseShifted();
    const turn = this.#turn.then(async () => {
      await Promise.allSettled(this.#running);
      await this.end();
      return this.#backend.overlay(new Map([...this.#texts, ...texts]), call, work);
    });
    this.#turn = turn.catch(() => {});
    return turn;
  }

  workspaceDiagnostics: ToolBackend['workspaceDiagnostics'] = async (call, check) => {
    this.#refuseStaged('the problems of the whole workspace', 'Name the files.');
    return this.#backend.workspaceDiagnostics(call, check);
  };

  propose: ToolBackend['propose'] = async (action, call) => {
    this.#refuseStaged('the edit of a code action', 'Put it first in the batch.');
    return this.#backend.propose(action, call);
  };

  /** Closes the overlay. */
  async end(): Promise<void> {
    const overlay = this.#overlay;
    this.#overlay = undefined;
    overlay?.release();
    await overlay?.ended;
  }

  async #with<T>(work: (answering: Answering) => Promise<T>): Promise<T> {
    this.#refuseShifted();
    if (this.#texts.size === 0) return work(this.#backend);
    await this.#turn;
    this.#overlay ??= openOverlay(this.#backend, this.#texts, this.#call);
    const running = this.#overlay.answering.then(work);
    this.#running.add(running);
    return running.finally(() => this.#running.delete(running));
  }

  #refuseShifted(): void {
    if (!this.#isShifted) return;
    throw new LspanError(
      'not_supported',
      'An earlier operation moves or deletes files, which language servers do not see before it is applied.',
      { nextStep: 'Put moves and deletes last in an atomic batch, or omit `atomic`.' },
    );
  }

  #refuseStaged(what: string, nextStep: string): void {
    this.#refuseShifted();
    if (this.#texts.size === 0) return;
    const message = `An atomic batch cannot get ${what} after an operation that changes texts.`;
    throw new LspanError('not_supported', message, { nextStep: `${nextStep} Or omit \`atomic\`.` });
  }
}

/** An overlay that is open until it is released. */
interface OpenOverlay {
  readonly answering: Promise<Answering>;
  readonly ended: Promise<unknown>;
  release(): void;
}

function openOverlay(backend: ToolBackend, texts: OverlayTexts, call: Call): OpenOverlay {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let ended: Promise<unknown> = Promise.resolve();
  const answering = new Promise<Answering>((resolve, reject) => {
    const overlaid = backend.overlay(texts, call, (opened) => {
      resolve(opened);
      return released;
    });
    // If the overlay cannot be opened, or ends early, questions fail with the reason.
    ended = overlaid.catch(reject);
  });
  return { answering, ended, release };
}
