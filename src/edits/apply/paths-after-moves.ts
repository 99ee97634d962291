import { isPathWithin } from '../../platform/files/path-within.ts';
import type { StepAction } from './step.ts';

/** Returns the path of an entry after some actions: it or a folder above it may have been moved. */
export function afterMoves(path: string, actions: readonly StepAction[]): string {
  return actions.reduce(
    (place, action) => (action.kind === 'move' ? moved(place, action.from, action.to) : place),
    path,
  );
}

/** Returns the path that an entry had before some actions. */
export function beforeMoves(path: string, actions: readonly StepAction[]): string {
  return actions.reduceRight(
    (place, action) => (action.kind === 'move' ? moved(place, action.to, action.from) : place),
    path,
  );
}

/** Returns the action that replaces the content of the entry at a path, even if it is moved first. */
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
