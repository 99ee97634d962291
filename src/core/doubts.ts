/** Reasons why an answer may be incomplete: a closed set, on which agents decide. */
export type DoubtKind =
  | 'indexing'
  | 'project_not_loaded'
  | 'server_unavailable'
  | 'server_restarted'
  | 'timed_out'
  | 'capped'
  | 'watch_lost'
  | 'not_trusted'
  | 'unsaved_elsewhere'
  /** A change differs from the request: it misses uses, or changes something with another name. */
  | 'unexpected_edit'
  /** A text mentions the name in code, and no server says what it means there. */
  | 'unverified'
  /** A server named places in another worktree of the repository, which are left out. */
  | 'other_worktree'
  /** It comes from an index, or from a server that reads one, and is as old as that. */
  | 'as_of'
  /** Files have changed since they were indexed. */
  | 'changed_since'
  /** An index does not have the symbol, the file or the repository. */
  | 'not_indexed';

/** One reason why an answer may be incomplete. */
export interface Doubt {
  readonly kind: DoubtKind;
  readonly detail: string;
  readonly server?: string;
  /** Asking again does not help, although other doubts of this kind pass. */
  readonly lasting?: true;
  /** It is about mentions of the name of which only some were resolved: resolving each of them settles it. */
  readonly sampled?: true;
  /** It says why the server may miss a use: none, if each mention of the name is explained. */
  readonly aboutMentions?: true;
  /** It is about files that the server has not opened: none, if all that mention the name are open. */
  readonly unopened?: true;
  /** It is about a name that more files than these mention. */
  readonly aboveMentions?: number;
  /** The server is loading: of several such doubts, the one with the highest number is the newest. */
  readonly loading?: number;
}

/** Returns whether the answer to the same question may lack this doubt later. */
export function mayPass({ kind, lasting }: Doubt): boolean {
  return passes[kind] && lasting !== true;
}

/** True for kinds of doubts that usually pass. */
const passes: Readonly<Record<DoubtKind, boolean>> = {
  indexing: true,
  timed_out: true,
  server_restarted: true,
  project_not_loaded: false,
  server_unavailable: false,
  watch_lost: false,
  not_trusted: false,
  unsaved_elsewhere: false,
  unexpected_edit: false,
  unverified: false,
  other_worktree: false,
  as_of: false,
  changed_since: false,
  not_indexed: false,
  capped: false,
};

/** Removes duplicate doubts, also that a server is loading but for the newest, and sorts them by kind. */
export function uniqueDoubts(doubts: readonly Doubt[]): Doubt[] {
  return [...byKey(doubts)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, doubt]) => doubt);
}

/** Like `uniqueDoubts`, but keeps the order. */
export function withoutRepeats(doubts: readonly Doubt[]): Doubt[] {
  return [...byKey(doubts).values()];
}

function byKey(doubts: readonly Doubt[]): ReadonlyMap<string, Doubt> {
  const seen = new Map<string, Doubt>();
  for (const doubt of doubts) {
    const { kind, server = '', detail, loading } = doubt;
    const key = `${kind}\0${server}\0${loading === undefined ? detail : ''}`;
    if ((seen.get(key)?.loading ?? -1) <= (loading ?? 0)) seen.set(key, doubt);
  }
  return seen;
}
