import { isPathWithin } from '../../platform/files/path-within.ts';
import type { StepAction } from './step.ts';

/** What a path is called after some actions: a folder above it, or itself, may have been moved. */
export function afterMoves(path: string, actions: readonly StepAction[]): string {
  return actions.reduce(
    (place, action) => (action.kind === 'move' ? moved(place, action.from, action.to) : place),
    path,
  );
}

/** What a path was called before some actions. */
export function beforeMoves(path: string, actions: readonly StepAction[]): string {
  return actions.reduceRight(
    (place, action) => (action.kind === 'move' ? moved(place, action.to, action.from) : place),
    path,
  );
}

/** The action that gives what is at a path another content, wherever that is by then. */
export function replacementOf(
  path: string,
  actions: readonly StepAction[],
): (StepAction & { kind: 'put' }) | undefined {
  let place = path;
  for (const action of actions) {
    if (action.kind === 'put' && action.path === place) return action;
    place = afterMoves(place, [action]);
  }
  return undefined;
}

function moved(place: string, from: string, to: string): string {
  return isPathWithin(from, place) ? to + place.slice(from.length) : place;
}
