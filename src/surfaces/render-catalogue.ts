import { z } from 'zod';
import type { Tool } from '../tools/run/tool.ts';
import type { CatalogueSurface, CatalogueTool } from './catalogue-fields.ts';
import type { Surface } from './surface.ts';

/** Converts surfaces to the plain data that clients see; every byte of it costs each agent tokens. */
export function renderCatalogue(surfaces: readonly Surface[]): CatalogueSurface[] {
  return surfaces.map(({ tools, hookTools = [], ...surface }) => {
    const schemas = surface.contract ? contractSchemas : plainSchemas;
    const hooked = hookTools.length === 0 ? {} : { hookTools: hookTools.map(({ name }) => name) };
    return { ...surface, tools: tools.map((tool) => renderTool(tool, schemas)), ...hooked };
  });
}

type Schemas = (tool: Tool) => Pick<CatalogueTool, 'inputSchema' | 'outputSchema'>;

/** Schemas that every agent pays for: short, and true for errors too. */
const plainSchemas: Schemas = ({ input, output }) => ({
  inputSchema: { ...jsonSchema(input, dropNoise), type: 'object', additionalProperties: false },
  outputSchema: answerOrError(jsonSchema(output, dropNoise)),
});

/** Schemas of a contract, with every bound; its errors are not answers. */
const contractSchemas: Schemas = ({ input, output }) => ({
  inputSchema: { ...jsonSchema(input), type: 'object', additionalProperties: false },
  outputSchema: { ...jsonSchema(output), type: 'object' },
});

function renderTool(tool: Tool, schemas: Schemas): CatalogueTool {
  const { name, title, description, toolset, listed, effects } = tool;
  const described = { name, title, description, ...schemas(tool), annotations: annotations[effects] };
  return { ...described, toolset, listed, effects };
}

/** A language server is part of the closed world that lspan runs in. */
const annotations: Record<Tool['effects'], CatalogueTool['annotations']> = {
  none: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  servers: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  files: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  as_given: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
};

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Renders a schema for a reader of the data: in the form for output, zod would close every object. */
function jsonSchema(schema: z.ZodType, change: (part: JsonSchema) => void = () => {}): JsonSchema {
  const { $schema, ...rendered } = z.toJSONSchema(schema, {
    io: 'input',
    override: (part) => change(part.jsonSchema),
  });
  return rendered;
}

/** Drops bounds that no sensible call reaches: they only cost tokens. They are enforced nevertheless. */
function dropNoise(schema: JsonSchema): void {
  for (const bound of bounds) delete schema[bound];
}

const bounds = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'propertyNames',
] as const;

/** A declared schema must hold for every answer (MCP), and an error is an answer. */
function answerOrError(schema: JsonSchema): CatalogueTool['outputSchema'] {
  const { $defs, properties, required, ...payload } = schema;
  const answer = {
    ...payload,
    properties: { ...envelope.properties, ...properties },
    required: [...(envelope.required ?? []), ...(required ?? [])],
  };
  return { type: 'object', anyOf: [answer, error], ...($defs && { $defs }) };
}

/** Fields of every answer besides its payload. */
const envelope = jsonSchema(
  z.object({
    complete: z.boolean(),
    doubts: z.array(z.object({ kind: z.string(), detail: z.string(), server: z.string().optional() })),
    total: z.int().optional(),
    returned: z.int().optional(),
    next_cursor: z.string().optional(),
    adjusted: z.string().optional(),
  }),
  dropNoise,
);

const error = jsonSchema(
  z.object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      retryable: z.boolean(),
      next_step: z.string().nullable(),
    }),
  }),
  dropNoise,
);
