import type { ServerDefinition, Service } from './definition.ts';

/** The doubt of servers that search only the file that is asked about, whatever uses the name elsewhere. */
export const fileOnly: NonNullable<ServerDefinition['doubts']> = (_facts, service) => {
  const detail = 'Only the file itself was searched; search the text of the others.';
  return searching.has(service) ? [{ kind: 'project_not_loaded', detail }] : [];
};

const searching: ReadonlySet<Service> = new Set(['references', 'implementations', 'calls', 'types']);
