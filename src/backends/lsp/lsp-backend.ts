import type { Backend, Reply, ServerSelector, ServerStatus } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';
import { mergeFileProblems } from '../../core/merge-problems.ts';
import type { FileProblems } from '../../core/problems.ts';
import type { AnswerOf, Question, QuestionKind } from '../../core/questions.ts';
import type { Change, Workspace } from '../../workspace/workspace.ts';
import { type Row, rows } from './answers.ts';
import { askProblems, publishedProblems } from './ask-problems.ts';
import { askSession } from './ask-session.ts';
import { allUnavailable, gather } from './gather.ts';
import { findProjects, loadProjects, type Projects } from './projects.ts';
import type { Router } from './router.ts';
import type { ServerSlot } from './server-slot.ts';
import type { Session } from './session.ts';
import { definitionStatus, slotStatus } from './slot-status.ts';

/** The backend over language servers: it picks the sessions, joins their answers, and says what is doubtful. */
export class LspBackend implements Backend {
  readonly #workspace: Workspace;
  readonly #router: Router;
  readonly #listeners: Set<(path: string) => void>;
  readonly #projects = new Map<ServerSlot, Projects>();
  readonly #unsubscribe: () => void;

  constructor(workspace: Workspace, router: Router, listeners: Set<(path: string) => void>) {
    this.#workspace = workspace;
    this.#router = router;
    this.#listeners = listeners;
    this.#unsubscribe = workspace.onChanges((changes) => this.#note(changes));
  }

  async ask<K extends QuestionKind>(question: Question<K>, call: Call): Promise<Reply<AnswerOf<K>>> {
    const row: Row<K> = rows[question.kind];
    const path = row.path(question);
    const slots =
      path === undefined
        ? this.#router.forWorkspace(question.kind)
        : this.#router.forFile(path, question.kind);
    if (row.union) return this.#askAll(row, row.union, question, slots, call);
    return this.#askInTurn(row, question, slots, call);
  }

  async diagnostics(files: readonly string[], call: Call): Promise<Reply<readonly FileProblems[]>> {
    const spoken = await Promise.all(files.map((file) => this.#problemsOf(file, call)));
    return {
      answer: spoken.map(({ answer }) => answer),
      doubts: spoken.flatMap(({ doubts }) => doubts),
    };
  }

  knownFiles(): readonly string[] {
    const known = this.#router.slots.flatMap(({ session }) => session?.board.paths() ?? []);
    const answerable = (path: string) => this.#router.serves(path) || this.#unaskedSpeakers(path).length > 0;
    return [...new Set(known)]
      .filter((path) => this.#workspace.rootOf(path) !== undefined && answerable(path))
      .sort();
  }

  onDiagnostics(listener: (path: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async status(): Promise<readonly ServerStatus[]> {
    const slots = this.#router.slots;
    const idle = this.#router
      .present()
      .flatMap(({ root, definitions }) => definitions.map((definition) => ({ root, definition })))
      .filter(
        ({ root, definition }) => !slots.some((slot) => slot.root === root && slot.definition === definition),
      );
    const statuses = [
      ...(await Promise.all(slots.map((slot) => slotStatus(slot, this.#router.find)))),
      ...idle.map(({ root, definition }) => definitionStatus(definition, root, this.#router.find)),
    ];
    return statuses.sort((a, b) => (`${a.id}\0${a.root}` < `${b.id}\0${b.root}` ? -1 : 1));
  }

  async restart(selector: ServerSelector, call: Call): Promise<readonly string[]> {
    const chosen = this.#router.slots.filter(({ definition }) => {
      const languages = Object.values(definition.extensions);
      if (selector.server !== undefined && definition.id !== selector.server) return false;
      return selector.language === undefined || languages.includes(selector.language);
    });
    await Promise.all(chosen.map((slot) => slot.restart(call)));
    return chosen.map(({ definition }) => definition.id);
  }

  /** Starts the servers that are not to wait for the first call. */
  async startEarly(call: Call): Promise<void> {
    const early = this.#router.early().map(({ root, definition }) => this.#router.slot(definition, root));
    await Promise.all(early.map((slot) => slot.obtain(call)));
  }

  async close(options: { readonly hurried?: boolean } = {}): Promise<void> {
    this.#unsubscribe();
    await Promise.all(this.#router.slots.map((slot) => slot.close(options)));
  }

  /** Asks all servers at once; one that fails is a doubt. */
  async #askAll<K extends QuestionKind>(
    row: Row<K>,
    union: NonNullable<Row<K>['union']>,
    question: Question<K>,
    slots: readonly ServerSlot[],
    call: Call,
  ): Promise<Reply<AnswerOf<K>>> {
    const asked = slots.map((slot) => ({ slot, reply: this.#askSlot(row, question, slot, call) }));
    const { replies, doubts } = await gather(asked);
    return {
      answer: union(replies.map(({ answer }) => answer)),
      doubts: [...doubts, ...replies.flatMap((reply) => reply.doubts)],
    };
  }

  /** Asks the preferred server, and the next one only where it knew nothing or failed. */
  async #askInTurn<K extends QuestionKind>(
    row: Row<K>,
    question: Question<K>,
    slots: readonly ServerSlot[],
    call: Call,
  ): Promise<Reply<AnswerOf<K>>> {
    const failed: Doubt[] = [];
    let last: Reply<AnswerOf<K>> | undefined;
    for (const slot of slots) {
      const { replies, doubts } = await gather([{ slot, reply: this.#askSlot(row, question, slot, call) }], {
        lenient: slots.length > 1,
      });
      failed.push(...doubts);
      last = replies[0] ?? last;
      if (last && !row.isEmpty(last.answer)) break;
    }
    if (!last) throw allUnavailable(failed);
    return { answer: last.answer, doubts: [...failed, ...last.doubts] };
  }

  async #askSlot<K extends QuestionKind>(
    row: Row<K>,
    question: Question<K>,
    slot: ServerSlot,
    call: Call,
  ): Promise<Reply<AnswerOf<K>>> {
    const { value, restarted } = await slot.useWithin(question.kind, call, async (session, inner) => {
      const unloaded = row.searches ? await this.#load(slot, session) : [];
      const reply = await askSession(session, this.#workspace, question, inner);
      return { answer: reply.answer, doubts: [...unloaded, ...reply.doubts] };
    });
    if (!restarted) return value;
    if (row.isEmpty(value.answer)) throw emptyAfterCrash(slot);
    return { answer: value.answer, doubts: [...value.doubts, restartedDoubt(slot)] };
  }

  async #problemsOf(path: string, call: Call): Promise<Reply<FileProblems>> {
    const unasked = this.#router.serves(path) ? [] : this.#unaskedSpeakers(path);
    if (unasked.length > 0) return { answer: await this.#unaskedProblems(unasked, path), doubts: [] };
    const asked = this.#router.forFile(path, 'diagnostics').map((slot) => {
      const work = (session: Session, inner: Call) => askProblems(session, this.#workspace, path, inner);
      return { slot, reply: slot.useWithin('diagnostics', call, work).then(({ value }) => value) };
    });
    const { replies, doubts } = await gather(asked);
    return { answer: mergeFileProblems(path, replies), doubts };
  }

  /** Servers that published problems of a file that they do not serve, as of a configuration file. */
  #unaskedSpeakers(path: string): readonly Session[] {
    const alive = this.#router.slots.flatMap(({ session }) => (session?.alive ? [session] : []));
    return alive.filter(({ board }) => (board.published(path, undefined)?.items.length ?? 0) > 0);
  }

  async #unaskedProblems(sessions: readonly Session[], path: string): Promise<FileProblems> {
    const document = await this.#workspace.read(path);
    return mergeFileProblems(
      path,
      sessions.map((session) => publishedProblems(session, document)),
    );
  }

  /** Makes a server that knows only opened projects know all of them. */
  async #load(slot: ServerSlot, session: Session): Promise<readonly Doubt[]> {
    if (slot.definition.loadsOnOpen !== true) return [];
    const known =
      this.#projects.get(slot) ?? findProjects(this.#workspace.files(), slot.root, slot.definition);
    this.#projects.set(slot, known);
    return loadProjects(session, known);
  }

  #note(changes: readonly Change[]): void {
    if (changes.some(({ kind }) => kind !== 'changed')) this.#projects.clear();
    for (const slot of this.#router.slots) slot.note(changes);
  }
}

function emptyAfterCrash({ definition: { id } }: ServerSlot): LspanError {
  return new LspanError(
    'server_unverified',
    `${id} crashed during this call, and knew nothing after its restart.`,
    {
      nextStep: 'Call again.',
    },
  );
}

function restartedDoubt({ definition: { id } }: ServerSlot): Doubt {
  return {
    kind: 'server_restarted',
    server: id,
    detail: `${id} crashed during this call and was started anew.`,
  };
}
