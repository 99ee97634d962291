import type { EventEmitter } from 'node:events';
import type { openBridge } from '../../../bridge.ts';
import { limits } from '../../../core/limits.ts';
import { isRecord } from '../../../core/runtime/json.ts';
import { catalogue } from '../../../surfaces/catalogue.ts';
import type { Outcome } from '../../../tools/run/tool.ts';
import { checkNames } from '../check-names.ts';
import { interruption } from '../interruption.ts';
import type { CommandLine } from '../parse-command-line.ts';
import { print } from '../print.ts';
import { type Prepared, type ProcessContext, readSettings } from '../read-settings.ts';
import { usageError } from '../usage-error.ts';

type Calling = Extract<CommandLine, { readonly kind: 'call' }>;

/** Calls one tool and prints its answer; returns the exit code. */
export async function runCall(command: Calling, around: ProcessContext): Promise<number> {
  const input = readInput(command.input === '-' ? await readAll(process.stdin) : command.input);
  const surface = command.flags.surface ?? 'lspan';
  const prepared = await readSettings(command.flags, { surface, survivesFaults: false }, around);
  checkNames(catalogue, { surface, toolsets: prepared.toolsets, tool: command.tool }, 'call');
  const { openBridge: open } = await import('../../../bridge.ts');
  const { contract } = catalogue.find(({ name }) => name === surface) ?? {};
  const answer = (outcome: Outcome) => print(formatOutcome(outcome, command.flags.json, contract));
  return await callOnce(open, prepared, { tool: command.tool, input, answer }).finally(prepared.close);
}

/** Opens a bridge for one call and returns the exit code. A signal ends the call and closes the bridge in a hurry. */
export async function callOnce(
  open: typeof openBridge,
  { bridge: settings, roots }: Pick<Prepared, 'bridge' | 'roots'>,
  call: {
    readonly tool: string;
    readonly input: unknown;
    readonly answer: (outcome: Outcome) => Promise<void>;
  },
  signals: EventEmitter = process,
): Promise<number> {
  const interrupted = interruption(signals);
  const work = async () => {
    const bridge = await open({ ...settings, roots });
    const report = (message: string) => settings.log('info', 'waiting', { message });
    const outcome = await bridge.call(call.tool, call.input, { signal: interrupted.signal, report });
    if (interrupted.exitCode() === undefined) await call.answer(outcome);
    await bridge.close({ hurried: interrupted.exitCode() !== undefined });
    return interrupted.exitCode() ?? (outcome.isError ? 1 : 0);
  };
  return await work().finally(() => interrupted[Symbol.dispose]());
}

/** Reads the JSON of the command line: an object, or nothing, which is the empty one. */
export function readInput(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined) return {};
  const value = parseJson(text);
  if (isRecord(value)) return value;
  throw usageError('The input of a tool is a JSON object, like {"file_path": "src/a.ts"}.', 'call');
}

/** What is printed of an outcome: its text, or all its data on one line. By a contract the text only counts. */
export function formatOutcome({ text, data, isError }: Outcome, json: boolean, contract?: true): string {
  const told = contract && !isError ? `${text}\n${JSON.stringify(data, null, 2)}` : text;
  const shown = json ? JSON.stringify({ ...data, is_error: isError }) : told;
  return shown.endsWith('\n') ? shown : `${shown}\n`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : 'unreadable';
    throw usageError(`The input is not JSON (${why}). Quote it for the shell: '{"line": 1}'.`, 'call');
  }
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limits.stdioLine) throw usageError('The input is larger than 4 MiB.', 'call');
  }
  return Buffer.concat(chunks).toString('utf8');
}
