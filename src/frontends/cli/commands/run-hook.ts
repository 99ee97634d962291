import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { object, text } from '../../../core/runtime/json.ts';
import { resultOrError } from '../../../core/runtime/result.ts';
import { buildOf } from '../../../platform/files/identity-files.ts';
import { Channel } from '../../daemon/channel.ts';
import { connectTo } from '../../daemon/client/connect.ts';
import { daemonPlace } from '../../daemon/place.ts';
import type { CommandLine } from '../parse-command-line.ts';
import { print, printFailure } from '../print.ts';
import { type ProcessContext, readSettings } from '../read-settings.ts';

type HookCommand = Extract<CommandLine, { readonly kind: 'hook' }>;

/** The event of each client whose hook can add to what the model sees; opencode's plugin takes the text itself. */
const events: ReadonlyMap<string, string | undefined> = new Map([
  ['claude-code', 'PostToolUse'],
  ['codex', 'PostToolUse'],
  ['gemini-cli', 'AfterTool'],
  ['opencode', undefined],
]);

/** The clients whose hooks run `lspan hook`. */
export const hookClients: readonly string[] = [...events.keys()];

/** Runs `lspan hook`: prints what the last edit made worse, in the client's form. Returns 0 whatever happens. */
export async function runHook(
  command: HookCommand,
  context: ProcessContext,
  streams: {
    readonly input: AsyncIterable<Uint8Array>;
    readonly write: (text: string) => Promise<void>;
  } = { input: process.stdin, write: print },
): Promise<number> {
  const told = await tell(command, context, streams.input).catch((thrown: unknown) => {
    printFailure(thrown);
    return '';
  });
  if (told !== '') await streams.write(`${told}\n`);
  return 0;
}

async function tell(
  { client = '', flags }: HookCommand,
  context: ProcessContext,
  input: AsyncIterable<Uint8Array>,
): Promise<string> {
  if (!events.has(client))
    throw new LspanError('invalid_input', `Name the client: ${hookClients.join(', ')}.`);
  const given = readHook(await readAll(input));
  const { environment } = context;
  const script = process.argv[1] ?? '';
  // A cold start after every edit would be in the way: only a session that begins starts the daemon.
  if (!given.isStart && !(await isRunning(script, environment)))
    throw new LspanError('not_found', 'No daemon is running, so nothing was checked.');
  const place = { ...context, cwd: given.folder ?? context.cwd };
  const { bridge, roots, close } = await readSettings(
    flags,
    { surface: 'lspan', survivesFaults: false },
    place,
  );
  if (roots.length === 0) throw new LspanError('not_found', 'There is no workspace here.');
  const { openDaemonBridge } = await import('../../daemon/client/daemon-bridge.ts');
  const build = buildOf(script);
  const connection = {
    ...{ command: 'hook', script, environment, loaded: build.id },
    openOwn: async (_: unknown, why: string) => {
      throw new LspanError('not_found', `No daemon is used: ${why}`);
    },
    onCatalogue: () => {},
  };
  const opened = await openDaemonBridge({ ...bridge, roots }, connection);
  const { data, error, isError } = await opened
    .call('after_edit', given.input, { surface: 'lspan' })
    .finally(() => opened.close().finally(close));
  if (isError) throw error ?? new LspanError('internal', 'The daemon refused the call.');
  const message = text(data.message);
  return message === undefined || given.isStart ? '' : toOutput(client, message);
}

function toOutput(client: string, message: string): string {
  const event = events.get(client);
  if (event === undefined) return message;
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: message } });
}

async function isRunning(script: string, environment: ProcessContext['environment']): Promise<boolean> {
  const place = resultOrError(() => daemonPlace(environment, buildOf(script)));
  if (place instanceof LspanError) return false;
  const found = await connectTo(place);
  if (!(found instanceof Channel)) return false;
  found.close();
  return true;
}

/** What a hook is told about its session. */
interface GivenHook {
  readonly folder: string | undefined;
  readonly isStart: boolean;
  readonly input: Readonly<Record<string, unknown>>;
}

function readHook(json: string): GivenHook {
  const parsed = resultOrError((): unknown => JSON.parse(json));
  if (parsed instanceof LspanError || Object.keys(object(parsed)).length === 0)
    throw new LspanError('invalid_input', 'What the client says of the edit is not a JSON object.');
  const { session_id, cwd, hook_event_name, tool_input } = object(parsed);
  const { file_path, filePath } = object(tool_input);
  const [conversation, file] = [text(session_id), text(file_path) ?? text(filePath)];
  return {
    folder: text(cwd),
    isStart: hook_event_name === 'SessionStart',
    input: {
      ...(conversation === undefined ? {} : { conversation: conversation.slice(0, limits.input.id) }),
      ...(file === undefined ? {} : { file_path: file }),
    },
  };
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > limits.stdioLine) throw new LspanError('invalid_input', 'The input is larger than 4 MiB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
