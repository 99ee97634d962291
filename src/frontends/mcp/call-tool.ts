import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Bridge } from '../../bridge.ts';
import { asLspanError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { fail } from '../../tools/run-tool.ts';
import type { CallsInFlight } from './calls-in-flight.ts';
import { carry, type OutputMode, shownTo } from './output-mode.ts';
import { type Notify, Progress } from './progress.ts';

/** One `tools/call` of a tool that is offered. */
export interface ToolCall {
  readonly tool: string;
  readonly args: unknown;
  /** The client's own name. */
  readonly client: string | undefined;
  /** Present if the client asked for progress. */
  readonly notify: Notify | undefined;
  readonly signal: AbortSignal;
}

/** Asks the bridge, tells the caller what is waited for, and carries the outcome in the caller's mode. */
export async function callTool(
  call: ToolCall,
  { open, calls }: { readonly open: () => Promise<Bridge>; readonly calls: CallsInFlight },
  output: OutputMode | undefined,
  log: Log,
): Promise<CallToolResult> {
  const progress = call.notify && new Progress(`Working on ${call.tool}.`, call.notify);
  const report = (message: string) => progress?.report(message);
  try {
    return await calls.take(async () => {
      const bridge = await open();
      const mode = output ?? bridge.config.output;
      const { signal } = call;
      const outcome = await bridge.call(call.tool, call.args, { signal, report, shown: shownTo(mode) });
      return carry(outcome, mode, call.client);
    });
  } catch (thrown) {
    // The bridge could not be opened, or has too much to do: an answer like any other, so that the connection lives on.
    const error = asLspanError(thrown);
    log(error.code === 'busy' ? 'warn' : 'error', 'mcp.no_bridge', { error: thrown });
    return carry(fail(error), output ?? 'auto', call.client);
  } finally {
    await progress?.end();
  }
}
