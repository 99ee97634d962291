import type { ServerDefinition, Service } from '../../src/servers/definition.ts';
import { languageOf } from '../../src/servers/language-of.ts';
import type { Scenario, Step } from '../scenarios/archive.ts';

/** Which services each tool of a scenario proves. */
const servicesByTool: Readonly<Record<string, Service>> = {
  find_definition: 'definition',
  find_references: 'references',
  get_hover: 'hover',
  get_document_symbols: 'outline',
  search_workspace_symbols: 'symbols',
  get_diagnostics: 'diagnostics',
};

/** What scenarios prove of a real server. */
export interface Proof {
  readonly services: Set<Service>;
  /** The ids of the languages that it was asked about. */
  readonly languages: Set<string>;
}

/** What scenarios prove of real servers, by their ids: the services that each answered with something. */
export function provenServices(
  scenarios: readonly { readonly scenario: Scenario; readonly together: string }[],
  servers: readonly ServerDefinition[],
): ReadonlyMap<string, Proof> {
  const proven = new Map<string, Proof>();
  for (const { scenario, together } of scenarios) {
    const meant = servers.filter(({ id }) => together.split('+').includes(id));
    for (const { service, paths } of scenario.steps.flatMap(proofOf)) {
      for (const server of meant.filter((one) => isAsked(one, service, paths, meant.length))) {
        const { services, languages } = proven.get(server.id) ?? enter(proven, server.id);
        services.add(service);
        for (const language of paths.flatMap((path) => languageOf(path, server) ?? []))
          languages.add(language);
      }
    }
  }
  return proven;
}

function enter(proven: Map<string, Proof>, id: string): Proof {
  const proof = { services: new Set<Service>(), languages: new Set<string>() };
  proven.set(id, proof);
  return proof;
}

/** What a step asked that was answered with something. */
function proofOf(step: Step): readonly { readonly service: Service; readonly paths: readonly string[] }[] {
  if (step.kind !== 'call' || !answersSomething(step.golden.text)) return [];
  const service = servicesByTool[step.tool];
  return service === undefined ? [] : [{ service, paths: pathsOf(step.input) }];
}

/** An error, or that there is nothing, proves little. */
export function answersSomething(text: string): boolean {
  return !/^(?:[a-z_]+: |No |There is no )/.test(text);
}

/** Of several servers at once, those that serve the file which the call names. */
function isAsked(
  server: ServerDefinition,
  service: Service,
  paths: readonly string[],
  several: number,
): boolean {
  if (server.answers?.includes(service) === false) return false;
  if (paths.length === 0) return several === 1 || service === 'symbols';
  return paths.some((path) => languageOf(path, server) !== undefined);
}

/** The files that a call names. */
export function pathsOf(input: unknown): readonly string[] {
  if (typeof input !== 'object' || input === null) return [];
  const one = 'file_path' in input ? [input.file_path] : [];
  const many = 'file_paths' in input && Array.isArray(input.file_paths) ? input.file_paths : [];
  return [...one, ...many].filter((path) => typeof path === 'string');
}
