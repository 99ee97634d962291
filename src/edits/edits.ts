import type { Call } from '../core/call.ts';
import type { Doubt } from '../core/doubts.ts';
import type { Proposal, ProposedStep } from '../core/proposal.ts';
import type { Standing } from '../core/question.ts';
import type { Edit, Plan } from './plan.ts';
import type { PlanStore } from './plan-store.ts';
import type { FileText } from './text/file-text.ts';

/** The part of the workspace that the engine needs. */
export interface WorkspaceView {
  readonly roots: readonly string[];
  rootOf(path: string): string | undefined;
  show(path: string): string;
  /** Returns the file that a URI leads to, links followed. */
  fromUri(uri: string): { readonly path: string; readonly standing: Standing };
  /** Returns the entry that a URI names: follows links on the way, but not one at the end. */
  entryFromUri(uri: string): { readonly path: string; readonly standing: Standing };
  /** Returns the files with unsaved texts, by real path: the engine does not change them. */
  unsaved(): ReadonlyMap<string, FileText>;
}

/** How to make a plan. */
export interface PlanOptions {
  /** Its purpose, as a phrase. */
  readonly title: string;
  /** Protected paths that the caller named, as given. */
  readonly allowProtected?: readonly string[];
  /** Why the proposal may be incomplete; kept with the plan. */
  readonly doubts?: readonly Doubt[];
  /** The plan is not to be applied: it is not kept, and cannot be found by its id. */
  readonly passing?: boolean;
  /** Like `passing`, but planned on the unsaved texts. */
  readonly tried?: boolean;
  /** Like `passing`, but planned on the result of these steps. */
  readonly after?: readonly ProposedStep[];
}

/** Everything that writes: plans, their application, and undo. */
export interface Edits {
  /** Checks a proposal against the disk, and keeps the plan. Throws if any part of it cannot be done as proposed. */
  plan(proposal: Proposal, options: PlanOptions): Plan;
  /** Returns a plan that was made here. Throws `not_found`, `stale` or `already_applied`. */
  find(planId: string): Plan;
  /** Applies a plan, all of it or nothing; reports what is on the disk. */
  apply(plan: Plan, call: Call): Promise<Edit>;
  /** Adds a plan to a batch, whose later plans are made on its result before it is applied; absent outside a batch. */
  stage?(plan: Plan): void;
  /** Returns the plan that undoes an edit, by default the latest one not undone. Throws if a file has changed since. */
  planUndo(editId: string | undefined): Plan;
  /** Returns the edits of these roots that can be undone, the latest first. */
  history(): readonly Edit[];
  /** Finishes edits that a process left half done on these roots. Those that it cannot finish block every `apply`. */
  recover(call: Call): Promise<Recovery>;
}

/** The engine of a workspace. All callers share its history; each has its own plans. */
export interface Engine extends Edits {
  /** Returns the engine for a caller with its own plans: only those are found, and its latest edit is one of them. */
  keepingIn(plans: PlanStore): Edits;
  /** Returns the edits, of any roots, that are on record because of a call with this id. */
  madeBy(call: string): readonly BegunEdit[];
  /** Returns the edits of these roots that `recover` would end; leaves out what a process is still doing. */
  interrupted(): InterruptedEdits;
}

/** An edit that was begun. */
export interface BegunEdit {
  readonly edit: Edit;
  /** `kept`: it was undone but for files that another program has changed. */
  readonly state: 'applied' | 'half_done' | 'kept';
}

/** Edits that processes left half done. */
export interface InterruptedEdits {
  readonly edits: readonly Edit[];
  /** Files of edits that cannot be read: which roots they are about is unknown. */
  readonly unreadable: readonly string[];
}

/** The outcome of edits that a process left half done. */
export interface Recovery {
  /** Ids of edits that were undone completely. */
  readonly undone: readonly string[];
  /** Ids of the calls that made them, where the callers gave one. */
  readonly undoneCalls: readonly string[];
  /** Ids of edits that were already on the disk, and only had to be recorded. */
  readonly completed: readonly string[];
  /** Messages to the user about what is in the way. */
  readonly conflicts: readonly string[];
}
