import type { Service } from '../../servers/definition.ts';

/** What each question is called in a configuration file. */
export const serviceNames = {
  definition: 'definition',
  references: 'references',
  hover: 'hover',
  outline: 'document_symbols',
  symbols: 'workspace_symbols',
  diagnostics: 'diagnostics',
  rename: 'rename',
  moves: 'rename_files',
  actions: 'code_actions',
  format: 'formatting',
  declaration: 'declaration',
  type: 'type_definition',
  implementations: 'implementations',
  calls: 'call_hierarchy',
  types: 'type_hierarchy',
  completions: 'completion',
  signatures: 'signature_help',
  hints: 'inlay_hints',
} as const satisfies Record<Service, string>;

/** The name of a question in a configuration file. */
export type ServiceName = (typeof serviceNames)[Service];

/** Every question, in the order of the table above. */
const services = Object.keys(serviceNames).filter(isService);

/** The questions that some names mean. */
export function servicesNamed(names: readonly ServiceName[]): readonly Service[] {
  return services.filter((service) => names.includes(serviceNames[service]));
}

/** A table by name as a table by question. */
export function byService(
  given: Readonly<Partial<Record<ServiceName, number | undefined>>>,
  unit: number,
): Partial<Record<Service, number>> {
  return Object.fromEntries(
    services.flatMap((service) => {
      const value = given[serviceNames[service]];
      return value === undefined ? [] : [[service, value * unit]];
    }),
  );
}

function isService(name: string): name is Service {
  return Object.hasOwn(serviceNames, name);
}
