import type { ServerDefinition } from '../../../servers/definition.ts';

/** Of each group the first definition that is usable; where none is, the first, which then says why. */
export function bestOfGroups(
  ranked: readonly ServerDefinition[],
  isUsable: (definition: ServerDefinition) => boolean,
): readonly ServerDefinition[] {
  const groups = new Map<string, ServerDefinition>();
  for (const definition of ranked) {
    const group = definition.group ?? definition.id;
    const best = groups.get(group);
    if (!best || (!isUsable(best) && isUsable(definition))) groups.set(group, definition);
  }
  return [...groups.values()];
}
