import { setTimeout as pass } from 'node:timers/promises';
import {
  type CallToolResult,
  type InputRequiredResult,
  MissingRequiredClientCapabilityError,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import { clientCan } from './client-can.ts';
import { image, sound } from './fixture-media.ts';
import { defaults, enums, keywords, person } from './fixture-schemas.ts';

/** What a tool of the suite answers. */
export type Result = CallToolResult | InputRequiredResult;

/** A tool that the suite calls. */
export interface FixtureTool {
  readonly description: string;
  readonly inputSchema: Tool['inputSchema'];
  readonly run: (args: Record<string, unknown>, context: ServerContext) => Result | Promise<Result>;
}

/** The tools that answer at once, that tell how far they are, and that ask the client. */
export const fixtureTools: Record<string, FixtureTool> = {
  test_simple_text: tool('Gives text', () => text('This is a simple text response for testing.')),
  test_image_content: tool('Gives an image', () => ({ content: [image] })),
  test_audio_content: tool('Gives a sound', () => ({ content: [sound] })),
  test_embedded_resource: tool('Gives a resource', () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  })),
  test_multiple_content_types: tool('Gives one of each', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  })),
  test_error_handling: tool('Fails', () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  })),
  test_tool_with_logging: tool('Logs three lines', logThrice),
  test_logging_tool: tool('Logs three lines', logThrice),
  test_tool_with_progress: tool('Tells how far it is', tellProgress),
  test_reconnection: tool('Closes its stream before it answers', (_, { http }) => {
    http?.closeSSE?.();
    return text('Answered after the stream was closed.');
  }),
  test_missing_capability: tool('Needs sampling', (_, context) => {
    if (clientCan(context, 'sampling')) return text('The client can sample.');
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  }),
  test_sampling: tool('Asks the model of the client', sample, {
    type: 'object',
    properties: { prompt: { type: 'string' } },
    required: ['prompt'],
  }),
  test_elicitation: tool('Asks the user', ({ message }, context) => elicit(`${message}`, person, context), {
    type: 'object',
    properties: { message: { type: 'string' } },
    required: ['message'],
  }),
  test_elicitation_sep1034_defaults: tool('Asks the user, with defaults', (_, context) =>
    elicit('Look over these', defaults, context),
  ),
  test_elicitation_sep1330_enums: tool('Asks the user to choose', (_, context) =>
    elicit('Choose', enums, context),
  ),
  json_schema_2020_12_tool: tool('Has every keyword', () => text('Nothing.'), keywords),
};

/** A tool, as a row of a table. */
export function tool(
  description: string,
  run: FixtureTool['run'],
  inputSchema: Tool['inputSchema'] = { type: 'object' },
): FixtureTool {
  return { description, run, inputSchema };
}

/** An answer of one text. */
export function text(words: string) {
  return { content: [{ type: 'text' as const, text: words }] };
}

function resource(uri: string, mimeType: string, words: string) {
  return { type: 'resource' as const, resource: { uri, mimeType, text: words } };
}

// The suite wants some time between the messages.
const gap = 50;

async function logThrice(_: unknown, { mcpReq }: ServerContext) {
  await mcpReq.log('info', 'Tool execution started');
  await pass(gap);
  await mcpReq.log('info', 'Tool processing data');
  await pass(gap);
  await mcpReq.log('info', 'Tool execution completed');
  return text('Logged.');
}

async function tellProgress(_: unknown, { mcpReq }: ServerContext) {
  const progressToken = mcpReq._meta?.progressToken;
  for (const progress of [0, 50, 100]) {
    if (progress > 0) await pass(gap);
    if (progressToken === undefined) continue;
    const params = { progressToken, progress, total: 100 };
    await mcpReq.notify({ method: 'notifications/progress', params });
  }
  return text('Done.');
}

async function sample({ prompt }: Record<string, unknown>, { mcpReq }: ServerContext) {
  const messages = [{ role: 'user', content: { type: 'text', text: `${prompt}` } }];
  const { content } = await mcpReq.send({
    method: 'sampling/createMessage',
    params: { messages, maxTokens: 100 },
  });
  return text(`LLM response: ${JSON.stringify(content)}`);
}

async function elicit(message: string, requestedSchema: object, { mcpReq }: ServerContext) {
  const { action, content = {} } = await mcpReq.send({
    method: 'elicitation/create',
    params: { message, requestedSchema },
  });
  return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
}
