import { suggestName } from '../../core/wording/nearest-name.ts';
import type { CatalogueSurface } from '../../surfaces/catalogue-fields.ts';
import { toolsetsOf } from '../mcp/offer.ts';
import type { CommandName } from './flags.ts';
import { usageError } from './usage-error.ts';

/** Throws for an unknown surface, toolset or tool, whether from a flag or from the configuration. */
export function checkNames(
  catalogue: readonly CatalogueSurface[],
  given: { readonly surface: string; readonly toolsets: readonly string[]; readonly tool?: string },
  command: CommandName,
): void {
  const surface = catalogue.find(({ name }) => name === given.surface);
  const surfaces = catalogue.map(({ name }) => name);
  if (surface === undefined) {
    throw usageError(`Unknown surface ${given.surface}. ${suggestName(given.surface, surfaces)}`, command);
  }
  const toolsets = toolsetsOf(surface);
  const unknown = given.toolsets.find((toolset) => !toolsets.includes(toolset));
  if (unknown !== undefined) {
    throw usageError(`Unknown toolset ${unknown}. ${suggestName(unknown, toolsets)}`, command);
  }
  const tools = [...surface.tools.map(({ name }) => name), ...(surface.hookTools ?? [])];
  if (given.tool !== undefined && !tools.includes(given.tool)) {
    throw usageError(`Unknown tool ${given.tool}. ${suggestName(given.tool, tools)}`, command);
  }
}
