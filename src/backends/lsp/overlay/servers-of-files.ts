import type { QuestionKind } from '../../../core/questions.ts';
import type { Service } from '../../../servers/definition.ts';
import { rows } from '../questions/table.ts';
import type { Router } from '../routing/router.ts';
import type { ServerSlot } from '../session/server-slot.ts';

/**
 * Returns all servers that may be asked about the files, with those that ask them and those that they ask.
 * Every lease follows this order: a server comes before those it asks, so that it gets its answers first.
 */
export function serversOfFiles(router: Router, paths: readonly string[]): readonly ServerSlot[] {
  const serving = paths.flatMap((path) => [...router.serving(path, ...services), ...router.seeing(path)]);
  const known = new Set(serving);
  const asking = router.slots.filter((slot) => router.askedBy(slot).some((asked) => known.has(asked)));
  const all = new Set([...serving, ...asking]);
  for (const slot of [...all]) for (const asked of router.askedBy(slot)) all.add(asked);
  return [...all].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

const services: readonly Service[] = [...Object.keys(rows).filter(isKind), 'diagnostics'];

function isKind(name: string): name is QuestionKind {
  return Object.hasOwn(rows, name);
}

function placeOf({ definition, root }: ServerSlot): string {
  return [definition.quirks?.relays ? 0 : 1, root, definition.id].join('\0');
}
