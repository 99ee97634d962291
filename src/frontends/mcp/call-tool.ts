import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Bridge } from '../../bridge.ts';
import { asLspanError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { CallsInProgress } from '../../core/runtime/calls-in-progress.ts';
import type { CancelSignal } from '../../core/runtime/cancellation.ts';
import { fail } from '../../tools/run/render-error.ts';
import type { Outcome } from '../../tools/run/tool.ts';
import { carry, type OutputMode, shownTo } from './output-mode.ts';
import { type Notify, Progress } from './progress.ts';
import { protocolFailure } from './protocol-errors.ts';
import { takeCall } from './take-call.ts';
import type { ToldDoubts } from './told-doubts.ts';

/** One `tools/call` of an offered tool. */
export interface ToolCall {
  readonly tool: string;
  readonly args: unknown;
  /** The name in the client's `clientInfo`. */
  readonly client: string | undefined;
  /** The folders that came with the call. */
  readonly folders?: readonly string[];
  /** Present if the client asked for progress. */
  readonly notify: Notify | undefined;
  /** The answer follows the declared schema, and a failure is a protocol error. */
  readonly contract?: true | undefined;
  readonly signal: CancelSignal;
  /** Identifies the caller, where there are several. */
  readonly scope?: string | undefined;
  /** The doubts that its conversation was told; absent for a call that belongs to none. */
  readonly told?: ToldDoubts | undefined;
}

/** Called when a call has ended, with its duration in milliseconds. */
export type OnCallEnd = (call: ToolCall, outcome: Outcome, ms: number) => void;

/** The context of a call, besides the call itself. */
export interface CallToolContext {
  readonly open: () => Promise<Bridge>;
  /** Returns the bridge if it is open: a call that waits for nothing reaches it a turn earlier. */
  readonly ready?: () => Bridge | undefined;
  /** The surface whose tools are called. */
  readonly surface: string;
  readonly calls: CallsInProgress;
  readonly onCallEnd?: OnCallEnd | undefined;
  /** True if the transport can send data that is JSON already. */
  readonly passesJson?: true;
}

/** Calls a tool with progress; returns the outcome in the output mode. A failed contract call throws. */
export async function callTool(
  call: ToolCall,
  context: CallToolContext,
  output: OutputMode | undefined,
  log: Log,
): Promise<CallToolResult> {
  const fixed = call.contract ? 'structured' : output;
  const { outcome, mode } = await ask(call, context, fixed, log);
  if (call.contract && outcome.isError) throw protocolFailure(outcome.data);
  const { text, doubtLines = [] } = outcome;
  // The client of a cancelled call sees nothing of it.
  const told = mode === 'structured' || call.signal.aborted ? undefined : call.told;
  const shown = told?.shorten(text, doubtLines) ?? text;
  return carry(outcome, shown, { mode, client: call.client, passesJson: context.passesJson });
}

interface Asked {
  readonly outcome: Outcome;
  readonly mode: OutputMode;
}

async function ask(
  call: ToolCall,
  { open, ready, surface, calls, onCallEnd }: CallToolContext,
  output: OutputMode | undefined,
  log: Log,
): Promise<Asked> {
  const progress = call.notify && new Progress(`Working on ${call.tool}.`, call.notify);
  const began = performance.now();
  try {
    const work = async () => {
      const bridge = ready?.() ?? (await open());
      const mode = output ?? bridge.config.output;
      const { signal, scope } = call;
      const options = {
        surface,
        signal,
        shown: shownTo(mode),
        ...(progress && { report: (message: string) => progress.report(message) }),
        ...(scope !== undefined && { scope }),
      };
      const outcome = await bridge.call(call.tool, call.args, options);
      onCallEnd?.(call, outcome, performance.now() - began);
      return { outcome, mode };
    };
    return await takeCall(calls, work, { owner: call.scope, signal: call.signal });
  } catch (thrown) {
    // The bridge could not be opened, or is busy: an answer like any other, so the connection stays open.
    const error = asLspanError(thrown);
    log(error.code === 'busy' ? 'warn' : 'error', 'mcp.no_bridge', { error: thrown });
    const outcome = fail(error);
    onCallEnd?.(call, outcome, performance.now() - began);
    return { outcome, mode: output ?? 'auto' };
  } finally {
    if (progress) await progress.end();
  }
}
