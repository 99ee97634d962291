import type { ServerDefinition, Service } from '../../src/servers/definition.ts';
import { languageOf } from '../../src/servers/language-of.ts';
import type { Scenario, Step } from '../scenarios/archive.ts';
import { answersSomething, pathsOf } from './proven-services.ts';

/** What came of asking a server through a tool. */
export type ToolProof = 'answered' | 'not_supported';

/** What scenarios show of each tool on each real server: by the server's id, then by the tool's name. */
export function provenTools(
  scenarios: readonly { readonly scenario: Scenario; readonly together: string }[],
  servers: readonly ServerDefinition[],
): ReadonlyMap<string, ReadonlyMap<string, ToolProof>> {
  const proven = new Map<string, Map<string, ToolProof>>();
  for (const { scenario, together } of scenarios) {
    const meant = servers.filter(({ id }) => together.split('+').includes(id));
    for (const { tool, proof, paths } of scenario.steps.flatMap(proofOf)) {
      for (const { id } of meant.filter((one) => isConcerned(one, tool, proof, paths, meant.length))) {
        const own = proven.get(id) ?? new Map<string, ToolProof>();
        proven.set(id, own);
        // A server that answers a tool may still refuse a variant of it.
        if (own.get(tool) !== 'answered') own.set(tool, proof);
      }
    }
  }
  return proven;
}

/** What a server must be able to answer for a tool; tools that are not here ask only for what follows from a change. */
const serviceOf: Readonly<Record<string, Service>> = {
  find_definition: 'definition',
  find_references: 'references',
  find_implementations: 'implementations',
  get_call_hierarchy: 'calls',
  get_type_hierarchy: 'types',
  search_workspace_symbols: 'symbols',
  get_document_symbols: 'outline',
  inspect_symbol: 'definition',
  get_hover: 'hover',
  get_completions: 'completions',
  get_signature_help: 'signatures',
  get_inlay_hints: 'hints',
  get_diagnostics: 'diagnostics',
  get_code_actions: 'actions',
  format_document: 'format',
  rename_symbol: 'rename',
  rename_symbol_strict: 'rename',
  edit_symbol: 'outline',
  rename_file: 'moves',
  delete_file: 'references',
};

interface AskedTool {
  readonly tool: string;
  readonly proof: ToolProof;
  readonly paths: readonly string[];
}

/** Other errors, and that there is nothing, show neither. */
function proofOf(step: Step): readonly AskedTool[] {
  if (step.kind !== 'call') return [];
  const { tool, input, golden } = step;
  if (golden.text.startsWith('not_supported: '))
    return [{ tool, proof: 'not_supported', paths: pathsOf(input) }];
  return answersSomething(golden.text) ? [{ tool, proof: 'answered', paths: pathsOf(input) }] : [];
}

/** Of several servers at once, those that serve the file which the call names and that are asked such questions. */
function isConcerned(
  server: ServerDefinition,
  tool: string,
  proof: ToolProof,
  paths: readonly string[],
  several: number,
): boolean {
  const service = serviceOf[tool];
  const isAsked = service === undefined || server.answers?.includes(service) !== false;
  if (proof === 'answered' && !isAsked) return false;
  if (several === 1) return true;
  if (paths.length === 0) return service === 'symbols';
  return paths.some((path) => languageOf(path, server) !== undefined);
}
