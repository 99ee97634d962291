import type { EventEmitter } from 'node:events';
import type { openBridge } from '../../../bridge.ts';
import { limits } from '../../../core/limits.ts';
import { isRecord } from '../../../core/runtime/json.ts';
import { catalogue } from '../../../surfaces/catalogue.ts';
import type { Outcome } from '../../../tools/run/tool.ts';
import { type ProgressLine, waitingLine } from '../../observe/terminal.ts';
import { checkNames } from '../check-names.ts';
import { interruption } from '../interruption.ts';
import { openerOf } from '../opener.ts';
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
  const { open } = openerOf('call', context, settings);
  const { contract } = catalogue.find(({ name }) => name === surface) ?? {};
  const answer = (outcome: Outcome) => print(formatOutcome(outcome, command.flags.json, contract));
  const { apply } = command.flags;
  const waiting = waitingLine(process.stderr, context.environment, `waiting for ${command.tool}`);
  const call = { tool: command.tool, input, answer, apply, waiting };
  return await callOnce(open, settings, call).finally(settings.close);
}

/** Opens a bridge for one call and returns the exit code. A signal cancels the call and closes the bridge hurriedly. */
export async function callOnce(
  open: typeof openBridge,
  { bridge: settings, roots }: Pick<CommandSettings, 'bridge' | 'roots'>,
  call: {
    readonly tool: string;
    readonly input: unknown;
    readonly answer: (outcome: Outcome) => Promise<void>;
    /** True if a preview is applied. */
    readonly apply?: boolean;
    /** Where a user sees what is waited for. */
    readonly waiting?: ProgressLine;
  },
  signals: EventEmitter = process,
): Promise<number> {
  const interrupted = interruption(signals);
  const work = async () => {
    const bridge = await open({ ...settings, roots });
    const report = (message: string) => {
      settings.log('info', 'waiting', { message });
      call.waiting?.show(message);
    };
    const options = { signal: interrupted.signal, report };
    const asked = await bridge.call(call.tool, call.input, options);
    const applying = call.apply ? applyingOf(asked, call.input) : undefined;
    const outcome = applying ? await bridge.call(applier, applying, { ...options, surface: 'lspan' }) : asked;
    call.waiting?.clear();
    if (interrupted.exitCode() === undefined) await call.answer(outcome);
    await bridge.close({ hurried: interrupted.exitCode() !== undefined });
    return interrupted.exitCode() ?? (outcome.isError ? 1 : 0);
  };
  return await work().finally(() => {
    call.waiting?.clear();
    interrupted[Symbol.dispose]();
  });
}

/** The tool that applies the preview of any other. */
const applier = 'apply_workspace_edit';

/** Returns the input that applies a preview; `undefined` if an outcome is none. */
function applyingOf({ data, isError }: Outcome, input: unknown): object | undefined {
  const plan_id = isRecord(data.plan) ? data.plan.plan_id : undefined;
  if (isError || typeof plan_id !== 'string') return undefined;
  const { check, allow_incomplete } = isRecord(input) ? input : {};
  return {
    plan_id,
    ...(check === undefined ? {} : { check }),
    ...(allow_incomplete === undefined ? {} : { allow_incomplete }),
  };
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
  const rendered = contract && !isError ? `${text}\n${JSON.stringify(data, null, 2)}` : inShellWords(text);
  const shown = json ? JSON.stringify({ ...data, is_error: isError }) : rendered;
  return shown.endsWith('\n') ? shown : `${shown}\n`;
}

/** A plan ends with the process that made it, so a shell applies it by the same command. */
function inShellWords(text: string): string {
  return text.replace(
    /^(Preview of .*Apply with )plan_id "[^"\n]*"(?: or `dry_run: false`)?/m,
    '$1the flag --apply',
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : 'unreadable';
    throw usageError(`The input is not JSON (${why}). Quote it for the shell: '${asJson(text)}'.`, 'call');
  }
}

/** Writes a bare word, or a field with its value, as the JSON that is probably meant; else an example. */
function asJson(text: string): string {
  const { field, value } = /^(?:(?<field>\w+)=)?(?<value>[\w$][\w$.:#/-]*)$/.exec(text)?.groups ?? {};
  if (value === undefined) return '{"symbol_name": "run"}';
  const isPath = /\/|\.\w+$/.test(value);
  return `{"${field ?? (isPath ? 'file_path' : 'symbol_name')}": "${value}"}`;
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
