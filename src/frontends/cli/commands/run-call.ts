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
import { type CommandSettings, type ProcessContext, readSettings } from '../read-settings.ts';
import { usageError } from '../usage-error.ts';

type CallCommand = Extract<CommandLine, { readonly kind: 'call' }>;

/** Runs `lspan call`; returns the exit code. */
export async function runCall(command: CallCommand, context: ProcessContext): Promise<number> {
  const input = readInput(command.input === '-' ? await readAll(process.stdin) : command.input);
  const surface = command.flags.surface ?? 'lspan';
  const settings = await readSettings(command.flags, { surface, survivesFaults: false }, context);
  checkNames(catalogue, { surface, toolsets: settings.toolsets, tool: command.tool }, 'call');
  const { openBridge: open } = await import('../../../bridge.ts');
  const { contract } = catalogue.find(({ name }) => name === surface) ?? {};
  const answer = (outcome: Outcome) => print(formatOutcome(outcome, command.flags.json, contract));
  return await callOnce(open, settings, { tool: command.tool, input, answer }).finally(settings.close);
}

/** Opens a bridge for one call and returns the exit code. A signal cancels the call and closes the bridge hurriedly. */
export async function callOnce(
  open: typeof openBridge,
  { bridge: settings, roots }: Pick<CommandSettings, 'bridge' | 'roots'>,
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

/** Parses the JSON object on the command line; `{}` if absent. */
export function readInput(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined) return {};
  const value = parseJson(text);
  if (isRecord(value)) return value;
  throw usageError('The input of a tool is a JSON object, like {"file_path": "src/a.ts"}.', 'call');
}

/** Renders an outcome: its text, or its data as a line of JSON. Texts of a contract surface only count, so the data follows. */
export function formatOutcome({ text, data, isError }: Outcome, json: boolean, contract?: true): string {
  const rendered = contract && !isError ? `${text}\n${JSON.stringify(data, null, 2)}` : text;
  const shown = json ? JSON.stringify({ ...data, is_error: isError }) : rendered;
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
