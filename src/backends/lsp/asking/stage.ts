import type { Reply } from '../../../core/backend.ts';
import type { Call } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import type { AnswerOf, Question, QuestionKind } from '../../../core/question.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { Translation } from '../convert/translation.ts';
import type { Row } from '../questions/row.ts';
import type { Router } from '../routing/router.ts';
import type { ProjectLoader } from '../search/load-projects.ts';
import type { ServerSlot, UseSlot } from '../session/server-slot.ts';
import type { Session } from '../session/session.ts';
import type { RecentDefinitions } from './recent-definitions.ts';

/** Dependencies of all questions, for the lifetime of the backend. */
export interface AskContext {
  readonly workspace: Workspace;
  readonly router: Router;
  readonly projects: ProjectLoader;
  /** How servers are used: shared, or under the lease of an overlay. */
  readonly use: UseSlot;
}

/** A question, and the servers chosen for it. */
export interface AskedQuestion<K extends QuestionKind> extends AskContext {
  readonly row: Row<K>;
  readonly question: Question<K>;
  readonly call: Call;
  readonly slots: readonly ServerSlot[];
  /** Files concerned, if the question is not about a document; absent for any file. */
  readonly candidateFiles?: readonly string[] | undefined;
  /** Returns doubts about the servers that would be asked if they were trusted. */
  readonly blocked: () => readonly Doubt[];
  /** Set if the answer may be shared; `isKept` if it may also be cached. */
  readonly cache?: { readonly key: string; readonly isKept: boolean };
  /** Absent if every request is sent. */
  readonly recent?: RecentDefinitions | undefined;
}

/** A question for one server, with the session to use. */
export interface ServerAsked<K extends QuestionKind>
  extends Pick<
    AskedQuestion<K>,
    'workspace' | 'projects' | 'row' | 'question' | 'call' | 'candidateFiles' | 'recent'
  > {
  readonly session: Session;
}

/** A question for a session that has been sent every changed document. */
export interface SessionAsked<K extends QuestionKind>
  extends Pick<ServerAsked<K>, 'workspace' | 'row' | 'question' | 'call' | 'session' | 'recent'> {
  readonly translation: Translation;
  /** Counts from 1: a session that loads while it answers is asked again. */
  readonly attempt: number;
}

interface Levels<K extends QuestionKind> {
  readonly question: AskedQuestion<K>;
  readonly server: ServerAsked<K>;
  readonly session: SessionAsked<K>;
}

/** The rest of the pipeline below a stage. */
export type Next<L extends keyof Levels<QuestionKind>> = <K extends QuestionKind>(
  asked: Levels<K>[L],
) => Promise<Reply<AnswerOf<K>>>;

/** One stage of the pipeline: does its part and calls `next`, once, several times or not at all. */
export type Stage<L extends keyof Levels<QuestionKind>> = <K extends QuestionKind>(
  asked: Levels<K>[L],
  next: Next<L>,
) => Promise<Reply<AnswerOf<K>>>;

/** Chains stages in order; the last one calls `end`. */
export function chain<L extends keyof Levels<QuestionKind>>(
  stages: readonly Stage<L>[],
  end: Next<L>,
): Next<L> {
  return stages.reduceRight<Next<L>>(
    (next, stage) =>
      <K extends QuestionKind>(asked: Levels<K>[L]) =>
        stage<K>(asked, next),
    end,
  );
}
