import { isRecord } from '../../core/runtime/json.ts';
import type { CatalogueSurface, CatalogueTool } from '../../surfaces/catalogue-fields.ts';
import type { PromptTemplate } from '../../surfaces/surface.ts';
import { version } from '../../version.ts';
import { diagnosticsTemplate, type ResourceTemplate } from './diagnostics-uri.ts';
import type { OutputMode } from './output-mode.ts';

/** The server's identity and capabilities, equal for every client. */
export interface Offer {
  /** The surface that names the tools. */
  readonly surface: string;
  readonly identity: Identity;
  readonly tools: readonly OfferedTool[];
  /** Tools that hooks of the client may call, though no list has them. */
  readonly hookTools?: readonly string[];
  /** Where the other tools of the surface are, by name: a sentence. */
  readonly unlisted?: ReadonlyMap<string, string>;
  readonly prompts: readonly PromptTemplate[];
  readonly resourceTemplates: readonly ResourceTemplate[];
  /** Answers follow the declared schemas, and failures are protocol errors. */
  readonly contract?: true;
}

/** The server's identity in the result of `initialize`. */
interface Identity {
  readonly capabilities: {
    readonly tools: { readonly listChanged?: true };
    readonly prompts?: Record<string, never>;
    readonly resources?: { readonly subscribe?: true };
    readonly completions?: Record<string, never>;
  };
  readonly serverInfo: { readonly name: string; readonly version: string };
  readonly instructions?: string;
}

/** A tool as listed by `tools/list`. */
type OfferedTool = Pick<CatalogueTool, 'name' | 'title' | 'description' | 'inputSchema' | 'annotations'> &
  Partial<Pick<CatalogueTool, 'outputSchema'>>;

interface Choice {
  /** Names of toolsets, or `all`; default the tools that are listed by default. */
  readonly toolsets: readonly string[];
  readonly readOnly: boolean;
  readonly output: OutputMode;
  /** True if another version of lspan may answer later, with other tools. */
  readonly mayChange?: boolean;
  /** True if other repositories are indexed; else no list offers to search them. Default false. */
  readonly hasIndexes?: boolean;
}

/** Makes the offer of a surface for a choice. */
export function makeOffer(surface: CatalogueSurface, choice: Choice): Offer {
  const tools = surface.tools.filter((tool) => isOffered(tool, choice));
  const names = new Set(tools.map(({ name }) => name));
  const prompts = surface.prompts.filter((prompt) => prompt.tools.every((tool) => names.has(tool)));
  return {
    surface: surface.name,
    identity: {
      capabilities: {
        tools: choice.mayChange ? { listChanged: true } : {},
        ...(prompts.length > 0 && { prompts: {} }),
        ...(surface.resources && { resources: { subscribe: true } }),
        ...((prompts.length > 0 || surface.resources) && { completions: {} }),
      },
      serverInfo: { name: surface.serverName, version },
      ...(surface.instructions && { instructions: surface.instructions }),
    },
    tools: tools.map((tool) => offered(tool, surface.contract ? 'structured' : choice.output, choice)),
    unlisted: new Map(
      surface.tools.filter((tool) => !names.has(tool.name)).map((tool) => [tool.name, whereOf(tool, choice)]),
    ),
    ...(surface.hookTools && { hookTools: surface.hookTools }),
    prompts,
    resourceTemplates: surface.resources ? [diagnosticsTemplate] : [],
    ...(surface.contract && { contract: true }),
  };
}

/** An offer whose tools change when another version of lspan answers. The rest is what clients were told at first. */
export class ChangingOffer implements Offer {
  readonly surface: string;
  readonly identity: Identity;
  readonly prompts: Offer['prompts'];
  readonly resourceTemplates: Offer['resourceTemplates'];
  readonly contract?: true;
  readonly hookTools?: readonly string[];
  #present: Offer;

  constructor(first: Offer) {
    this.surface = first.surface;
    this.identity = first.identity;
    this.prompts = first.prompts;
    this.resourceTemplates = first.resourceTemplates;
    if (first.contract) this.contract = first.contract;
    if (first.hookTools) this.hookTools = first.hookTools;
    this.#present = first;
  }

  get tools(): Offer['tools'] {
    return this.#present.tools;
  }

  get unlisted(): NonNullable<Offer['unlisted']> {
    return this.#present.unlisted ?? new Map();
  }

  /** Returns whether the tools are others now. */
  change(next: Offer): boolean {
    const before = JSON.stringify(this.tools);
    this.#present = next;
    return JSON.stringify(next.tools) !== before;
  }
}

/** Returns whether a call may name a tool: a listed one, or one for hooks. */
export function isCallable({ tools, hookTools = [] }: Offer, name: string): boolean {
  return tools.some((tool) => tool.name === name) || hookTools.includes(name);
}

/** Returns the offer for callers that cannot get later notifications. */
export function withoutFollowing(offer: Offer): Offer {
  const { identity } = offer;
  const { capabilities } = identity;
  if (!capabilities.resources) return offer;
  return { ...offer, identity: { ...identity, capabilities: { ...capabilities, resources: {} } } };
}

/** Returns the names of the toolsets of a surface, for users. */
export function toolsetsOf(surface: CatalogueSurface): string[] {
  return [...new Set(surface.tools.map((tool) => tool.toolset)), 'all'];
}

function isOffered(tool: CatalogueTool, { toolsets, readOnly }: Choice): boolean {
  if (readOnly && tool.effects === 'files') return false;
  if (toolsets.length === 0) return tool.listed;
  return toolsets.includes('all') || toolsets.includes(tool.toolset);
}

/** Says why a tool is not offered, and what the user can do. */
function whereOf({ effects, toolset }: CatalogueTool, { readOnly }: Choice): string {
  if (readOnly && effects === 'files') return 'It changes files, and lspan was started with --read-only.';
  return `It is not listed: the user can start lspan with --toolset ${toolset}, or all.`;
}

function offered(tool: CatalogueTool, output: OutputMode, { hasIndexes = false }: Choice): OfferedTool {
  const { name, title, description, outputSchema, annotations } = tool;
  const inputSchema = hasIndexes ? tool.inputSchema : withoutScope(tool.inputSchema);
  const told = { name, title, description, inputSchema, annotations };
  return declaresOutput[output] ? { ...told, outputSchema } : told;
}

/** Leaves out the field that only indexes answer: it would cost every agent tokens. It is accepted all the same. */
function withoutScope(schema: CatalogueTool['inputSchema']): CatalogueTool['inputSchema'] {
  const { properties } = schema;
  if (!isRecord(properties) || properties.scope === undefined) return schema;
  const { scope, ...others } = properties;
  return { ...schema, properties: others };
}

/** Clients check answers against a declared schema, so it is declared only if every answer follows it. */
const declaresOutput: Record<OutputMode, boolean> = {
  auto: false,
  text: false,
  structured: true,
  both: true,
};

/** Returns a prompt as listed by `prompts/list`. */
export function promptTold({ name, title, description, arguments: args }: PromptTemplate) {
  return { name, title, description, arguments: args.map((one) => ({ ...one })) };
}
