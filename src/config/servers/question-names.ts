import type { Service } from '../../servers/definition.ts';

/** Name of each question in a configuration file. */
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

/** One of the names in `serviceNames`. */
type ServiceName = (typeof serviceNames)[Service];

const services = Object.keys(serviceNames).filter(isService);

/** Converts names to questions, in the order of `serviceNames`. */
export function servicesNamed(names: readonly ServiceName[]): readonly Service[] {
  return services.filter((service) => names.includes(serviceNames[service]));
}

/** Converts a table by name to a table by question, each value multiplied by `unit`. */
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
