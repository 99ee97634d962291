import type { AllowedFolders } from '../gate/allowed-folders.ts';
import type { NestedWorktrees } from '../worktrees/nested-worktrees.ts';
import type { AlsoWatched } from './also-watched.ts';
import type { ChangeSet } from './change-set.ts';
import type { IgnoreRules } from './ignore-rules.ts';
import type { ScanQueue } from './scan-queue.ts';
import type { Snapshot } from './snapshot.ts';
import type { Watcher } from './watcher.ts';

/** Everything that a comparison of the snapshot with the disk needs. */
export interface ScanContext {
  readonly allowed: AllowedFolders;
  readonly snapshot: Snapshot;
  readonly watcher: Watcher;
  readonly also: AlsoWatched;
  readonly queue: ScanQueue;
  readonly changes: ChangeSet;
  /** The folders that are cut out because they are other worktrees. */
  readonly nested: NestedWorktrees;
  /** The rules above every root. */
  readonly rules: IgnoreRules;
  /** Folders that do not belong to the tree above them: the other roots, and our own. */
  readonly skippedFolders: ReadonlySet<string>;
}
