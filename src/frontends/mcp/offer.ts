import type { CatalogueSurface, CatalogueTool } from '../../surfaces/catalogue.ts';
import { version } from '../../version.ts';
import type { OutputMode } from './output-mode.ts';

/** What a client is told when it connects: who we are and which tools there are. The same for every client. */
export interface Offer {
  readonly capabilities: { readonly tools: Record<string, never> };
  readonly serverInfo: { readonly name: string; readonly version: string };
  readonly instructions?: string;
  readonly tools: readonly OfferedTool[];
}

/** One tool as `tools/list` tells it. */
export type OfferedTool = Pick<
  CatalogueTool,
  'name' | 'title' | 'description' | 'inputSchema' | 'annotations'
> &
  Partial<Pick<CatalogueTool, 'outputSchema'>>;

/** What the user chose of a surface. */
export interface Choice {
  /** Names of toolsets, or `all`; none means the tools that are listed by default. */
  readonly toolsets: readonly string[];
  readonly readOnly: boolean;
  readonly output: OutputMode;
}

/** Makes the offer of a surface for a choice. */
export function makeOffer(surface: CatalogueSurface, choice: Choice): Offer {
  return {
    capabilities: { tools: {} },
    serverInfo: { name: surface.serverName, version },
    ...(surface.instructions && { instructions: surface.instructions }),
    tools: surface.tools
      .filter((tool) => isOffered(tool, choice))
      .map((tool) => offered(tool, choice.output)),
  };
}

/** The toolsets of a surface, as a user may name them. */
export function toolsetsOf(surface: CatalogueSurface): string[] {
  return [...new Set(surface.tools.map((tool) => tool.toolset)), 'all'];
}

function isOffered(tool: CatalogueTool, { toolsets, readOnly }: Choice): boolean {
  if (readOnly && tool.effects === 'files') return false;
  if (toolsets.length === 0) return tool.listed;
  return toolsets.includes('all') || toolsets.includes(tool.toolset);
}

function offered(tool: CatalogueTool, output: OutputMode): OfferedTool {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const told = { name, title, description, inputSchema, annotations };
  return declaresOutput[output] ? { ...told, outputSchema } : told;
}

/** A client checks answers against a declared schema, so it is declared only where every answer follows it. */
const declaresOutput: Record<OutputMode, boolean> = {
  auto: false,
  text: false,
  structured: true,
  both: true,
};
