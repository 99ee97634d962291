import type { Change } from '../../workspace/workspace.ts';

/** Two changes of one file as one, for a server that has heard of neither. */
export function joinChanges(earlier: Change | undefined, later: Change): Change {
  if (earlier?.kind === 'created' && later.kind === 'changed') return earlier;
  if (earlier?.kind === 'deleted' && later.kind === 'created') return { path: later.path, kind: 'changed' };
  return later;
}
