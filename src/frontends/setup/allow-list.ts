import type { CatalogueTool } from '../../surfaces/catalogue-fields.ts';
import type { AgentClient } from './clients/client.ts';

/** Returns the names of the listed tools as a client takes them in lists of allowed tools, those that only read first. */
export function allowList(
  tools: readonly CatalogueTool[],
  client: AgentClient | undefined,
): readonly string[] {
  const form = client?.toolName ?? '*';
  const listed = tools.filter((tool) => tool.listed);
  const reads = listed.filter(({ annotations }) => annotations.readOnlyHint);
  const writes = listed.filter(({ annotations }) => !annotations.readOnlyHint);
  return [...reads, ...writes].map(({ name }) => form.replace('*', name));
}
