/** Why an answer may be incomplete. The set is closed: agents decide on it. */
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
  /** A change is not what was asked for: it leaves uses out, or touches what has another name. */
  | 'unexpected_edit';

/** One reason why an answer may be incomplete. */
export interface Doubt {
  readonly kind: DoubtKind;
  readonly detail: string;
  readonly server?: string;
}

/** Removes doubts that say the same, and orders them by kind. */
export function uniqueDoubts(doubts: readonly Doubt[]): Doubt[] {
  const seen = new Map<string, Doubt>();
  for (const doubt of doubts) seen.set(`${doubt.kind}\0${doubt.server ?? ''}\0${doubt.detail}`, doubt);
  return [...seen.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, doubt]) => doubt);
}
