import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Bridge } from '../../bridge.ts';
import type { Outcome } from '../../tools/run/tool.ts';

/** The output mode of answers: `--output`. */
export type OutputMode = Bridge['config']['output'];

/** Clients that show the model `structuredContent` instead of the text, by the name in `clientInfo`. */
const replacesText: ReadonlySet<string> = new Set(['claude-code', 'codex-mcp-client']);

/** Clients that show the model the whole result of a failed call as JSON, so that it sees data beside the text twice. */
const showsWholeErrors: ReadonlySet<string> = new Set(['gemini-cli-mcp-client']);

/** How an outcome is carried to a client. */
interface Carriage {
  readonly mode: OutputMode;
  readonly client: string | undefined;
  /** True if data that is JSON already is passed on as it is: the transport must know how. */
  readonly passesJson?: true | undefined;
}

/** Converts an outcome in an output mode: the model should see the answer once, in its cheapest form. */
export function carry(
  outcome: Outcome,
  told: string,
  { mode, client, passesJson }: Carriage,
): CallToolResult {
  const shown = mode === 'auto' ? autoMode(client, outcome.isError) : mode;
  const text = shown === 'structured' && !outcome.isError ? firstLine(told) : told;
  const data = () => (passesJson && outcome.serialised) || outcome.data;
  return {
    content: [{ type: 'text', text }],
    ...(shown !== 'text' && { structuredContent: data() }),
    ...(outcome.isError && { isError: true }),
  };
}

/** Returns which form the model sees: `data` if the user asked for structured content. */
export function shownTo(mode: OutputMode): 'text' | 'data' {
  return mode === 'structured' || mode === 'both' ? 'data' : 'text';
}

function autoMode(client: string | undefined, isError: boolean): 'text' | 'both' {
  if (client === undefined) return 'both';
  return replacesText.has(client) || (isError && showsWholeErrors.has(client)) ? 'text' : 'both';
}

function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end === -1 ? text : text.slice(0, end);
}
