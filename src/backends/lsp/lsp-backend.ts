import type { Backend, Reply, ServerSelector, ServerStatus, Sight } from '../../core/backend.ts';
import { beginCall, type Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import type { LspanError } from '../../core/errors.ts';
import type { FileProblems } from '../../core/problems.ts';
import type { AnswerOf, Place, Question, QuestionKind, Span } from '../../core/questions.ts';
import type { Change, Workspace } from '../../workspace/workspace.ts';
import { type Row, rows, type Search } from './answers.ts';
import { askSession } from './ask-session.ts';
import { allFailed, gather } from './gather.ts';
import { gatherProblems, unaskedSpeakers } from './gather-problems.ts';
import { ProjectLoader } from './project-loader.ts';
import type { Router } from './router.ts';
import { searchWidely } from './search-widely.ts';
import type { ServerSlot } from './server-slot.ts';
import { serverStatuses } from './server-statuses.ts';
import { cappedDoubts, emptyAfterCrash, restartedDoubt } from './server-troubles.ts';
import type { Session } from './session.ts';
import { sightFrom } from './sight-from.ts';
import { usesElsewhere } from './uses-elsewhere.ts';

/** The backend over language servers: it picks the sessions, joins their answers, and says what is doubtful. */
export class LspBackend implements Backend {
  readonly #workspace: Workspace;
  readonly #router: Router;
  readonly #listeners: Set<(path: string) => void>;
  readonly #projects: ProjectLoader;
  readonly #unsubscribe: () => void;

  constructor(workspace: Workspace, router: Router, listeners: Set<(path: string) => void>) {
    this.#workspace = workspace;
    this.#router = router;
    this.#projects = new ProjectLoader(workspace);
    this.#listeners = listeners;
    this.#unsubscribe = workspace.onChanges((changes) => this.#note(changes));
  }

  async ask<K extends QuestionKind>(question: Question<K>, call: Call): Promise<Reply<AnswerOf<K>>> {
    const row: Row<K> = rows[question.kind];
    const path = row.path(question);
    const slots =
      path === undefined
        ? this.#router.forWorkspace(question.kind, row.among?.(question))
        : this.#router.forFile(path, question.kind);
    const { answer, doubts } = row.union
      ? await this.#askAll(row, row.union, question, slots, call)
      : await this.#askInTurn(row, question, slots, call);
    // What was found by position is right whatever else may be missing.
    if (!row.search && !row.union && row.size(answer) > 0) return { answer, doubts };
    const withheld =
      path === undefined
        ? this.#router.withheldAnywhere(question.kind, row.among?.(question))
        : this.#router.withheld(path, question.kind);
    const more = await row.extend?.(question, answer, (place, known) => this.#elsewhere(place, known, call));
    return { answer: more?.answer ?? answer, doubts: [...doubts, ...(more?.doubts ?? []), ...withheld] };
  }

  sight(place: Place, files: readonly string[]): Promise<ReadonlyMap<string, Sight>> {
    return sightFrom({ router: this.#router, projects: this.#projects }, place, files);
  }

  async diagnostics(files: readonly string[], call: Call): Promise<Reply<readonly FileProblems[]>> {
    return gatherProblems({ router: this.#router, workspace: this.#workspace }, files, call);
  }

  knownFiles(): readonly string[] {
    const known = this.#router.slots.flatMap(({ session }) => session?.board.paths() ?? []);
    const answerable = (path: string) =>
      this.#router.serves(path) || unaskedSpeakers(this.#router, path).length > 0;
    return [...new Set(known)]
      .filter((path) => this.#workspace.rootOf(path) !== undefined && answerable(path))
      .sort();
  }

  onDiagnostics(listener: (path: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  status(): Promise<readonly ServerStatus[]> {
    return serverStatuses(this.#router);
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
    const inner = beginShare(call, slots.length > 1 ? shareOfCall : 1);
    const asked = slots.map((slot) => ({
      server: slot.definition.id,
      mayDecline: slots.some((other) => other !== slot && servesAllOf(other, slot)),
      reply: this.#askSlot(row, question, slot, inner).then(({ answer, doubts }) => {
        const isOwn = (path: string) => this.#router.speaksOf(path, question.kind, slot, slots);
        return { answer: row.own?.(answer, isOwn) ?? answer, doubts };
      }),
    }));
    const { replies, doubts } = await gather(asked).finally(() => inner[Symbol.dispose]());
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
    const failures: LspanError[] = [];
    let last: Reply<AnswerOf<K>> | undefined;
    for (const slot of slots) {
      const turn = slot === slots.at(-1) ? undefined : beginShare(call, shareOfTurn);
      const reply = this.#askSlot(row, question, slot, turn ?? call).finally(() => turn?.[Symbol.dispose]());
      const asked = { server: slot.definition.id, mayDecline: true, reply };
      const { replies, errors, doubts } = await gather([asked], { lenient: slots.length > 1 });
      failed.push(...doubts);
      failures.push(...errors);
      last = replies[0] ?? last;
      if (call.signal.aborted || (last && row.size(last.answer) > 0)) break;
    }
    if (!last) throw allFailed(failures);
    return { answer: last.answer, doubts: [...failed, ...last.doubts] };
  }

  async #askSlot<K extends QuestionKind>(
    row: Row<K>,
    question: Question<K>,
    slot: ServerSlot,
    call: Call,
  ): Promise<Reply<AnswerOf<K>>> {
    const { value, restarted } = await slot.useWithin(question.kind, call, async (session, inner) => {
      const ask = () => askSession(session, this.#workspace, question, inner);
      const reply = row.search
        ? await this.#search(row, row.search, question, { session, ask }, inner)
        : await ask();
      const size = row.size(reply.answer);
      const capped = cappedDoubts(slot.definition, question.kind, size);
      // What was found by position is right whatever else may be missing.
      const standing = row.search || size === 0 ? session.standingDoubts(question.kind) : [];
      return {
        answer: reply.answer,
        doubts: [...capped, ...standing, ...reply.doubts],
      };
    });
    if (!restarted) return value;
    if (row.size(value.answer) === 0) throw emptyAfterCrash(slot.definition);
    return { answer: value.answer, doubts: [...value.doubts, restartedDoubt(slot.definition)] };
  }

  /** Asks after the server was made to see what may be concerned. */
  async #search<K extends QuestionKind>(
    row: Row<K>,
    search: Search<K>,
    question: Question<K>,
    { session, ask }: { readonly session: Session; readonly ask: () => Promise<Reply<AnswerOf<K>>> },
    call: Call,
  ): Promise<Reply<AnswerOf<K>>> {
    const parts = { session, ask, workspace: this.#workspace, projects: this.#projects };
    if (search.from) return searchWidely({ ...parts, found: search.found }, search.from(question), call);
    const unloaded = await this.#projects.load(session, async () => row.among?.(question));
    const { answer, doubts } = await ask();
    return { answer, doubts: [...unloaded, ...doubts] };
  }

  #elsewhere(place: Place, known: readonly Span[], call: Call): Promise<Reply<readonly Span[]>> {
    const inner = beginShare(call, shareOfCall);
    const ask = (slot: ServerSlot, mention: Place) =>
      this.#askSlot(rows.references, { kind: 'references', place: mention }, slot, inner);
    const found = usesElsewhere(
      { router: this.#router, workspace: this.#workspace, ask },
      place,
      known,
      inner,
    );
    return found.finally(() => inner[Symbol.dispose]());
  }

  #note(changes: readonly Change[]): void {
    this.#projects.note(changes);
    this.#router.note(changes);
  }
}

/** Several servers share it: one that stays silent does not cost the answers of the others. */
const shareOfCall = 0.8;

/** For one server when another is asked after it: if the first stays silent, the next can still answer. */
const shareOfTurn = 0.6;

/** A call within a call, for a share of the time that is left. */
function beginShare(call: Call, share: number): Call & Disposable {
  const time = (call.deadline - performance.now()) * share;
  return beginCall({ time, report: call.report }, call.signal);
}

function servesAllOf(other: ServerSlot, slot: ServerSlot): boolean {
  const known = other.definition.extensions;
  return (
    other.root === slot.root &&
    Object.keys(slot.definition.extensions).every((name) => Object.hasOwn(known, name))
  );
}
