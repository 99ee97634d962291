import type { Call } from '../core/call.ts';
import type { Doubt } from '../core/doubts.ts';
import type { Proposal, ProposedStep } from '../core/proposal.ts';
import type { Standing } from '../core/questions.ts';
import type { Edit, Plan } from './plan.ts';
import type { PlanStore } from './plan-store.ts';
import type { FileText } from './text/file-text.ts';

/** What the engine needs to know of the workspace. */
export interface WorkspaceView {
  readonly roots: readonly string[];
  rootOf(path: string): string | undefined;
  show(path: string): string;
  /** The file that a URI leads to, links followed. */
  fromUri(uri: string): { readonly path: string; readonly standing: Standing };
  /** The entry that a URI names: links on the way there are followed, but a link at its end is the entry itself. */
  entryFromUri(uri: string): { readonly path: string; readonly standing: Standing };
  /** Files, by their real paths, whose present text is not on the disk: nothing is done to them. */
  unsaved(): ReadonlyMap<string, FileText>;
}

/** How a plan is made. */
export interface PlanOptions {
  /** What it is for, as a phrase. */
  readonly title: string;
  /** Protected paths that the caller named, as it named them. */
  readonly allowProtected?: readonly string[];
  /** Why the proposal may be incomplete; kept with the plan. */
  readonly doubts?: readonly Doubt[];
  /** Not to be carried out: it is neither kept nor has an id that can be found. */
  readonly passing?: boolean;
  /** The same, and it is planned on the texts that are held: nobody will ask for it to be carried out. */
  readonly tried?: boolean;
  /** Steps that are taken for granted: the proposal is planned on what they would leave. Such a plan is only looked at. */
  readonly after?: readonly ProposedStep[];
}

/** Everything that writes: plans, their application, and the way back. */
export interface Edits {
  /** Checks a proposal against the disk, and keeps the plan. Throws where any part of it cannot be done as said. */
  plan(proposal: Proposal, options: PlanOptions): Plan;
  /** A plan that was made here. Throws `not_found`, or `already_applied`. */
  find(planId: string): Plan;
  /** Carries a plan out: all of it or nothing, and what it reports is what is on the disk. */
  apply(plan: Plan, call: Call): Promise<Edit>;
  /**
   * Only where changes are put together before any of them is carried out: takes in a plan that was made here, and
   * what is planned from then on is planned on what it would leave.
   */
  stage?(plan: Plan): void;
  /** The plan that takes an edit back, by its id, or the latest that was not yet. Throws where a file has changed since. */
  planUndo(editId: string | undefined): Plan;
  /** What was carried out on these roots and can be taken back, the latest first. */
  history(): readonly Edit[];
  /** Ends what a process left half done on these roots. What it could not end is said, and refuses every `apply`. */
  recover(call: Call): Promise<Recovery>;
}

/** The engine of a workspace, whose history is that of all who use it, and whose plans belong to whoever made them. */
export interface Engine extends Edits {
  /** The same engine for one who keeps plans apart: it finds those and no others, and its latest edit is one of them. */
  keepingIn(plans: PlanStore): Edits;
}

/** What became of edits that a process left half done. */
export interface Recovery {
  /** Ids of edits that were taken back whole. */
  readonly undone: readonly string[];
  /** Ids of edits that were on the disk already, and only had to be recorded. */
  readonly completed: readonly string[];
  /** What is in the way, for the user. */
  readonly conflicts: readonly string[];
}
