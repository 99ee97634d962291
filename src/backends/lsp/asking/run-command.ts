import type { Call } from '../../../core/call.ts';
import { LspanError } from '../../../core/errors.ts';
import { type Json, list, object } from '../../../core/runtime/json.ts';
import type { Substitute } from '../../../servers/definition.ts';
import { requestWithRetry } from '../session/request-retry.ts';
import type { Session } from '../session/session.ts';

/** A command as a server sent it. */
interface ServerCommand {
  readonly command: string;
  readonly arguments?: readonly unknown[];
}

/** Returns the command of an action, or the action itself if it is a command. */
export function readCommand(action: Json): ServerCommand | undefined {
  const { command, arguments: given } = typeof action.command === 'string' ? action : object(action.command);
  if (typeof command !== 'string') return undefined;
  return { command, ...(Array.isArray(given) ? { arguments: list(given) } : {}) };
}

/** How to run a command. */
interface CommandContext {
  /** Throws if the server may not run anything. */
  readonly mayRun: () => void;
  /** The action already has an edit: the command may be for the editor, or do nothing. */
  readonly isDone: boolean;
}

/** Lets a server execute a command, and returns the edits it requests meanwhile; applies none of them. */
export async function runCommand(
  session: Session,
  command: ServerCommand,
  { mayRun, isDone }: CommandContext,
  call: Call,
): Promise<readonly unknown[]> {
  const { id, edits: { commands = [], replacedCommands } = {} } = session.definition;
  const name = command.command;
  const isUnsafe = !commands.includes(name) && replacedCommands?.[name] === undefined;
  if (isDone && (isUnsafe || !isKnown(session, name))) return [];
  if (!isKnown(session, name)) throw unfit(`${id} leaves the command of this action to the editor.`);
  if (isUnsafe) throw unfit(`The command of ${id} may do more than edit, so lspan does not send it.`);
  mayRun();
  const substitute = replacedCommands?.[name];
  if (substitute) return [await editInstead(session, substitute, command, call)];
  // Sent once: an interrupted server may have done a part.
  const send = () => requestWithRetry(session, execute, command, call, () => false);
  const edits = await session.editRequests.during(call, send);
  if (edits.length === 0 && !isDone) throw unfit(`The command of ${id} made no edit; it may need an editor.`);
  return edits;
}

const execute = 'workspace/executeCommand';

async function editInstead(
  session: Session,
  substitute: Substitute,
  command: ServerCommand,
  call: Call,
): Promise<unknown> {
  const params = { command: substitute.command, arguments: substitute.arguments({ ...command }) };
  return substitute.answer(await requestWithRetry(session, execute, params, call));
}

function isKnown({ capabilities }: Session, command: string): boolean {
  const options = capabilities.everyOptions(execute, 'executeCommandProvider');
  return options.some(({ commands }) => list(commands).includes(command));
}

function unfit(message: string): LspanError {
  return new LspanError('not_supported', message, {
    nextStep: 'Choose another action, or make the change yourself.',
  });
}
