import type { ServerDefinition, Service } from './server-definition.ts';

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

/** The preferred first: who leads in a service, and then by rank. */
export function byRank(
  definitions: readonly ServerDefinition[],
  service: Service,
): readonly ServerDefinition[] {
  const leads = ({ leadsIn }: ServerDefinition) => (leadsIn?.includes(service) ? 1 : 0);
  return [...definitions].sort((a, b) => leads(b) - leads(a) || (b.rank ?? 0) - (a.rank ?? 0));
}
